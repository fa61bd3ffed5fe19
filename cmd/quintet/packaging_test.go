package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

func packaged(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "packaging", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// parses wants a command line of the program to be one that it takes.
func parses(t *testing.T, args []string) {
	t.Helper()
	c, rest, err := newRoot().Find(args)
	if err == nil {
		err = c.ParseFlags(rest)
	}
	if err == nil {
		err = c.ValidateArgs(c.Flags().Args())
	}
	if err != nil || c.Name() != "serve" {
		t.Errorf("%q: command %s, %v", args, c.Name(), err)
	}
}

// TestUnit checks the command of the systemd unit, and the unit where systemd is.
func TestUnit(t *testing.T) {
	unit := packaged(t, "quintet.service")
	command := regexp.MustCompile(`(?m)^ExecStart=(\S+) (.*)$`).FindStringSubmatch(unit)
	if command == nil {
		t.Fatal("the unit has no ExecStart")
	}
	parses(t, strings.Fields(command[2]))
	tool, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd-analyze")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	unit = strings.ReplaceAll(unit, command[1], self)
	unit = regexp.MustCompile(`(?m)^Documentation=.*\n`).ReplaceAllString(unit, "") // it is not installed here
	file := filepath.Join(t.TempDir(), "quintet.service")
	if err := os.WriteFile(file, []byte(unit), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), tool, "verify", file).CombinedOutput(); err != nil || strings.Contains(string(out), "quintet.service") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestImage checks the command of the container, and builds it where Docker runs.
func TestImage(t *testing.T) {
	file := packaged(t, "Dockerfile")
	command := regexp.MustCompile(`(?m)^CMD (.*)$`).FindStringSubmatch(file)
	if command == nil {
		t.Fatal("the Dockerfile has no CMD")
	}
	var args []string
	if err := json.Unmarshal([]byte(command[1]), &args); err != nil {
		t.Fatal(err)
	}
	parses(t, args)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	if testing.Short() || exec.CommandContext(ctx, "docker", "info").Run() != nil {
		t.Skip("no Docker")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "quintet-linux-"+runtime.GOARCH), []byte("a program"), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(ctx, "docker", "build", "--quiet", "--build-arg", "TARGETARCH="+runtime.GOARCH, "--file", "-", dir)
	build.Stdin = strings.NewReader(file)
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
