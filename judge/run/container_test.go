package run_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/judge/run"
)

// inContainer returns a program of a container that runs a script of the shell.
func inContainer(t *testing.T, l run.Limits, script string) run.Program {
	t.Helper()
	s, err := run.FindSandbox(t.Context(), "container")
	if err != nil {
		t.Fatal(err)
	}
	folder, err := s.MkdirTemp(7)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return s.Program(folder, 7, l, "/bin/sh", "-c", script)
}

// TestContainer checks what a container still denies: the network, other people's files, more
// processes than allowed, and running on. Each script prints "yes" if it gets what it asks for.
func TestContainer(t *testing.T) {
	private := filepath.Join(t.TempDir(), "results.json")
	if err := os.WriteFile(private, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	scripts := map[string]string{
		"network":   `/usr/bin/python3 -c 'import socket; socket.socket(); print("yes")' 2>/dev/null`,
		"processes": `for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do sleep 5 & done 2>/dev/null && echo yes`,
	}
	if os.Geteuid() == 0 {
		scripts["files"] = "echo 1 > '" + private + "' && echo yes; cat '" + private + "' && echo yes"
	}
	for name, script := range scripts {
		p := inContainer(t, limits, script+"; echo end")
		if out := p.Run(t.Context(), nil, 1<<20); strings.Contains(out.Output, "yes") || name != "processes" && out.Output != "end\n" {
			t.Errorf("%s: %+v", name, out)
		}
	}
	p := inContainer(t, limits, "echo 1 > a && cat a && pwd")
	if out := p.Run(t.Context(), nil, 1<<20); !strings.HasPrefix(out.Output, "1\n") || !strings.HasSuffix(out.Output, "/scratch\n") {
		t.Errorf("its folder: %+v", out)
	}
}

// TestContainerKills checks that no process of a program outlives it, even in a session of its own.
func TestContainerKills(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can tell the processes of programs from its own")
	}
	sleep := fmt.Sprintf("sleep 4242.%d", os.Getpid()) // by no other test
	p := inContainer(t, limits, "setsid "+sleep+" & sleep 0.1; echo end")
	if out := p.Run(context.Background(), nil, 1<<20); out.Output != "end\n" {
		t.Errorf("%+v", out)
	}
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && strings.HasPrefix(string(text), strings.Replace(sleep, " ", "\x00", 1)) {
			t.Errorf("%s still runs", file)
		}
	}
}
