//go:build unix

package run

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

// Supported returns an error where programs cannot be stopped and watched.
func Supported() error { return nil }

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

// lastSignal is the last of the common signals: a status above 128 may be one.
const lastSignal = 32

// limitSignal reports whether a signal means that a limit was passed.
func limitSignal(s syscall.Signal) bool { return s == syscall.SIGXCPU || s == syscall.SIGKILL }

// unread reports whether there is input that the program has not read.
func unread(pipe *os.File) bool {
	conn, err := pipe.SyscallConn()
	if err != nil {
		return false
	}
	var n int32
	_ = conn.Control(func(fd uintptr) {
		const fionread = 0x541B
		_, _, _ = syscall.Syscall(syscall.SYS_IOCTL, fd, fionread, uintptr(unsafe.Pointer(&n))) //nolint:gosec // the argument of the call
	})
	return n > 0
}
