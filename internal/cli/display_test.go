package cli

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/creack/pty"
)

// TestDisplay checks the bytes sent to a terminal, with a fake clock.
func TestDisplay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out shared
		frames := func() (n int, last string) {
			parts := strings.Split(out.String(), cutLines)
			return len(parts) - 1, parts[len(parts)-1]
		}
		var count atomic.Int64
		d := startDisplay(&out, true, func() []string { return []string{"count", strconv.FormatInt(count.Load(), 10)} })
		want := func(step string, wanted int, text string) {
			t.Helper()
			synctest.Wait()
			if n, last := frames(); n != wanted || !strings.Contains(last, text) {
				t.Errorf("%s: %d pictures, the last one %q; want %d, with %q", step, n, last, wanted, text)
			}
		}
		want("at the start", 1, "count\n0\n")

		for range 30 { // a change every 10 ms, for 0.3 s
			count.Add(1)
			d.Change()
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(50 * time.Millisecond)
		want("many changes", 4, "count\n30\n")

		time.Sleep(2500 * time.Millisecond)
		want("the clock alone", 6, "count\n30\n")
		if _, last := frames(); !strings.HasPrefix(out.String(), cutLines) || !strings.HasSuffix(last, wrapLines) {
			t.Errorf("lines are not cut: %q", out.String())
		}

		if _, err := d.Write([]byte("a remark\n")); err != nil {
			t.Fatal(err)
		}
		want("a remark", 7, "count\n30\n")
		if before := wrapLines + "\x1b[2A" + eraseDown + "a remark\n" + cutLines; !strings.Contains(out.String(), before) {
			t.Errorf("the remark does not stand above the lines: %q", out.String())
		}

		d.Stop()
		if !strings.HasSuffix(out.String(), wrapLines+"\x1b[2A"+eraseDown) {
			t.Errorf("the lines are left on the screen: %q", out.String())
		}
		if _, err := d.Write([]byte("the end\n")); err != nil || !strings.HasSuffix(out.String(), eraseDown+"the end\n") {
			t.Errorf("a remark behind the display: %q, %v", out.String(), err)
		}
	})
}

// TestDisplayElsewhere checks that without a terminal lines are printed once a second if
// they are wanted.
func TestDisplayElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out shared
		d := NewDisplay(&out, true, func() []string { return []string{"line"} })
		d.Change()
		time.Sleep(2500 * time.Millisecond)
		d.Stop()
		if out.String() != "line\nline\n" {
			t.Errorf("%q, want a line a second", out.String())
		}
	})
	d := NewDisplay(new(bytes.Buffer), false, nil)
	d.Change()
	d.Stop()
	if d != nil {
		t.Error("a display that nobody wants")
	}
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

// TestDisplayIsShort checks that a display has no more lines than the screen.
func TestDisplayIsShort(t *testing.T) {
	var out bytes.Buffer
	startDisplay(&out, true, func() []string { return make([]string, 100) }).Stop()
	if lines := strings.Count(out.String(), "\n"); lines != displayRows {
		t.Errorf("%d lines, want %d", lines, displayRows)
	}
}

// TestOnTerminal tells files, devices and buffers from terminals.
func TestOnTerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	_, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	if OnTerminal(&bytes.Buffer{}) || OnTerminal(device) || !OnTerminal(terminal) {
		t.Error("want terminals alone")
	}
	t.Setenv("TERM", "dumb")
	if OnTerminal(terminal) {
		t.Error("a dumb terminal cannot draw over itself")
	}
}

// TestSafe checks what a terminal gets of texts of others: no control sequences, and every character
// whole, however the text is cut into pieces. Other writers get every byte.
func TestSafe(t *testing.T) {
	screen, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer screen.Close()
	defer terminal.Close()
	t.Setenv("TERM", "xterm")
	text := "é日\x1b[2J\u009b\xffa\n"
	w := Safe(terminal)
	for _, b := range []byte(text) {
		if n, err := w.Write([]byte{b}); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	got, err := bufio.NewReader(screen).ReadString('\n')
	if want := "é日" + `\x1b[2J\x9b\xffa` + "\r\n"; got != want || err != nil {
		t.Errorf("the terminal gets %q, %v, want %q", got, err, want)
	}
	if !OnTerminal(w) || Raw(w) != io.Writer(terminal) {
		t.Error("a safe terminal is a terminal")
	}
	var out bytes.Buffer
	if Safe(&out) != io.Writer(&out) {
		t.Error("texts that no terminal shows are changed")
	}
}
