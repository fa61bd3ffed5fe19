package platform

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// keepTime is how long a keeper may take to kill its processes on a busy machine.
const keepTime = 10 * time.Second

// Keep makes a command run under a keeper: another process of this program, if Keeper is set.
// The keeper kills the command and all its descendants when the command ends, when kill is
// called, or when this process ends, even if it is killed. Without a keeper the command leads a
// process group, and kill kills that.
func Keep(c *exec.Cmd) (kill func() error, err error) {
	path := c.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.Dir, path)
	}
	if _, missing := os.Stat(path); os.Getenv(Keeper) == "" || missing != nil {
		LeadGroup(c)
		return func() error { return KillGroup(c.Process) }, nil //nolint:nilerr // Start reports a missing program
	}
	theirs, ours, err := os.Pipe() // the keeper reads EOF when this process ends
	if err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	kill = sync.OnceValue(func() error { _ = theirs.Close(); return ours.Close() })
	LeadGroup(c)
	c.Cancel, c.WaitDelay, c.ExtraFiles = kill, keepTime, []*os.File{theirs}
	c.Path, c.Args = "/proc/self/exe", append([]string{os.Args[0], KeeperCommand}, c.Args...)
	c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, Keeper+"=") })
	return kill, nil
}

// RunKeeper runs a command as its keeper, and returns its exit status.
func RunKeeper(words []string) (status int) {
	const lifeline, notStarted, signalled = 3, 127, 128
	runtime.LockOSThread() // the command is killed when the thread that starts it ends
	unix.CloseOnExec(lifeline)
	err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) // orphans become its children
	c := exec.Command(words[0], words[1:]...)                  //nolint:gosec,noctx // it runs what the user names
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.SysProcAttr = &unix.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGKILL}
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		return notStarted
	}
	go func() { // until this process ends
		_, _ = os.NewFile(lifeline, "lifeline").Read(make([]byte, 1))
		_ = c.Process.Kill()
	}()
	_ = c.Wait()
	for killChildren() {
	}
	if s := c.ProcessState.Sys().(syscall.WaitStatus); s.Signaled() { //nolint:forcetypeassert // it is that on Unix
		return signalled + int(s.Signal())
	}
	return c.ProcessState.ExitCode()
}

// killChildren kills the children of this process, waits for one, and reports whether there was
// one. The children of a killed child become children of this process.
func killChildren() bool {
	files, _ := filepath.Glob("/proc/self/task/*/children")
	for _, file := range files {
		text, _ := os.ReadFile(file) //nolint:gosec // a file of the system
		for _, word := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(word); err == nil {
				_ = unix.Kill(pid, unix.SIGKILL)
			}
		}
	}
	_, err := unix.Wait4(-1, nil, 0, nil)
	return err == nil || err == unix.EINTR
}
