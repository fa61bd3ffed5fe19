package main

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quintet/arena"
)

// TestLiveTable checks the bytes sent to a terminal, with a fake clock.
func TestLiveTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out shared
		frames := func() (n int, last string) {
			parts := strings.Split(out.String(), cutLines)
			return len(parts) - 1, parts[len(parts)-1]
		}
		table := newLiveTable(&out, time.Now, arena.Standings{Planned: 60}, 10, func(s arena.Standings) []string {
			return []string{strings.Repeat("+", s.Games)}
		})
		want := func(step string, wanted int, text string) {
			t.Helper()
			synctest.Wait()
			if n, last := frames(); n != wanted || !strings.Contains(last, text) {
				t.Errorf("%s: %d pictures, the last one %q; want %d, with %q", step, n, last, wanted, text)
			}
		}
		want("at the start", 1, "[#####-------------------------] 10 of 60 games, 0s\n\n")

		for range 30 { // a game every 10 ms, for 0.3 s
			table.ended()
			table.show(arena.Standings{Planned: 60, Games: 3})
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(50 * time.Millisecond)
		want("many games", 4, "[####################----------] 40 of 60 games, 0s, about 0s left\n+++\n")

		time.Sleep(2500 * time.Millisecond)
		want("the clock alone", 6, "40 of 60 games, 2s, about 2s left\n")
		if _, last := frames(); !strings.HasPrefix(out.String(), cutLines) || !strings.HasSuffix(last, wrapLines) {
			t.Errorf("lines are not cut: %q", out.String())
		}

		if _, err := table.Write([]byte("a remark\n")); err != nil {
			t.Fatal(err)
		}
		want("a remark", 7, "40 of 60 games, 3s, about 2s left\n")
		if before := wrapLines + "\x1b[2A" + eraseDown + "a remark\n" + cutLines; !strings.Contains(out.String(), before) {
			t.Errorf("the remark does not stand above the table: %q", out.String())
		}

		table.stop()
		if !strings.HasSuffix(out.String(), wrapLines+"\x1b[2A"+eraseDown) {
			t.Errorf("the table is left on the screen: %q", out.String())
		}
		if _, err := table.Write([]byte("the end\n")); err != nil || !strings.HasSuffix(out.String(), eraseDown+"the end\n") {
			t.Errorf("a remark behind the table: %q, %v", out.String(), err)
		}
	})
}

// shared is a buffer that is read while it is written.
type shared struct {
	mu  sync.Mutex // guards out
	out bytes.Buffer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(b)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

// TestLiveTableIsShort checks that the table has no more lines than the screen.
func TestLiveTableIsShort(t *testing.T) {
	var out bytes.Buffer
	table := newLiveTable(&out, time.Now, arena.Standings{}, 0, func(arena.Standings) []string { return make([]string, 100) })
	table.stop()
	if lines := strings.Count(out.String(), "\n"); lines != liveRows {
		t.Errorf("%d lines, want %d", lines, liveRows)
	}
}

// TestIsTerminal tells files and buffers from terminals.
func TestIsTerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	if isTerminal(&bytes.Buffer{}) || isTerminal(file) || !isTerminal(device) {
		t.Error("want devices alone to count as terminals")
	}
	t.Setenv("TERM", "dumb")
	if isTerminal(device) {
		t.Error("a dumb terminal cannot draw over itself")
	}
}
