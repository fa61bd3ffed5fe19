package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// SandboxFolder is where a program finds the folder that it was given, read-only.
const SandboxFolder = "/judge"

// Sandbox is a way to run programs.
type Sandbox struct {
	Name       string // "bubblewrap", "namespaces" or "none"
	Protection string // what it protects, in words

	base   string                       // where folders are made; "" is the system's usual place
	before func(folder string) []string // the words before a command; nil where nothing is protected
	filter []byte                       // that these read at descriptor 3; nil for none
}

// NoSandbox returns the sandbox that protects nothing.
func NoSandbox() Sandbox {
	return Sandbox{Name: "none", Protection: "limits of time, memory and output only: programs can read, change and send away whatever you can"}
}

// Protects reports whether programs are kept from the machine.
func (s Sandbox) Protects() bool { return s.before != nil }

// FindSandbox returns the best sandbox that works on this machine, or the one that is
// named. The error, of one line, says what was tried and why it does not work.
func FindSandbox(ctx context.Context, name string) (Sandbox, error) {
	if name == "none" {
		return NoSandbox(), nil
	}
	var tried []string
	for _, s := range []Sandbox{bubblewrap(), namespaces()} {
		if name != "" && name != s.Name {
			continue
		}
		var first error // of the usual place
		for _, s.base = range bases() {
			err := s.try(ctx)
			if err == nil {
				return s, nil
			}
			first = cmp.Or(first, err)
		}
		tried = append(tried, s.Name+": "+strings.Join(strings.Fields(first.Error()), " "))
	}
	if tried == nil {
		return Sandbox{}, fmt.Errorf("sandbox %q: want bubblewrap, namespaces or none", name)
	}
	return Sandbox{}, errors.New("no sandbox works here (" + strings.Join(tried, "; ") + ")")
}

// bases lists the folders in which folders for a sandbox can be made. The
// superuser's programs run as another user, who may not be able to enter a
// private temporary folder.
func bases() []string {
	if os.Geteuid() != 0 {
		return []string{os.TempDir()}
	}
	return []string{os.TempDir(), "/tmp", "/var/tmp", "/dev/shm"}
}

// probe checks from inside that the sandbox protects: its argument is the path
// of the folder outside.
const probe = `#!/bin/sh
test ! -e "$1" && test ! -e /etc/passwd && test ! -w ` + SandboxFolder + ` && test "$(grep -c : /proc/net/dev)" = 1`

// try runs the probe in the sandbox.
func (s Sandbox) try(ctx context.Context) error {
	folder, err := s.MkdirTemp(0)
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // what is left is the system's to clean up
	file := filepath.Join(folder, "probe")
	if err := errors.Join(os.WriteFile(file, []byte(probe), 0o755), os.Chmod(file, 0o755)); err != nil { //nolint:gosec // another user runs it
		return fmt.Errorf("writing a probe: %w", err)
	}
	p := s.Program(folder, 0, Limits{Wall: time.Minute, Output: 4000}, s.PathInside(folder, "probe"), folder)
	switch out := p.Run(ctx, nil, 0); {
	case out.Ending == Failed:
		return out.Err
	case out.Ending != Exited || out.Status != 0:
		return fmt.Errorf("%s, status %d %s", out.Ending, out.Status, out.Errors)
	}
	return nil
}

// MkdirTemp makes a folder that only the given worker's programs can read. The
// caller removes it.
func (s Sandbox) MkdirTemp(worker int) (string, error) {
	folder, err := os.MkdirTemp(s.base, "quintet-judge-")
	if err != nil {
		return "", fmt.Errorf("making a folder: %w", err)
	}
	if s.Protects() && os.Geteuid() == 0 {
		if err := errors.Join(os.Chown(folder, 0, user(worker)), os.Chmod(folder, 0o750)); err != nil { //nolint:gosec // the worker's group has to read it
			return "", errors.Join(fmt.Errorf("opening a folder: %w", err), os.RemoveAll(folder))
		}
	}
	return folder, nil
}

// Program returns a program that runs a command in the sandbox and can read the
// folder. Concurrent workers need different numbers.
func (s Sandbox) Program(folder string, worker int, limits Limits, args ...string) Program {
	p := Program{Args: args, Dir: folder, Limits: limits}
	if s.Protects() {
		p.Before, p.Descriptor = append(asNobody(worker), s.before(folder)...), s.filter
	}
	return p
}

// PathInside returns the path of a file of the folder, as seen from the sandbox.
func (s Sandbox) PathInside(folder, name string) string {
	if !s.Protects() {
		return filepath.Join(folder, name)
	}
	return filepath.Join(SandboxFolder, name)
}

// Scratch returns a folder that a program can write: in a sandbox one that vanishes
// with the program, else the folder itself.
func (s Sandbox) Scratch(folder string) string {
	if !s.Protects() {
		return folder
	}
	return "/tmp"
}

// CanRead reports whether a program in the sandbox finds a file of the machine at
// its usual path.
func (s Sandbox) CanRead(path string) bool {
	if !s.Protects() {
		return true
	}
	for _, dir := range append(roots(), "/usr") {
		if strings.HasPrefix(path, dir+"/") {
			return true
		}
	}
	return false
}

// HasCommand reports whether a program in the sandbox finds a command by its name
// alone.
func (s Sandbox) HasCommand(name string) bool {
	return !strings.ContainsRune(name, filepath.Separator) && slices.ContainsFunc(filepath.SplitList(searchPath), func(dir string) bool {
		info, err := os.Stat(filepath.Join(dir, name))
		return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
	})
}

// user returns the number of the user, and of the group, of a worker.
func user(worker int) int { return 61000 + worker }

// asNobody makes the superuser another user, one for each worker: limits on the
// number of processes do not hold for the superuser.
func asNobody(worker int) []string {
	if os.Geteuid() != 0 {
		return nil
	}
	id := strconv.Itoa(user(worker))
	return []string{"setpriv", "--reuid=" + id, "--regid=" + id, "--clear-groups", "--"}
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

// says is what both sandboxes protect.
const says = "no network, no other processes, no files but a folder to read and 16 MB in memory"

// searchPath is where programs are looked for in the sandbox. The judge's own PATH may
// name folders of its user.
const searchPath = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
