package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestManual checks that every command has a page with all its flags, which roff formats
// without a warning.
func TestManual(t *testing.T) {
	dir := t.TempDir()
	if err := writeManual(newRoot(), dir); err != nil {
		t.Fatal(err)
	}
	groff, _ := exec.LookPath("groff")
	for _, c := range commands(newRoot()) {
		file := filepath.Join(dir, manName(c)+".1")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(string(text), roff("--"+f.Name)) {
				t.Errorf("%s lacks --%s", file, f.Name)
			}
		})
		if groff == "" {
			continue
		}
		out, err := exec.CommandContext(t.Context(), groff, "-man", "-Tutf8", "-wall", "-z", file).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("groff %s: %v\n%s", file, err, out)
		}
	}
}

// TestHelpLines checks that each command is in a group and described by one short line.
func TestHelpLines(t *testing.T) {
	for _, c := range newRoot().Commands() {
		if c.Name() != "man" && !c.Hidden && c.GroupID == "" {
			t.Errorf("%s is in no group", c.Name())
		}
	}
	for _, c := range commands(newRoot())[1:] {
		if len(c.Short) > 66 || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: %q, want at most 66 letters and no full stop", c.CommandPath(), c.Short)
		}
	}
}

func TestBuild(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}}
	info.Main.Version = "v1.2.0"
	if b := buildOf(info); b.release != "v1.2.0" || b.revision != "abc modified" {
		t.Errorf("%+v", b)
	}
	if b := buildOf(&debug.BuildInfo{}); b.release != "unknown" || b.revision != "unknown" {
		t.Errorf("without facts: %+v", b)
	}
}
