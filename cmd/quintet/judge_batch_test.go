package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quintet/judge"
	"quintet/judge/batch"
	"quintet/lab/await"
)

// sleepTime returns a unique sleep time, by which the test finds its programs.
func sleepTime(day int) string { return fmt.Sprintf("%d.%d", day*86400, os.Getpid()) }

// asJudge returns a command that runs the judge, by a shell with a umask.
func asJudge(t *testing.T, umask string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), "/bin/sh", append([]string{"-c", "umask " + umask + `; exec "$0" "$@"`, os.Args[0], "judge"}, args...)...)
	c.Env = append(os.Environ(), asProgram+"=1", "GORACE=atexit_sleep_ms=0")
	return c
}

// TestBatchKilled kills a batch while it runs, like a power failure, and runs it again:
// nothing is judged twice, nothing is missing, and no program keeps running. One program
// sleeps only in the first run, which it recognizes by the umask.
func TestBatchKilled(t *testing.T) {
	sleep := sleepTime(1)
	dir := filepath.Join(t.TempDir(), "handed in")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		script := "#!/bin/sh\necho 'A: '\n"
		if i == 2 {
			script = "#!/bin/sh\ntest $(umask) = 0077 && exec sleep " + sleep + "\necho 'A: '\n"
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("student ", i)), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"connect6", "--size", "1", "--cpu", "10m", "--workers", "1", "--batch", dir}
	first := asJudge(t, "077", args...)
	var said bytes.Buffer
	first.Stderr = &said
	ended := launch(t, first)
	waitFor(t, "the program that sleeps", ended, func() bool { return runs("sleep\x00" + sleep) })
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	await.Receive(t, "the end of the judge", ended)
	if !strings.Contains(said.String(), "2/5 student 1: wrong-output\n") || strings.Contains(said.String(), "\r") {
		t.Errorf("the first run said %q", &said)
	}
	waitFor(t, "the end of the program that sleeps", nil, func() bool { return !runs("sleep\x00" + sleep) })
	again, err := asJudge(t, "022", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, again)
	}
	if strings.Count(string(again), "from an earlier run") != 2 || !strings.Contains(string(again), "5/5 student 4: ") {
		t.Errorf("the second run said %q", again)
	}
	table, err := os.ReadFile(filepath.Join(dir+"-verdicts", "results.csv"))
	if err != nil || strings.Count(string(table), "\nstudent ") != 5 {
		t.Errorf("%v: %s", err, table)
	}
}

// runs reports whether a program with these words in its command runs.
func runs(words string) bool {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && strings.HasPrefix(string(text), words) {
			return true
		}
	}
	return false
}

// launch starts a command. The channel is closed when it has ended.
func launch(t *testing.T, c *exec.Cmd) (ended <-chan struct{}) {
	t.Helper()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		_ = c.Wait()
		close(done)
	}()
	return done
}

// waitFor waits for something, but not beyond the end of a program.
func waitFor(t *testing.T, what string, ended <-chan struct{}, ready func() bool) {
	t.Helper()
	await.Until(t, what, func() bool {
		select {
		case <-ended:
			t.Fatalf("the judge has ended before there was a sign of %s", what)
		default:
		}
		return ready()
	})
}

// TestProgress checks the line of progress.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	p := newProgress(&out, 4, func() time.Time { return now })
	want := func(line string) {
		t.Helper()
		if got := p.line(); got != line {
			t.Errorf("%q, want %q", got, line)
		}
	}
	p.started("ann\x1b[2J")
	p.started("bob")
	want("0 of 4 judged · now ann\\x1b[2J, bob")
	now = now.Add(10 * time.Second)
	p.finished(1, 4, batch.Result{Name: "bob", Verdict: judge.Verdict{Verdict: judge.Accepted}})
	want("1 of 4 judged · accepted 1 · 30s left · now ann\\x1b[2J")
	p.end()
	if out.String() != "1/4 bob: accepted\n" {
		t.Errorf("without a terminal: %q", out.String())
	}
}

// TestInShort shortens the errors of a disk that is not writable.
func TestInShort(t *testing.T) {
	var list []error
	for i := range 30 {
		list = append(list, fmt.Errorf("page %d", i))
	}
	if got := inShort(errors.Join(list...)).Error(); !strings.HasPrefix(got, "page 0\n") || !strings.HasSuffix(got, "\npage 19\nand 10 more") {
		t.Errorf("%q", got)
	}
	if got := inShort(errors.Join(list[:3]...)).Error(); got != "page 0\npage 1\npage 2" || inShort(nil) != nil {
		t.Errorf("%q", got)
	}
}
