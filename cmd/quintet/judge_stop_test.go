package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/lab/await"
)

// TestJudgeSignal interrupts the judge while a program sleeps: it exits with a message
// and leaves neither the program nor its folder behind. A fake compiler accepts any source.
func TestJudgeSignal(t *testing.T) {
	sleep := sleepTime(2)
	dir := t.TempDir()
	program := "#!/bin/sh\nexec sleep " + sleep + "\n"
	compiler := "#!/bin/sh\nwhile test \"$1\" != -o; do shift; done\nprintf '#!/bin/sh\\nexec sleep " + sleep + "\\n' > \"$2\"\n"
	err := os.MkdirAll(filepath.Join(dir, "handed"), 0o700)
	for name, text := range map[string]string{"program": program, "handed/ann": program, "compiler": compiler, "main.cpp": "", "Neighbors.h": "", "Neighbors.cpp": ""} {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700))
	}
	if err != nil {
		t.Fatal(err)
	}
	const none, stopped = "--sandbox none --unprotected ", "quintet: the judge was stopped before it reached a verdict\n"
	for _, test := range []struct {
		args, says string
		status     int
	}{
		{"connect6 --size 1 --cpu 10m ./program", stopped, 2},
		{"connect6 --size 1 --cpu 10m " + none + "--compiler compiler main.cpp", stopped, 2},
		{"neighbors --class --cpu 10m " + none + "--compiler compiler Neighbors.cpp", stopped, 2},
		{"connect6 --size 1 --cpu 10m --batch handed", "quintet: the batch was stopped: run the same command again to continue\n", 1},
		{"connect6 --size 1 --cpu 10m " + none + "--batch handed", "quintet: the batch was stopped: run the same command again to continue\n", 1},
	} {
		scratch := t.TempDir()
		c := asJudge(t, "077", strings.Fields(test.args)...)
		c.Dir, c.Env = dir, append(c.Env, "TMPDIR="+scratch, "PATH="+os.Getenv("PATH")+string(filepath.ListSeparator)+dir)
		var said bytes.Buffer
		c.Stderr = &said
		ended := launch(t, c)
		waitFor(t, "the program that sleeps", ended, func() bool { return runs("sleep\x00" + sleep) })
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		await.Receive(t, "the end of the judge", ended)
		if c.ProcessState.ExitCode() != test.status || !strings.HasSuffix(said.String(), test.says) {
			t.Errorf("%s: status %d, %q, want %d, %q", test.args, c.ProcessState.ExitCode(), said.String(), test.status, test.says)
		}
		waitFor(t, "the end of the program that sleeps", nil, func() bool { return !runs("sleep\x00" + sleep) })
		if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
			t.Errorf("%s leaves %v (%v)", test.args, left, err)
		}
	}
}
