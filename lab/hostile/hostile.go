// Package hostile has malicious programs for the tests of sandboxes: shell scripts, and [Source] for what a shell
// cannot do.
package hostile

import (
	_ "embed" // the source
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"quintet/judge/run"
)

// Source is a program in C++ that scripts call as /judge/program. Its argument chooses what it does.
//
//go:embed testdata/hostile.cpp
var Source string

// Program is a malicious program.
type Program struct {
	Name, Script string
	Want         string                 // its output in a sandbox
	Right        func(run.Outcome) bool // instead of Want
}

// Secrets are what hostile programs try to reach.
type Secrets struct {
	File   string
	Port   int // on this machine
	Victim int // a process
}

// left is the argument of a process that a program leaves behind.
const left = "98765.4321"

// Running reports whether a process that a program left behind is running on this machine.
func Running() bool {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		if text, _ := os.ReadFile(file); strings.Contains(string(text), "\x00"+left+"\x00") { //nolint:gosec // of the system
			return true
		}
	}
	return false
}

// Curious returns programs that try to leave the sandbox.
func Curious(s Secrets) []Program {
	return []Program{
		{Name: "says hello", Script: "echo hello", Want: "hello\n"},
		{Name: "reads its input", Script: "read x; echo $x", Want: "1\n"},
		{Name: "runs interpreters", Script: "perl -e 'print 1'; python3 -c 'print(1, end=\"\")'; node -e 'console.log(1)'", Want: "111\n"},
		{Name: "reads a file of the judge", Script: "cat " + s.File + " 2>/dev/null || echo no", Want: "no\n"},
		{Name: "reads what only the superuser may", Script: "cat /etc/shadow 2>/dev/null || echo no", Want: "no\n"},
		{Name: "lists homes and users", Script: "ls /home /root /etc/passwd 2>/dev/null || echo no", Want: "no\n"},
		{Name: "lists temporary files", Script: "ls -A /tmp /work | grep -v fstab | tr -d '\\n'", Want: "/tmp:/work:"},
		{Name: "writes to the system", Script: "touch /usr/bin/quintet-hostile 2>/dev/null || echo no", Want: "no\n"},
		{Name: "writes to its folder", Script: "touch /judge/hostile 2>/dev/null || echo no", Want: "no\n"},
		{Name: "deletes files", Script: "rm -rf " + filepath.Dir(s.File) + " 2>/dev/null; echo done", Want: "done\n"},
		{Name: "connects to the machine", Script: "bash -c 'echo > /dev/tcp/127.0.0.1/" + strconv.Itoa(s.Port) + "' 2>/dev/null && echo yes || echo no", Want: "no\n"},
		{Name: "sees the network", Script: "grep -c : /proc/net/dev", Want: "1\n"},
		{Name: "opens sockets", Script: "/judge/program sockets", Want: "done\n"},
		{Name: "makes system calls", Script: "/judge/program calls", Want: "done\n"},
		{Name: "reads names of keys", Script: "grep quintet /proc/keys || echo no", Want: "no\n"},
		{Name: "sees processes", Script: fmt.Sprintf("test -e /proc/%d/cmdline && grep -q sleep /proc/%d/cmdline && echo yes || echo no", s.Victim, s.Victim), Want: "no\n"},
		{Name: "reads environments", Script: "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -c QUINTET", Want: "0\n"},
		{Name: "signals processes", Script: fmt.Sprintf("trap '' TERM; kill -9 %d $PPID 1 2>/dev/null; kill -TERM -1 2>/dev/null; echo done", s.Victim), Want: "done\n"},
		{Name: "leaves a process behind", Script: "(setsid sleep " + left + " > /dev/null 2>&1 < /dev/null &); echo done", Want: "done\n"},
		{Name: "makes a namespace", Script: "unshare --user --map-root-user true 2>/dev/null || unshare --mount true 2>/dev/null || echo no", Want: "no\n"},
		{Name: "mounts", Script: "mount -t tmpfs tmpfs /work 2>/dev/null || echo no", Want: "no\n"},
		{Name: "changes settings of the system", Script: "for f in core_pattern hostname; do test -w /proc/sys/kernel/$f || echo no; done", Want: "no\nno\n"},
		{Name: "devices", Script: "echo x > /dev/null; head -c 3 /dev/urandom | wc -c", Want: "3\n"},
		{Name: "opens the disk", Script: "ls /dev/[hsv]d* /dev/nvme* /dev/mem 2>/dev/null || echo no", Want: "no\n"},
		{Name: "has privileges", Script: "grep -E '^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs)' /proc/self/status | tr -d '\\n\\t'",
			Want: "CapInh:0000000000000000CapPrm:0000000000000000CapEff:0000000000000000CapBnd:0000000000000000CapAmb:0000000000000000NoNewPrivs:1"},
	}
}

// Greedy returns programs that use as many resources as they can.
func Greedy() []Program {
	between := func(low, high int) func(run.Outcome) bool {
		return func(o run.Outcome) bool {
			n := 0
			_, err := fmt.Sscan(o.Output, &n)
			return err == nil && n >= low && n <= high
		}
	}
	ends := func(e run.Ending) func(run.Outcome) bool { return func(o run.Outcome) bool { return o.Ending == e } }
	return []Program{
		{Name: "forks without end", Script: "f() { f | f & }; f; sleep 30", Right: func(o run.Outcome) bool { return o.Ending != run.Failed }}, // the test survives
		{Name: "prints without end", Script: "yes", Right: ends(run.OutputExceeded)},
		{Name: "prints errors without end", Script: "yes >&2", Right: ends(run.TimedOut)},
		{Name: "ignores signals", Script: "trap '' TERM INT HUP XCPU; while :; do :; done", Right: ends(run.TimedOut)},
		{Name: "is stopped by a signal", Script: "kill -SEGV $$", Right: func(o run.Outcome) bool {
			return o.Ending == run.Crashed && o.Signal == "SIGSEGV" && o.Errors == ""
		}},
		{Name: "fills the disk", Script: "for d in /work /tmp /; do for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do yes | head -c 1000000 > $d/f$i; done; done 2>/dev/null; " +
			"cat /work/f* /tmp/f* /f* 2>/dev/null | wc -c", Right: between(1<<20, 2*16<<20)},
		{Name: "fills memory by files", Script: "for d in /dev /dev/shm /run /var /judge /proc; do yes | head -c 500000 > $d/f && echo $d; done 2>/dev/null", Right: func(o run.Outcome) bool {
			return o.Output == "" || o.Output == "/dev\n" // which is one of the 16 MB
		}},
		{Name: "fills files without a name", Script: "/judge/program unlinked", Right: between(1, 2*16)},
		{Name: "fills buffers of sockets", Script: "/judge/program buffers", Right: between(1, 64*256>>10)},
		{Name: "shares memory", Script: "/judge/program mappings", Want: "done\n"},
		{Name: "fills page tables", Script: "/judge/program tables", Right: func(o run.Outcome) bool {
			return o.OutOfMemory || o.Status == 128+9 // on a busy machine the kernel's limit of processor time comes first
		}},
	}
}
