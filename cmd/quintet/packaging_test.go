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
	return readTop(t, filepath.Join("packaging", name))
}

// readTop reads a file of the repository.
func readTop(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// parses checks that the program accepts a command line.
func parses(t *testing.T, command string, args []string) {
	t.Helper()
	c, rest, err := newRoot().Find(args)
	if err == nil {
		err = c.ParseFlags(rest)
	}
	if err == nil {
		err = c.ValidateArgs(c.Flags().Args())
	}
	if err != nil || c.Name() != command {
		t.Errorf("%q: command %s, %v: want %s", args, c.Name(), err, command)
	}
}

// TestUnits checks the commands of the systemd units, and the units where systemd is.
func TestUnits(t *testing.T) {
	for name, command := range map[string]string{
		"quintet.service": "serve", "quintet-coordinator.service": "coordinator", "quintet-worker.service": "worker",
	} {
		t.Run(name, func(t *testing.T) { checkUnit(t, name, command) })
	}
}

func checkUnit(t *testing.T, name, wanted string) {
	t.Helper()
	unit := packaged(t, name)
	command := regexp.MustCompile(`(?m)^ExecStart=(\S+) (.*)$`).FindStringSubmatch(unit)
	if command == nil {
		t.Fatal("the unit has no ExecStart")
	}
	parses(t, wanted, strings.Fields(command[2]))
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
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(unit), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), tool, "verify", file).CombinedOutput(); err != nil || strings.Contains(string(out), name) {
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
	parses(t, "serve", args)
	if !strings.Contains(file, "\nARG TARGETARCH\n") {
		t.Error("the Dockerfile must not give TARGETARCH a default: it would replace the architecture of the builder")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	if testing.Short() || exec.CommandContext(ctx, "docker", "info").Run() != nil {
		t.Skip("no Docker")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "quintet-linux-"+runtime.GOARCH), []byte("a program"), 0o755); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(ctx, "docker", "build", "--quiet", "--build-arg", "TARGETARCH="+runtime.GOARCH, "--file", "-", dir)
	build.Stdin = strings.NewReader(file)
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
