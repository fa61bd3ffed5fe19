package run

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestLateReader prints while the judge does not read, and ends. Nothing is lost: neither if a process that has left
// the group keeps the output open, nor if the output has ended.
func TestLateReader(t *testing.T) {
	for _, script := range []string{"echo a; read x; echo b", "setsid sleep 5 & echo a; read x; echo b"} {
		r := &run{done: make(chan error, 1)}
		take := func(b []byte) (int, error) {
			if r.printedNothing() {
				_, _ = io.WriteString(r.input, "go on\n")
				r.done <- <-r.done
				_ = r.out.from.SetReadDeadline(time.Unix(1, 0)) // as finish does, which may wait for the reader already
			}
			return r.takeOutput(b)
		}
		p := Program{Args: []string{"/bin/sh", "-c", script}, Limits: Limits{Output: 1000}}
		if err := r.begin(t.Context(), &p, take); err != nil {
			t.Fatal(err)
		}
		r.out.finish()
		if got := string(r.output); got != "a\nb\n" {
			t.Errorf("%s: %q", script, got)
		}
		r.errs.finish()
	}
}

// printedNothing reports whether no output has been taken.
func (r *run) printedNothing() bool {
	n, _ := r.printed()
	return n == 0
}

// TestLateOwner reads what a program printed after it has ended.
func TestLateOwner(t *testing.T) {
	lines := slices.Repeat([]string{"hello"}, 3)
	p := Program{Args: append([]string{"printf", "%s\n"}, lines...)}
	talk, err := p.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	<-talk.ended
	text, err := io.ReadAll(talk)
	if err != nil || string(text) != strings.Join(lines, "\n")+"\n" {
		t.Errorf("%q, %v", text, err)
	}
	if err := talk.Close(); err == nil || !strings.Contains(err.Error(), "exit status 0") {
		t.Errorf("%v, want that it has ended", err)
	}
}
