//go:build unix

package run

import (
	"os"
	"os/exec"
	"syscall"
	"unsafe"
)

// Supported returns an error on systems where programs cannot be controlled.
func Supported() error { return nil }

// signalName returns the common name of a signal: "SIGSEGV".
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

// noFollow makes open fail for symbolic links.
const noFollow = syscall.O_NOFOLLOW

// limitSignal reports whether a signal means that a limit was exceeded.
func limitSignal(s syscall.Signal) bool { return s == syscall.SIGXCPU || s == syscall.SIGKILL }

// runAs makes a program run as a user without other groups. Call it after platform.LeadGroup, which sets the attributes.
func runAs(c *exec.Cmd, id int) {
	c.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(id), Gid: uint32(id)}
}

// killAndWait kills a process and, if it is a child that has ended, reaps it.
func killAndWait(pid int) {
	_ = syscall.Kill(pid, syscall.SIGKILL)
	_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
}

// ownedBy reports whether a file is a user's.
func ownedBy(info os.FileInfo, uid int) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == uid
}

// unread reports whether the program has unread input.
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

// readNow reads what is in a pipe, without waiting.
func readNow(pipe *os.File, b []byte) (n int) {
	if conn, err := pipe.SyscallConn(); err == nil {
		_ = conn.Read(func(fd uintptr) bool {
			n, _ = syscall.Read(int(fd), b)
			return true
		})
	}
	return max(n, 0)
}
