package run_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quintet/judge/run"
)

// found lists the sandboxes of this machine.
func found(t *testing.T) (list []run.Sandbox) {
	t.Helper()
	for _, name := range []string{"bubblewrap", "namespaces"} {
		s, err := run.FindSandbox(t.Context(), name)
		switch _, missing := exec.LookPath("bwrap"); {
		case err != nil && name == "bubblewrap" && missing != nil:
			t.Error("bubblewrap was not tested: make tools installs it")
			continue
		case err != nil:
			t.Logf("%s does not work on this machine: %v", name, err)
			continue
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		t.Error("nothing was tested: want a system that allows bubblewrap or namespaces")
	}
	return list
}

// limits are those of the hostile programs. Time is ample: the machine may be
// busy.
var limits = run.Limits{CPU: time.Second, Wall: time.Minute, Memory: 256 << 20, Output: 64 << 10, FileSize: 1 << 20, Files: 64, Processes: 24}

// runScript runs a script of the shell in a sandbox, under limits. Files are copied to its folder.
func runScript(t *testing.T, s run.Sandbox, script string, l run.Limits, files ...string) run.Outcome {
	t.Helper()
	folder, err := s.MkdirTemp(0)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	for _, file := range files {
		if err := run.CopyProgram(folder, file); err != nil {
			t.Fatal(err)
		}
	}
	p := s.Program(folder, 0, l, "/bin/sh", "-c", script)
	return p.Run(t.Context(), []string{"1"}, 1<<20)
}

// TestPrivateFolder checks that the sandboxes work, and protect, if temporary files are
// private and folders have odd names.
func TestPrivateFolder(t *testing.T) {
	private := filepath.Join(t.TempDir(), "a b\\c,d:e")
	if err := os.MkdirAll(private, 0o700); err != nil {
		t.Fatal(err)
	}
	names := found(t)
	t.Setenv("TMPDIR", private)
	for _, before := range names {
		s, err := run.FindSandbox(t.Context(), before.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		if out := runScript(t, s, "cat /etc/shadow 2>/dev/null || echo no", limits); out.Output != "no\n" {
			t.Errorf("%s: %+v", s.Name, out)
		}
	}
	if left, err := os.ReadDir(private); err != nil || len(left) > 0 {
		t.Errorf("%v is left (%v)", left, err)
	}
}

// TestNoSandbox checks that one line says why there is no sandbox.
func TestNoSandbox(t *testing.T) {
	folder := t.TempDir()
	if err := os.Chmod(filepath.Dir(folder), 0o755); err != nil { // as root, sandboxes start as another user
		t.Fatal(err)
	}
	for _, name := range []string{"setpriv", "unshare", "bwrap"} {
		text := "#!/bin/sh\necho " + name + ": Operation not >&2\necho permitted >&2\nexit 1\n"
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", folder)
	s, err := run.FindSandbox(t.Context(), "")
	if err == nil || s.Protects() || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "Operation not permitted; namespaces: ") {
		t.Errorf("%v, %v", s.Name, err)
	}
	if _, err := run.FindSandbox(t.Context(), "box"); err == nil || err.Error() != `sandbox "box": give bubblewrap, namespaces, container or none` {
		t.Error(err)
	}
}

// TestDefaultProcesses shows that a sandbox limits processes even if nobody asks for it.
func TestDefaultProcesses(t *testing.T) {
	for _, box := range found(t) {
		l := limits
		l.Processes = 0
		out := runScript(t, box, "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36; do sleep 5 & done; echo started all", l)
		if strings.Contains(out.Output, "started all") || !strings.Contains(strings.ToLower(out.Errors), "fork") {
			t.Errorf("%s: %q, %q, want an error of fork", box.Name, out.Output, out.Errors)
		}
	}
}
