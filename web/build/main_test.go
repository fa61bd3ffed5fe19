package main

import (
	"bytes"
	"os"
	"path/filepath"
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
	if len(made) != 3 {
		t.Fatalf("%d assets made, want app.js, app.css and early.js", len(made))
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

func TestBroken(t *testing.T) {
	if err := run(t.TempDir()); err == nil {
		t.Error("no error without sources")
	}
}
