package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestJudgeInterrupted interrupts the judge while a program sleeps: it ends with a
// word, and leaves neither the program nor its folder behind.
func TestJudgeInterrupted(t *testing.T) {
	const sleep = "86398.25" // a time that nobody else sleeps
	const sleeps = "#include <unistd.h>\nstatic void rest() { execlp(\"sleep\", \"sleep\", \"" + sleep + "\", (char *)0); }\n"
	dir := t.TempDir()
	class, err := os.ReadFile("../../judge/testdata/neighbors/Neighbors.cpp")
	header, err2 := os.ReadFile("../../judge/testdata/neighbors/Neighbors.h")
	if err := errors.Join(err, err2, os.Mkdir(filepath.Join(dir, "handed"), 0o700)); err != nil {
		t.Fatal(err)
	}
	const constructor = "Neighbors::Neighbors() {"
	for name, text := range map[string]string{
		"profile": "flags = -O0\n", "main.cpp": sleeps + "int main() { rest(); }", "handed/ann.cpp": sleeps + "int main() { rest(); }",
		"Neighbors.h": string(header), "Neighbors.cpp": sleeps + strings.Replace(string(class), constructor, constructor+" rest();", 1),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ args, says string }{
		{"judge chess --cpu 60s --sandbox none main.cpp", "quintet: the judge was stopped: there is no verdict\n"},
		{"judge neighbors --class --profile profile --cpu 60s --sandbox none Neighbors.cpp", "quintet: the judge was stopped: there is no verdict\n"},
		{"judge chess --cpu 60s --sandbox none --unprotected --batch handed", "quintet: the batch was stopped: the same command goes on where it was\n"},
	} {
		scratch := t.TempDir()
		c := exec.CommandContext(t.Context(), os.Args[0], strings.Fields(test.args)...)
		c.Dir, c.Env = dir, append(os.Environ(), asProgram+"=1", "GORACE=atexit_sleep_ms=0", "TMPDIR="+scratch)
		var said bytes.Buffer
		c.Stderr = &said
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		waitFor(t, "the program that sleeps", func() bool { return runs("sleep\x00" + sleep) })
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait()
		if c.ProcessState.ExitCode() != 1 || !strings.HasSuffix(said.String(), test.says) {
			t.Errorf("%s: status %d, %q, want 1, %q", test.args, c.ProcessState.ExitCode(), said.String(), test.says)
		}
		waitFor(t, "the end of the program that sleeps", func() bool { return !runs("sleep\x00" + sleep) })
		if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
			t.Errorf("%s leaves %v (%v)", test.args, left, err)
		}
	}
}
