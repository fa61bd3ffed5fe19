package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"quintet/lab/await"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"lab": main}) }

// TestScripts runs the scripts of testdata: what users type, and what they see.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata", RequireExplicitExec: true, RequireUniqueNames: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"lines": awaitLine},
	})
}

// awaitLine is the script command "lines FILE": it waits until a file that another program writes
// has a line.
func awaitLine(ts *testscript.TestScript, _ bool, args []string) {
	for began := time.Now(); time.Since(began) < await.Limit; time.Sleep(5 * time.Millisecond) {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && strings.Contains(string(text), "\n") {
			return
		}
	}
	ts.Fatalf("%s has no line after %s", args[0], await.Limit)
}
