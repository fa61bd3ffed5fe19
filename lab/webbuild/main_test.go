package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCurrent says whether the assets that are embedded are what their sources
// make.
func TestCurrent(t *testing.T) {
	root := filepath.Join("..", "..")
	made, err := build(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"app.js", "app.css", "table.css", "study.css", "early.js", "fraunces.woff2", "modules.json"} {
		if made[name] == nil {
			t.Errorf("%s is not made", name)
		}
	}
	old, err := filepath.Glob(filepath.Join(root, "web", "assets", "*.js"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range old {
		if made[filepath.Base(name)] == nil {
			t.Errorf("%s is stale: run make ui", name)
		}
	}
	for name, want := range made {
		got, err := os.ReadFile(filepath.Join(root, "web", "assets", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("web/assets/%s is not what web/ui makes now: run make ui", name)
		}
	}
}

// TestOldBrowsers checks that styles have no colour that browsers of 2022 do not
// understand: a board would be black with black stones in it.
func TestOldBrowsers(t *testing.T) {
	made, err := build(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	css := made["app.css"]
	for _, name := range []string{"app.css", "table.css", "study.css"} {
		if found := regexp.MustCompile(`light-dark\(|color-mix\(|oklch\(|\(from |color\(`).FindAll(made[name], -1); len(found) > 0 {
			t.Errorf("%s has %q", name, found)
		}
	}
	for _, want := range []string{"--day: ;", "--night: ;"} { // empty, which is not the same as left out
		if !bytes.Contains(css, []byte(want)) && !bytes.Contains(css, []byte(strings.ReplaceAll(want, ";", "}"))) {
			t.Errorf("the style sheet has no %q", want)
		}
	}
}

func TestBroken(t *testing.T) {
	if err := run(t.TempDir()); err == nil {
		t.Error("no error without sources")
	}
}
