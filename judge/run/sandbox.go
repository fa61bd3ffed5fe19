package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// SandboxFolder is the path, in the sandbox, of the program's read-only folder.
const sandboxFolder = "/judge"

// Sandbox is a way to run programs.
type Sandbox struct {
	Name       string // "bubblewrap", "namespaces", "container" or "none"
	Protection string // description of what it protects

	base    string                       // parent of temporary folders; "" is the system's default
	before  func(folder string) []string // the words before a command; nil without protection
	filter  []byte                       // read by these words from descriptor 3; nil for none
	confine func() error                 // called on the thread that starts these words; nil for none

	container bool // the machine is the sandbox: programs see its files
}

// NoSandbox returns a sandbox without protection.
func NoSandbox() Sandbox {
	return Sandbox{Name: "none", Protection: "only limits of time, memory and output: programs have all your rights"}
}

// Protects reports whether the sandbox isolates programs.
func (s Sandbox) Protects() bool { return s.before != nil || s.container }

// IsContainer reports whether the machine itself is the sandbox.
func (s Sandbox) IsContainer() bool { return s.container }

// FindSandbox returns the strongest sandbox that works on this machine, or the named one.
// The one-line error says what was tried and why it failed.
func FindSandbox(ctx context.Context, name string) (Sandbox, error) {
	switch name {
	case "none":
		return NoSandbox(), nil
	case "container":
		return findContainer(ctx)
	}
	var tried []string
	for _, s := range []Sandbox{bubblewrap(), namespaces()} {
		if name != "" && name != s.Name {
			continue
		}
		found, err := s.withBase(ctx)
		if err == nil {
			return found, nil
		}
		tried = append(tried, s.Name+": "+strings.Join(strings.Fields(err.Error()), " "))
	}
	if tried == nil {
		return Sandbox{}, fmt.Errorf("sandbox %q: give bubblewrap, namespaces, container or none", name)
	}
	return Sandbox{}, errors.New("no sandbox works here (" + strings.Join(tried, "; ") + ")")
}

// withBase returns the sandbox with the first base for temporary folders that works, or the error of
// the default one.
func (s Sandbox) withBase(ctx context.Context) (Sandbox, error) {
	var first error
	for _, s.base = range bases() {
		err := s.try(ctx)
		if err == nil {
			return s, nil
		}
		first = cmp.Or(first, err)
	}
	return s, first
}

// bases lists possible parents of a sandbox's folders. As root, programs run as another
// user, who may not be allowed to enter a private temporary folder.
func bases() []string {
	if os.Geteuid() != 0 {
		return []string{os.TempDir()}
	}
	return []string{os.TempDir(), "/tmp", "/var/tmp", "/dev/shm"}
}

// probe checks from inside that the sandbox protects. Its argument is the path of the
// folder outside.
const probe = `#!/bin/sh
test ! -e "$1" && test ! -e /etc/passwd && test ! -w ` + sandboxFolder + ` && test "$(grep -c : /proc/net/dev)" = 1`

// try runs the probe in the sandbox.
func (s Sandbox) try(ctx context.Context) error {
	folder, err := s.MkdirTemp(0)
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // the system cleans up its temporary folder
	file := filepath.Join(folder, "probe")
	text := probe
	if s.container {
		text = "#!/bin/sh\n"
	}
	if err := errors.Join(os.WriteFile(file, []byte(text), 0o755), os.Chmod(file, 0o755)); err != nil { //nolint:gosec // another user runs it
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

// MkdirTemp creates a folder that only the worker's programs can read. The caller must
// remove it.
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
	if s.container {
		if err := makeScratch(s.Scratch(folder), worker); err != nil {
			return "", errors.Join(err, os.RemoveAll(folder))
		}
	}
	return folder, nil
}

// Program returns a program that runs a command in the sandbox and can read the
// folder. Concurrent workers need different numbers.
func (s Sandbox) Program(folder string, worker int, limits Limits, args ...string) Program {
	if limits.Processes == 0 && s.Protects() {
		limits.Processes = defaultProcesses
	}
	p := Program{Args: args, Dir: folder, Limits: limits}
	switch {
	case s.container:
		p.contain(s, folder, worker)
	case s.Protects():
		p.user, p.Before, p.Descriptor, p.confine = nobody(worker), s.before(folder), s.filter, s.confine
	}
	return p
}

// PathInside returns the path of a file of the folder, as seen from the sandbox.
func (s Sandbox) PathInside(folder, name string) string {
	if !s.Protects() || s.container {
		return filepath.Join(folder, name)
	}
	return filepath.Join(sandboxFolder, name)
}

// Scratch returns a folder that a program can write to: in a sandbox one that vanishes with
// the program, in a container one inside the folder, otherwise the folder itself.
func (s Sandbox) Scratch(folder string) string {
	switch {
	case s.container:
		return filepath.Join(folder, "scratch")
	case !s.Protects():
		return folder
	}
	return "/tmp"
}

// CanRead reports whether the sandbox shows a file at its usual path.
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

// HasCommand reports whether the sandbox's search path has a command.
func (s Sandbox) HasCommand(name string) bool {
	return !strings.ContainsRune(name, filepath.Separator) && slices.ContainsFunc(filepath.SplitList(searchPath), func(dir string) bool {
		info, err := os.Stat(filepath.Join(dir, name))
		return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
	})
}

// user returns the user and group ID of a worker.
func user(worker int) int { return 61000 + worker }

// nobody returns the unprivileged user of a worker's programs if the judge is root: limits on the number of
// processes do not apply to root.
func nobody(worker int) int {
	if os.Geteuid() != 0 {
		return 0
	}
	return user(worker)
}

// roots lists the folders of programs and libraries besides /usr.
func roots() (list []string) {
	for _, dir := range []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64"} {
		if _, err := os.Lstat(dir); err == nil {
			list = append(list, dir)
		}
	}
	return list
}

// says describes the protection of both sandboxes.
const says = "no network, no other processes, no files but a folder to read and 16 MB in memory"

// searchPath is PATH in the sandbox. The judge's own PATH may name its user's folders.
const searchPath = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
