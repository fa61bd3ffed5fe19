package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

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
	if !await.Holds(func() bool {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		return err == nil && strings.Contains(string(text), "\n")
	}) {
		ts.Fatalf("%s has no line after %s", args[0], await.Limit)
	}
}

// TestDocumentCommands checks that the command lines in the documents name commands and flags
// that exist.
func TestDocumentCommands(t *testing.T) {
	line := regexp.MustCompile("go run ./cmd/lab ([a-z](?:\\\\\n|[^`|>#\\n])*)")
	names, err := filepath.Glob("../../docs/internals/*.md")
	found := 0
	for _, name := range append(names, "../../docs/measured.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range line.FindAllStringSubmatch(string(text), -1) {
			found++
			words := strings.Fields(regexp.MustCompile(`'[^']*'`).ReplaceAllString(match[1], "QUOTED"))
			command, _, err := newRoot().Find(words)
			if err != nil || !command.HasParent() {
				t.Errorf("%s: lab %s: no such command", name, match[1])
				continue
			}
			for _, word := range words {
				if flag, ok := strings.CutPrefix(word, "--"); ok && command.Flag(flag) == nil {
					t.Errorf("%s: lab %s: no flag --%s", name, match[1], flag)
				}
			}
		}
	}
	if err != nil || found < 30 {
		t.Errorf("found only %d command lines, %v", found, err)
	}
}
