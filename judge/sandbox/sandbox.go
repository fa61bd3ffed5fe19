// Package sandbox keeps programs that nobody has read away from the machine
// that judges them: no network, no processes but their own, no files but a
// folder that they cannot write, an empty one in memory, and the system's
// programs.
//
// [Find] tries what the machine offers, best first, and says what it found. It
// uses bubblewrap where that is installed, and the namespaces of Linux by
// unshare and setpriv otherwise. Limits of time, memory, processes and output
// are those of package process, inside of it.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Folder is where a program finds the folder that it was given, read-only.
const Folder = "/judge"

// Sandbox is a way to run programs.
type Sandbox struct {
	Name string // "bubblewrap", "namespaces" or "none"
	Says string // what it protects, in words

	before func(folder string) []string
}

// None returns the sandbox that protects nothing: limits only.
func None() Sandbox {
	return Sandbox{"none", "limits of time, memory and output only: programs can read and write what you can", nil}
}

// Find returns the best sandbox that works on this machine, or the one that is
// named. The error says what was tried and why it does not work.
func Find(ctx context.Context, name string) (Sandbox, error) {
	var tried []error
	for _, s := range []Sandbox{bubblewrap(), namespaces()} {
		if name != "" && name != s.Name {
			continue
		}
		err := s.try(ctx)
		if err == nil {
			return s, nil
		}
		tried = append(tried, fmt.Errorf("%s: %w", s.Name, err))
	}
	if name == "none" {
		return None(), nil
	}
	return Sandbox{}, fmt.Errorf("no sandbox works here: %w", errors.Join(tried...))
}

// try runs a program that does nothing.
func (s Sandbox) try(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	folder, err := os.MkdirTemp("", "quintet-sandbox-")
	if err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	defer os.RemoveAll(folder)                      //nolint:errcheck // it is empty
	if err := os.Chmod(folder, 0o755); err != nil { //nolint:gosec // the sandbox is another user
		return fmt.Errorf("opening a folder: %w", err)
	}
	args := append(s.Before(folder, 0), "/bin/sh", "-c", "test -d "+Folder)
	said, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput() //nolint:gosec // our own words
	if err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(said)))
	}
	return nil
}

// Before returns the words before a command that run it in the sandbox, with a
// folder to read. Workers that run at the same time have different numbers.
func (s Sandbox) Before(folder string, worker int) []string {
	if s.before == nil {
		return nil
	}
	return append(asNobody(worker), s.before(folder)...)
}

// Inside returns the path by which a program in the sandbox knows a file of its
// folder.
func (s Sandbox) Inside(folder, name string) string {
	if s.before == nil {
		return filepath.Join(folder, name)
	}
	return filepath.Join(Folder, name)
}

// Scratch returns a folder that a program can write: in the sandbox one that is
// gone when the program has ended, without one the folder itself.
func (s Sandbox) Scratch(folder string) string {
	if s.before == nil {
		return folder
	}
	return "/tmp"
}

// asNobody makes the superuser another user, one for each worker: limits on the
// number of processes do not hold for the superuser.
func asNobody(worker int) []string {
	if os.Geteuid() != 0 {
		return nil
	}
	id := strconv.Itoa(61000 + worker)
	return []string{"setpriv", "--reuid=" + id, "--regid=" + id, "--clear-groups", "--"}
}

// room is how many bytes a program may write to files, all in memory.
const room = 16 << 20

func bubblewrap() Sandbox {
	return Sandbox{
		Name: "bubblewrap", Says: "no network, no other processes, no files but a folder to read and 16 MB in memory",
		before: func(folder string) []string {
			size := strconv.Itoa(room)
			args := []string{
				"bwrap", "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "judge",
				"--ro-bind", "/usr", "/usr", "--ro-bind-try", "/etc/alternatives", "/etc/alternatives", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
				"--proc", "/proc", "--dev", "/dev", "--size", size, "--tmpfs", "/tmp", "--size", size, "--tmpfs", "/work",
				"--ro-bind", folder, Folder, "--chdir", "/work",
			}
			for _, dir := range roots() {
				if target, err := os.Readlink(dir); err == nil {
					args = append(args, "--symlink", target, dir)
				} else {
					args = append(args, "--ro-bind", dir, dir)
				}
			}
			// What bubblewrap makes itself is in memory, too, and has no limit of its own.
			return append(args, "--remount-ro", "/dev", "--remount-ro", "/", "--")
		},
	}
}

// roots are the folders of programs and libraries beside /usr.
func roots() (list []string) {
	for _, dir := range []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64"} {
		if _, err := os.Lstat(dir); err == nil {
			list = append(list, dir)
		}
	}
	return list
}

// script builds the view of the machine from a namespace of its own and becomes
// the program, with no privileges left.
const script = `set -e
new=/tmp; folder=$1; shift
mount -t tmpfs -o size=16m,mode=755 tmpfs $new
mkdir -p $new/usr $new/proc $new/dev $new/tmp $new/work $new/judge
mount --bind /usr $new/usr; mount -o remount,bind,ro $new/usr
for d in /bin /sbin /lib /lib32 /lib64; do
	if [ -L $d ]; then ln -s "$(readlink $d)" $new$d
	elif [ -d $d ]; then mkdir $new$d; mount --bind $d $new$d; mount -o remount,bind,ro $new$d; fi
done
mount --bind "$folder" $new/judge; mount -o remount,bind,ro $new/judge
mount -t proc proc $new/proc
for d in null zero urandom; do : > $new/dev/$d; mount --bind /dev/$d $new/dev/$d; done
chmod 777 $new/work $new/tmp
for f in alternatives ld.so.cache; do
	if [ -d /etc/$f ]; then mkdir -p $new/etc/$f; elif [ -e /etc/$f ]; then mkdir -p $new/etc; : > $new/etc/$f; else continue; fi
	mount --bind /etc/$f $new/etc/$f; mount -o remount,bind,ro $new/etc/$f
done
exec chroot $new setpriv --no-new-privs --inh-caps=-all --bounding-set=-all -- /bin/sh -c 'cd /work; exec "$@"' sh "$@"`

func namespaces() Sandbox {
	return Sandbox{
		Name: "namespaces", Says: "no network, no other processes, no files but a folder to read and 16 MB in memory (by unshare)",
		before: func(folder string) []string {
			// The folder may be in /tmp, which the script covers: it is opened first.
			return []string{
				"setpriv", "--pdeathsig", "KILL", "--", // it ends with the judge, however that ends
				"unshare", "--user", "--map-root-user", "--net", "--ipc", "--uts", "--pid", "--fork", "--kill-child", "--mount", "--",
				"/bin/sh", "-c", strings.Replace(script, "new=/tmp; folder=$1", "new=/mnt; folder=$1", 1), "sh", folder,
			}
		},
	}
}
