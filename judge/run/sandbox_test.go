package run_test

import (
	"errors"
	"fmt"
	"net"
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
		if err != nil {
			t.Logf("%s is not on this machine: %v", name, err)
			continue
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		t.Error("nothing was tested: want bubblewrap (apt install bubblewrap), or a system that allows namespaces")
	}
	return list
}

// limits are those of the hostile programs. Time is ample: the machine may be
// busy.
var limits = run.Limits{CPU: time.Second, Wall: time.Minute, Memory: 256 << 20, Output: 64 << 10, FileSize: 1 << 20, Files: 64, Processes: 24}

// run runs a script of the shell in a sandbox, under limits.
func runScript(t *testing.T, s run.Sandbox, script string, l run.Limits) run.Outcome {
	t.Helper()
	folder, err := s.MkdirTemp(0)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	p := s.Program(folder, 0, l, "/bin/sh", "-c", script)
	return p.Run(t.Context(), []string{"1"}, 1<<20)
}

// TestHostilePrograms runs programs that mean harm in every sandbox of the machine: each
// prints how it fared.
func TestHostilePrograms(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err := errors.Join(err, os.WriteFile(secret, []byte("the answers"), 0o644)); err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	victim := exec.CommandContext(t.Context(), "sleep", "1000")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	perl := func(code string) string { return "perl -MSocket -e '" + code + "' 2>/dev/null || echo no" }
	tries := []struct{ name, script, want string }{
		{"says hello", "echo hello", "hello\n"},
		{"reads its input", "read x; echo $x", "1\n"},
		{"reads a file of the judge", "cat " + secret + " 2>/dev/null || echo no", "no\n"},
		{"reads what only the superuser may", "cat /etc/shadow 2>/dev/null || echo no", "no\n"},
		{"lists homes and users", "ls /home /root /etc/passwd 2>/dev/null || echo no", "no\n"},
		{"lists temporary files", "ls -A /tmp /work | grep -v fstab | tr -d '\\n'", "/tmp:/work:"},
		{"writes to the system", "touch /usr/bin/quintet-hostile 2>/dev/null || echo no", "no\n"},
		{"writes to its folder", "touch /judge/hostile 2>/dev/null || echo no", "no\n"},
		{"deletes files", "rm -rf " + filepath.Dir(secret) + " 2>/dev/null; echo done", "done\n"},
		{"connects to the machine", perl(fmt.Sprintf(`socket(S, PF_INET, SOCK_STREAM, 0); connect(S, sockaddr_in(%d, inet_aton("127.0.0.1"))) or die; print "yes\n"`, port)), "no\n"},
		{"sees the network", "grep -c : /proc/net/dev", "1\n"},
		{"sees processes", fmt.Sprintf("test -e /proc/%d/cmdline && grep -q sleep /proc/%d/cmdline && echo yes || echo no", victim.Process.Pid, victim.Process.Pid), "no\n"},
		{"reads environments", "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -c QUINTET", "0\n"},
		{"signals processes", fmt.Sprintf("trap '' TERM; kill -9 %d 2>/dev/null; kill -TERM -1 2>/dev/null; echo done", victim.Process.Pid), "done\n"},
		{"debugs processes", perl(fmt.Sprintf(`syscall(101, 16, %d, 0, 0) == 0 or die; print "yes\n"`, victim.Process.Pid)), "no\n"}, // PTRACE_ATTACH, on amd64
		{"makes a namespace", "unshare --user --map-root-user true 2>/dev/null || echo no", "no\n"},
		{"mounts", "mount -t tmpfs tmpfs /work 2>/dev/null || echo no", "no\n"},
		{"changes settings of the system", "for f in core_pattern hostname; do test -w /proc/sys/kernel/$f || echo no; done", "no\nno\n"},
		{"devices", "echo x > /dev/null; head -c 3 /dev/urandom | wc -c", "3\n"},
		{"opens the disk", "ls /dev/[hsv]d* /dev/nvme* /dev/mem 2>/dev/null || echo no", "no\n"},
	}
	for _, s := range found(t) {
		for _, test := range tries {
			if out := runScript(t, s, test.script, limits); out.Output != test.want {
				t.Errorf("%s, %s: %q (%+v), want %q", s.Name, test.name, out.Output, out, test.want)
			}
		}
		for _, test := range greedy {
			l := limits
			if test.name == "fork bomb" { // which only this ends
				l.Wall = time.Second
			}
			if out := runScript(t, s, test.script, l); !test.right(out) {
				t.Errorf("%s, %s: %+v", s.Name, test.name, out)
			}
		}
	}
	if text, err := os.ReadFile(secret); err != nil || string(text) != "the answers" {
		t.Errorf("%q, %v, want the file as it was", text, err)
	}
	if err := victim.Process.Kill(); err != nil {
		t.Errorf("the process of somebody else has ended: %v", err)
	}
	_ = victim.Wait()
}

// greedy are programs that use as many resources as they can.
var greedy = []struct {
	name, script string
	right        func(run.Outcome) bool
}{
	{"fork bomb", "f() { f | f & }; f; sleep 30", func(o run.Outcome) bool { return o.Ending != run.Failed }}, // the test survives
	{"endless output", "yes", func(o run.Outcome) bool { return o.Ending == run.OutputExceeded }},
	{"ignores signals", "trap '' TERM INT HUP XCPU; while :; do :; done", func(o run.Outcome) bool { return o.Ending == run.TimedOut }},
	{"is stopped by a signal", "kill -SEGV $$", func(o run.Outcome) bool {
		return o.Ending == run.Crashed && o.Signal == "SIGSEGV" && o.Errors == ""
	}},
	{"fills the disk", "for d in /work /tmp /; do for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do head -c 1000000 /dev/zero > $d/f$i; done; done 2>/dev/null; " +
		"cat /work/f* /tmp/f* /f* 2>/dev/null | wc -c", func(o run.Outcome) bool {
		n := 0
		_, err := fmt.Sscan(o.Output, &n)
		return err == nil && n > 1<<20 && n <= 2*16<<20
	}},
	{"fills memory by files", "for d in /dev /dev/shm /run /var /judge /proc; do head -c 500000 /dev/zero > $d/f && echo $d; done 2>/dev/null", func(o run.Outcome) bool {
		return o.Output == "" || o.Output == "/dev\n" // which is one of the 16 MB
	}},
}

// TestSystemVMemory allocates System V shared memory, which belongs to no process and
// escapes the limits.
func TestSystemVMemory(t *testing.T) {
	const script = `perl -e 'for (1..4) { defined shmget(0, 1 << 20, 01600) or die } print "yes\n"' 2>/dev/null || echo no`
	for _, s := range found(t) {
		if out := runScript(t, s, script, limits); out.Output != "no\n" {
			t.Errorf("%s: %+v", s.Name, out)
		}
	}
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
	if _, err := run.FindSandbox(t.Context(), "box"); err == nil || err.Error() != `sandbox "box": give bubblewrap, namespaces or none` {
		t.Error(err)
	}
}
