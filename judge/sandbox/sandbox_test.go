package sandbox_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"quintet/judge/process"
	"quintet/judge/sandbox"
)

// TestHostile runs programs that mean harm in every sandbox of the machine.
func TestHostile(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("the answers"), 0o644); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range []string{"bubblewrap", "namespaces"} {
		s, err := sandbox.Find(t.Context(), name)
		if err != nil {
			t.Logf("%s is not on this machine: %v", name, err)
			continue
		}
		found++
		for _, test := range []struct {
			name, script string
			right        func(process.Outcome) bool
		}{
			{"says hello", "echo hello", func(o process.Outcome) bool { return o.Output == "hello\n" && o.Ending == process.Exited }},
			{"waits", "read x; read y", func(o process.Outcome) bool { return o.EOF || o.Ending == process.Waiting }},
			{"reads a file of the judge", "cat " + secret, func(o process.Outcome) bool { return !strings.Contains(o.Output, "answers") }},
			{"deletes files", "rm -rf " + filepath.Dir(secret) + " 2>/dev/null; echo done", func(process.Outcome) bool {
				text, err := os.ReadFile(secret)
				return err == nil && string(text) == "the answers"
			}},
			{"writes to the system", "touch /usr/bin/quintet-hostile /etc/quintet-hostile 2>/dev/null; echo done", func(process.Outcome) bool {
				_, err := os.Stat("/usr/bin/quintet-hostile")
				_, err2 := os.Stat("/etc/quintet-hostile")
				return os.IsNotExist(err) && os.IsNotExist(err2)
			}},
			{"reads memory of others", "ls /proc | grep -c '^[0-9]'; cat /proc/*/environ", func(o process.Outcome) bool { return !strings.Contains(o.Output, "QUINTET") }},
			{"sees the network", "cat /proc/net/dev | grep -c ':'", func(o process.Outcome) bool { return strings.TrimSpace(o.Output) == "1" }},
			{"fork bomb", "f() { f | f & }; f; sleep 30", func(o process.Outcome) bool { return o.Elapsed < 20*time.Second }},
			{"endless output", "yes", func(o process.Outcome) bool { return o.Ending == process.Flooded }},
			{"ignores signals", "trap '' TERM INT HUP XCPU; while :; do :; done", func(o process.Outcome) bool { return o.Ending == process.Late && o.Elapsed < 20*time.Second }},
			{"fills the disk", "for i in 1 2 3 4 5 6 7 8 9; do head -c 9000000 /dev/zero > /work/f$i; done; du -s /work | cut -f1", func(o process.Outcome) bool {
				return len(strings.TrimSpace(o.Output)) <= 5
			}},
			{"fills memory by files", "for d in / /dev /dev/shm /run /var /judge; do for i in 1 2 3 4 5 6; do head -c 500000 /dev/zero > $d/f$i; done; done 2>/dev/null; " +
				"cat /f? /dev/f? /dev/shm/f? 2>/dev/null | wc -c", func(o process.Outcome) bool {
				n, err := strconv.Atoi(strings.TrimSpace(o.Output))
				return err == nil && (n == 0 || name == "namespaces" && n <= 16<<20) // there / is one of the 16 MB
			}},
			{"devices", "echo x > /dev/null; head -c 3 /dev/urandom | wc -c", func(o process.Outcome) bool { return o.Output == "3\n" }},
		} {
			folder := t.TempDir()
			for _, dir := range []string{folder, filepath.Dir(folder)} {
				if err := os.Chmod(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			limits := process.Limits{CPU: time.Second, Wall: 2 * time.Second, Memory: 256 << 20, Output: 64 << 10, FileSize: 1 << 20, Files: 64, Processes: 24}
			p := process.Program{Args: []string{"/bin/sh", "-c", test.script}, Limits: limits, Before: s.Before(folder, 0)}
			if out := p.Run(t.Context(), []string{"1"}, 1); !test.right(out) {
				t.Errorf("%s, %s: %+v", name, test.name, out)
			}
		}
	}
	if found == 0 {
		t.Error("nothing was tested: want bubblewrap (apt install bubblewrap), or a system that allows namespaces")
	}
}
