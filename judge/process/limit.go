package process

import (
	"fmt"
	"strings"
	"syscall"
	"time"
)

// command returns the words that start the program under its limits: a shell
// sets them and becomes the program.
func (p *Program) command() []string {
	var w strings.Builder
	set := func(letter string, n int64) {
		if n > 0 {
			fmt.Fprintf(&w, "ulimit -%s %d 2>/dev/null; ", letter, n)
		}
	}
	l := p.Limits
	set("t", int64((l.CPU+time.Second-1)/time.Second))
	set("d", l.Memory/1024) // not -v: some languages reserve addresses that they never use
	set("f", l.FileSize/512)
	set("n", int64(l.Files))
	w.WriteString("ulimit -c 0; ")
	if l.Processes > 0 { // shells name it differently
		fmt.Fprintf(&w, "ulimit -u %d 2>/dev/null || ulimit -p %d 2>/dev/null; ", l.Processes, l.Processes)
	}
	w.WriteString(`exec "$@"`)
	args := append(append([]string{}, p.Before...), "/bin/sh", "-c", w.String(), "sh")
	return append(args, p.Args...)
}

// groupOfItsOwn lets the program be stopped with all that it has started.
func groupOfItsOwn() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func killGroup(pid int) error {
	if err := syscall.Kill(-pid, syscall.SIGKILL); err != nil {
		return fmt.Errorf("stopping the program: %w", err)
	}
	return nil
}

// signalName returns the name that students meet: "SIGSEGV".
func signalName(s syscall.Signal) string {
	names := map[syscall.Signal]string{
		syscall.SIGSEGV: "SIGSEGV", syscall.SIGABRT: "SIGABRT", syscall.SIGFPE: "SIGFPE", syscall.SIGBUS: "SIGBUS", syscall.SIGILL: "SIGILL",
		syscall.SIGXFSZ: "SIGXFSZ", syscall.SIGPIPE: "SIGPIPE", syscall.SIGTERM: "SIGTERM",
	}
	if name, ok := names[s]; ok {
		return name
	}
	return s.String()
}
