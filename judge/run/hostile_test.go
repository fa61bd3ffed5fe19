//go:build linux

package run_test

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"quintet/lab/await"
	"quintet/lab/hostile"
)

// hostileProgram names, in the environment of a process of TestHostilePrograms, what
// hostile.Source was compiled to.
const hostileProgram = "QUINTET_HOSTILE"

// TestHostilePrograms runs programs that mean harm in every sandbox of the machine, as this user
// and as root also as another one. The judge is a process with a key in its session keyring.
func TestHostilePrograms(t *testing.T) {
	if program := os.Getenv(hostileProgram); program != "" {
		runHostile(t, program)
		return
	}
	dir := filepath.Dir(t.TempDir()) // which only its owner may enter
	binary, program := filepath.Join(dir, "test"), filepath.Join(dir, "hostile")
	self, err := os.ReadFile(os.Args[0])
	if err := errors.Join(err, os.Chmod(dir, 0o755), os.WriteFile(binary, self, 0o755)); err != nil {
		t.Fatal(err)
	}
	source := program + ".cpp"
	if err := os.WriteFile(source, []byte(hostile.Source), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "g++", "-O0", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	users := []int{os.Getuid()}
	if os.Getuid() == 0 {
		users = append(users, 60999)
	}
	runtime.LockOSThread() // until the test ends, and the thread with its keyring
	_, err = unix.KeyctlInt(unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0)
	key, err2 := unix.AddKey("user", "quintet-canary", []byte("the answers"), unix.KEY_SPEC_SESSION_KEYRING)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	for _, user := range users {
		own := filepath.Join(dir, strconv.Itoa(user))
		const forHolders = 0x3f << 24 // of the keyring, not for all processes of its owner
		_, err := unix.KeyctlInt(unix.KEYCTL_CHOWN, key, user, user, 0)
		err2 := unix.KeyctlSetperm(key, forHolders)
		if err := errors.Join(err, err2, os.Mkdir(own, 0o700), os.Chown(own, user, user)); err != nil {
			t.Fatal(err)
		}
		c := exec.CommandContext(t.Context(), binary, "-test.run=^TestHostilePrograms$", "-test.v")
		c.Env = append(os.Environ(), hostileProgram+"="+program, "TMPDIR="+own)
		if user != os.Getuid() {
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(user), Gid: uint32(user)}}
		}
		if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestHostilePrograms") {
			t.Errorf("as user %d: %v\n%s", user, err, out)
		}
	}
}

// runHostile runs the programs. Each prints how it fared.
func runHostile(t *testing.T, program string) {
	t.Helper()
	s := hostile.Secrets{File: filepath.Join(t.TempDir(), "secret")}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err := errors.Join(err, os.WriteFile(s.File, []byte("the answers"), 0o644)); err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	s.Port = listener.Addr().(*net.TCPAddr).Port
	victim := exec.CommandContext(t.Context(), "sleep", "1000")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	s.Victim = victim.Process.Pid
	if keys, err := os.ReadFile("/proc/keys"); err != nil || !strings.Contains(string(keys), "quintet-canary") {
		t.Errorf("the judge has no key that programs could find (%v): %s", err, keys)
	}
	for _, box := range found(t) {
		for _, test := range append(hostile.Curious(s), hostile.Greedy()...) {
			l := limits
			if test.Name == "forks without end" || test.Name == "prints errors without end" { // which use little time themselves
				l.Wall = time.Second
			}
			out := runScript(t, box, test.Script, l, program)
			if test.Right != nil && !test.Right(out) || test.Right == nil && out.Output != test.Want {
				t.Errorf("%s, %s: %q (%+v), want %q", box.Name, test.Name, out.Output, out, test.Want)
			}
		}
		await.Until(t, "the end of the processes that were left behind", func() bool { return !hostile.Running() })
	}
	if text, err := os.ReadFile(s.File); err != nil || string(text) != "the answers" {
		t.Errorf("%q, %v, want the file as it was", text, err)
	}
	if err := victim.Process.Kill(); err != nil {
		t.Errorf("the process of somebody else has ended: %v", err)
	}
	_ = victim.Wait()
}
