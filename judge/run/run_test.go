package run_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quintet/judge/run"
)

// TestEndings runs shell scripts that end in each of the ways.
func TestEndings(t *testing.T) {
	limits := run.Limits{CPU: time.Second, Wall: time.Minute, Output: 1000}
	for _, test := range []struct {
		name, script string
		lines        []string
		enough       int
		want         run.Ending
		output       string
		eof          bool
	}{
		{"ends", "echo hello", nil, 6, run.Exited, "hello\n", false},
		{"reads and ends", "read x; echo $x", []string{"one"}, 4, run.Exited, "one\n", false},
		{"waits", "echo hello; read x", nil, 6, run.Waiting, "hello\n", false},
		{"prints at the end of the input", "cat > /dev/null; echo hello", []string{"one"}, 6, run.Exited, "hello\n", true},
		{"sleeps", "sleep 0.6; echo hello", nil, 6, run.Exited, "hello\n", false},
		{"is slow to end", `perl -e '$| = 1; print "hello\n"; select(undef, undef, undef, 0.8)'`, nil, 6, run.Exited, "hello\n", false},
		{"crashes", "kill -SEGV $$", nil, 0, run.Crashed, "", false},
		{"prints as much as it may", "printf %01006d 0", nil, 6, run.Exited, "000000", false},
		{"prints a byte more", "printf %01007d 0", nil, 6, run.OutputExceeded, "000000", false},
		{"prints on", "while :; do echo hello; done", nil, 0, run.OutputExceeded, "", false},
		{"computes on", "while :; do :; done", nil, 1, run.TimedOut, "", false},
		{"sleeps on", "sleep 1000", nil, 1, run.TimedOut, "", false},
	} {
		p := run.Program{Args: []string{"/bin/sh", "-c", test.script}, Limits: limits}
		if test.name == "sleeps on" {
			p.Limits.Wall = time.Second
		}
		out := p.Run(t.Context(), test.lines, test.enough)
		if out.Ending != test.want || !strings.HasPrefix(out.Output, test.output) || out.EOF != test.eof {
			t.Errorf("%s: %+v", test.name, out)
		}
	}
	greedy := `perl -e '$x = "a" x 20e6; $y = $x; sleep 1000' &`
	p := run.Program{Args: []string{"/bin/sh", "-c", greedy + greedy + greedy + "sleep 1000"}, Limits: limits}
	p.Limits.Memory = 64 << 20
	if out := p.Run(t.Context(), nil, 1); out.Ending != run.Crashed || !out.OutOfMemory || out.Signal != "SIGKILL, because it used more than 64 MB of memory" {
		t.Errorf("three processes that take too much together: %+v", out)
	}
	p.Limits.Memory, p.Limits.Wall = 512<<20, 2*time.Second
	if out := p.Run(t.Context(), nil, 1); out.Ending != run.TimedOut || out.OutOfMemory {
		t.Errorf("three processes that take what they may: %+v", out)
	}
	p = run.Program{Args: []string{"/bin/sh", "-c", "exec 3<&0; setsid sh -c 'read x || echo late' <&3 & echo hello; read x"}, Limits: limits}
	if out := p.Run(t.Context(), nil, 6); out.Ending != run.Waiting || out.Output != "hello\n" {
		t.Errorf("a process outlives the program for a moment, and sees the end of the input: %+v", out)
	}
	foreign := filepath.Join(t.TempDir(), "foreign")
	if err := os.WriteFile(foreign, []byte("MZ\x90\x00\x03"), 0o700); err != nil {
		t.Fatal(err)
	}
	p = run.Program{Args: []string{foreign}}
	if out := p.Run(t.Context(), nil, 1); out.Ending != run.Failed || out.Err == nil || !strings.Contains(out.Err.Error(), "built for this system") {
		t.Errorf("a program for another system: %+v", out)
	}
	p = run.Program{Args: []string{"/bin/sh", "-c", "exit 3"}}
	if out := p.Run(t.Context(), nil, 0); out.Status != 3 {
		t.Errorf("exit 3: %+v", out)
	}
}
