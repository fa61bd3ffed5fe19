package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"lab": main}) }

// TestScripts runs the scripts of testdata: what users type, and what they see.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata", RequireExplicitExec: true, RequireUniqueNames: true,
	})
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
	if err != nil || found < 20 {
		t.Errorf("found only %d command lines, %v", found, err)
	}
}
