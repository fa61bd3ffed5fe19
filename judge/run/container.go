package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// findContainer returns the sandbox for a machine that is a container made for one submission,
// such as an autograder's, where namespaces are usually forbidden. The limits and the filter of
// system calls still apply. As root, programs run as another user, so that they cannot change the
// judge's files; otherwise the judge hides its own descriptors from them.
func findContainer(ctx context.Context) (Sandbox, error) {
	const limited = "limits of time, memory, processes and output"
	s := Sandbox{Name: "container", container: true, confine: confine, Protection: limited + "; no network; programs can read the files of this container"}
	found, err := s.withBase(ctx)
	if err != nil { // a container that forbids filters
		s.confine, s.Protection = nil, limited+"; programs can use the network and read the files of this container"
		var again error
		if found, again = s.withBase(ctx); again != nil {
			return found, errors.Join(err, again)
		}
	}
	if os.Geteuid() != 0 {
		return found, hideDescriptors()
	}
	return found, adoptOrphans()
}

// makeScratch makes a folder for the files of a worker's programs.
func makeScratch(folder string, worker int) error {
	err := os.Mkdir(folder, 0o700)
	if err == nil && os.Geteuid() == 0 {
		err = os.Chown(folder, user(worker), user(worker))
	}
	if err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	return nil
}

// asNobody changes root to the user of a worker. A container has no process namespace: a process of that user could
// stop one that the judge has not yet started, and so the judge.
func asNobody(worker int) []string {
	if nobody(worker) == 0 {
		return nil
	}
	id := strconv.Itoa(user(worker))
	return []string{"setpriv", "--reuid=" + id, "--regid=" + id, "--clear-groups", "--"}
}

// contain prepares a program for a container.
func (p *Program) contain(s Sandbox, folder string, worker int) {
	p.Before, p.Dir, p.confine = asNobody(worker), s.Scratch(folder), s.confine
	switch {
	case os.Geteuid() == 0:
		p.after = func() { killAll(user(worker)) }
	case p.Limits.Processes > 0: // the limit is per user, and the judge's processes count, too
		p.Limits.Processes += threads(os.Geteuid())
	}
}

// killAll kills all processes of a user, also those that left the program's process group, and reaps
// them, because zombies count towards the limit. They can start others meanwhile, so it repeats until
// there are none.
func killAll(uid int) {
	for range 100 {
		list := processesOf(uid)
		if len(list) == 0 {
			return
		}
		for _, pid := range list {
			killAndWait(pid)
		}
		time.Sleep(time.Millisecond)
	}
}

// processesOf lists the processes of a user.
func processesOf(uid int) (list []int) {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		if info, err := os.Stat(folder); err != nil || !ownedBy(info, uid) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(folder)); err == nil {
			list = append(list, pid)
		}
	}
	return list
}

// threads counts the threads of a user.
func threads(uid int) (n int) {
	for _, pid := range processesOf(uid) {
		tasks, _ := os.ReadDir(filepath.Join("/proc", strconv.Itoa(pid), "task"))
		n += len(tasks)
	}
	return n
}
