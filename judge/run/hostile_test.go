//go:build linux

package run_test

import (
	"errors"
	"fmt"
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

	"quintet/judge/run"
	"quintet/lab/await"
)

// hostileProgram names, in the environment of a process of TestHostilePrograms, what
// testdata/hostile.cpp was compiled to.
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
	if out, err := exec.CommandContext(t.Context(), "g++", "-O0", "-o", program, "testdata/hostile.cpp").CombinedOutput(); err != nil {
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

// hostile is a program that means harm.
type hostile struct {
	name, script string
	want         string                 // its output
	right        func(run.Outcome) bool // instead of want
}

// secrets are what hostile programs try to reach.
type secrets struct {
	file   string
	port   int // on this machine
	victim int // a process
}

// runHostile runs the programs. Each prints how it fared.
func runHostile(t *testing.T, program string) {
	t.Helper()
	s := secrets{file: filepath.Join(t.TempDir(), "secret")}
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err := errors.Join(err, os.WriteFile(s.file, []byte("the answers"), 0o644)); err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	s.port = listener.Addr().(*net.TCPAddr).Port
	victim := exec.CommandContext(t.Context(), "sleep", "1000")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	s.victim = victim.Process.Pid
	if keys, err := os.ReadFile("/proc/keys"); err != nil || !strings.Contains(string(keys), "quintet-canary") {
		t.Errorf("the judge has no key that programs could find (%v): %s", err, keys)
	}
	for _, box := range found(t) {
		for _, test := range append(curious(s), greedy()...) {
			l := limits
			if test.name == "forks without end" || test.name == "prints errors without end" { // which use little time themselves
				l.Wall = time.Second
			}
			out := runScript(t, box, test.script, l, program)
			if test.right != nil && !test.right(out) || test.right == nil && out.Output != test.want {
				t.Errorf("%s, %s: %q (%+v), want %q", box.Name, test.name, out.Output, out, test.want)
			}
		}
		await.Until(t, "the end of the processes that were left behind", func() bool { return !running("98765.4321") })
	}
	if text, err := os.ReadFile(s.file); err != nil || string(text) != "the answers" {
		t.Errorf("%q, %v, want the file as it was", text, err)
	}
	if err := victim.Process.Kill(); err != nil {
		t.Errorf("the process of somebody else has ended: %v", err)
	}
	_ = victim.Wait()
}

// running reports whether a process of the machine has a word in its command line.
func running(word string) bool {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		if text, _ := os.ReadFile(file); strings.Contains(string(text), "\x00"+word+"\x00") {
			return true
		}
	}
	return false
}

// curious are programs that try to leave the sandbox.
func curious(s secrets) []hostile {
	return []hostile{
		{name: "says hello", script: "echo hello", want: "hello\n"},
		{name: "reads its input", script: "read x; echo $x", want: "1\n"},
		{name: "runs interpreters", script: "perl -e 'print 1'; python3 -c 'print(1, end=\"\")'; node -e 'console.log(1)'", want: "111\n"},
		{name: "reads a file of the judge", script: "cat " + s.file + " 2>/dev/null || echo no", want: "no\n"},
		{name: "reads what only the superuser may", script: "cat /etc/shadow 2>/dev/null || echo no", want: "no\n"},
		{name: "lists homes and users", script: "ls /home /root /etc/passwd 2>/dev/null || echo no", want: "no\n"},
		{name: "lists temporary files", script: "ls -A /tmp /work | grep -v fstab | tr -d '\\n'", want: "/tmp:/work:"},
		{name: "writes to the system", script: "touch /usr/bin/quintet-hostile 2>/dev/null || echo no", want: "no\n"},
		{name: "writes to its folder", script: "touch /judge/hostile 2>/dev/null || echo no", want: "no\n"},
		{name: "deletes files", script: "rm -rf " + filepath.Dir(s.file) + " 2>/dev/null; echo done", want: "done\n"},
		{name: "connects to the machine", script: "bash -c 'echo > /dev/tcp/127.0.0.1/" + strconv.Itoa(s.port) + "' 2>/dev/null && echo yes || echo no", want: "no\n"},
		{name: "sees the network", script: "grep -c : /proc/net/dev", want: "1\n"},
		{name: "opens sockets", script: "/judge/program sockets", want: "done\n"},
		{name: "makes system calls", script: "/judge/program calls", want: "done\n"},
		{name: "reads names of keys", script: "grep quintet /proc/keys || echo no", want: "no\n"},
		{name: "sees processes", script: fmt.Sprintf("test -e /proc/%d/cmdline && grep -q sleep /proc/%d/cmdline && echo yes || echo no", s.victim, s.victim), want: "no\n"},
		{name: "reads environments", script: "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -c QUINTET", want: "0\n"},
		{name: "signals processes", script: fmt.Sprintf("trap '' TERM; kill -9 %d $PPID 1 2>/dev/null; kill -TERM -1 2>/dev/null; echo done", s.victim), want: "done\n"},
		{name: "leaves a process behind", script: "(setsid sleep 98765.4321 > /dev/null 2>&1 < /dev/null &); echo done", want: "done\n"},
		{name: "makes a namespace", script: "unshare --user --map-root-user true 2>/dev/null || unshare --mount true 2>/dev/null || echo no", want: "no\n"},
		{name: "mounts", script: "mount -t tmpfs tmpfs /work 2>/dev/null || echo no", want: "no\n"},
		{name: "changes settings of the system", script: "for f in core_pattern hostname; do test -w /proc/sys/kernel/$f || echo no; done", want: "no\nno\n"},
		{name: "devices", script: "echo x > /dev/null; head -c 3 /dev/urandom | wc -c", want: "3\n"},
		{name: "opens the disk", script: "ls /dev/[hsv]d* /dev/nvme* /dev/mem 2>/dev/null || echo no", want: "no\n"},
		{name: "has privileges", script: "grep -E '^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs)' /proc/self/status | tr -d '\\n\\t'",
			want: "CapInh:0000000000000000CapPrm:0000000000000000CapEff:0000000000000000CapBnd:0000000000000000CapAmb:0000000000000000NoNewPrivs:1"},
	}
}

// greedy are programs that use as many resources as they can.
func greedy() []hostile {
	between := func(low, high int) func(run.Outcome) bool {
		return func(o run.Outcome) bool {
			n := 0
			_, err := fmt.Sscan(o.Output, &n)
			return err == nil && n >= low && n <= high
		}
	}
	ends := func(e run.Ending) func(run.Outcome) bool { return func(o run.Outcome) bool { return o.Ending == e } }
	return []hostile{
		{name: "forks without end", script: "f() { f | f & }; f; sleep 30", right: func(o run.Outcome) bool { return o.Ending != run.Failed }}, // the test survives
		{name: "prints without end", script: "yes", right: ends(run.OutputExceeded)},
		{name: "prints errors without end", script: "yes >&2", right: ends(run.TimedOut)},
		{name: "ignores signals", script: "trap '' TERM INT HUP XCPU; while :; do :; done", right: ends(run.TimedOut)},
		{name: "is stopped by a signal", script: "kill -SEGV $$", right: func(o run.Outcome) bool {
			return o.Ending == run.Crashed && o.Signal == "SIGSEGV" && o.Errors == ""
		}},
		{name: "fills the disk", script: "for d in /work /tmp /; do for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do yes | head -c 1000000 > $d/f$i; done; done 2>/dev/null; " +
			"cat /work/f* /tmp/f* /f* 2>/dev/null | wc -c", right: between(1<<20, 2*16<<20)},
		{name: "fills memory by files", script: "for d in /dev /dev/shm /run /var /judge /proc; do yes | head -c 500000 > $d/f && echo $d; done 2>/dev/null", right: func(o run.Outcome) bool {
			return o.Output == "" || o.Output == "/dev\n" // which is one of the 16 MB
		}},
		{name: "fills files without a name", script: "/judge/program unlinked", right: between(1, 2*16)},
		{name: "fills buffers of sockets", script: "/judge/program buffers", right: between(1, 64*256>>10)},
		{name: "shares memory", script: "/judge/program mappings", want: "done\n"},
		{name: "fills page tables", script: "/judge/program tables", right: func(o run.Outcome) bool {
			return o.OutOfMemory || o.Status == 128+9 // on a busy machine the kernel's limit of processor time comes first
		}},
	}
}
