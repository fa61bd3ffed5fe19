//go:build amd64 || arm64

package run

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// refused lists the system calls that both sandboxes reject with EPERM. The namespaces sandbox
// installs the filter before it mounts its files, so the list lacks the calls that mount. They
// need a privilege that judged programs do not have.
func refused() []uint32 {
	return []uint32{
		// Memory and objects that belong to no process, so that no limit counts them.
		unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET, unix.SYS_SHMGET, unix.SYS_SEMGET, unix.SYS_MSGGET, unix.SYS_MQ_OPEN,
		unix.SYS_VMSPLICE, unix.SYS_SETSOCKOPT, unix.SYS_IO_SETUP, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
		// Keyrings, which programs of one user share with each other and the judge.
		unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
		// Other processes.
		unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP, unix.SYS_SETNS,
		// Large parts of the kernel, often used to escape from sandboxes.
		unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT, unix.SYS_OPEN_BY_HANDLE_AT,
		// The machine as a whole.
		unix.SYS_SYSLOG, unix.SYS_ACCT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_REBOOT, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD,
		unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	}
}

// filter returns a seccomp filter in classic BPF. Besides the refused calls it rejects all calls
// of other architectures, sockets of all kinds but AF_UNIX, and anonymous shared mappings, whose
// memory stays when no process has it mapped.
func filter() []unix.SockFilter {
	machine := uint32(unix.AUDIT_ARCH_X86_64)
	if runtime.GOARCH == "arm64" {
		machine = unix.AUDIT_ARCH_AARCH64
	}
	const (
		load, mask, equal, atLeast, give = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, unix.BPF_ALU | unix.BPF_AND | unix.BPF_K,
			unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, unix.BPF_RET | unix.BPF_K
		call, arch, domain, flags = 0, 4, 16, 40 // offsets in struct seccomp_data; of arguments their low half
		x32                       = 0x40000000   // numbers from here on belong to the x32 ABI
		refuse                    = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	)
	list := []unix.SockFilter{
		{Code: load, K: arch}, {Code: equal, Jt: 1, K: machine}, {Code: give, K: refuse},
		{Code: load, K: call}, {Code: atLeast, Jf: 1, K: x32}, {Code: give, K: refuse},
	}
	for _, number := range refused() {
		list = append(list, unix.SockFilter{Code: equal, Jf: 1, K: number}, unix.SockFilter{Code: give, K: refuse})
	}
	return append(list, []unix.SockFilter{
		{Code: equal, Jt: 2, K: unix.SYS_SOCKET}, {Code: equal, Jt: 1, K: unix.SYS_SOCKETPAIR}, {Code: equal, Jt: 3, Jf: 6, K: unix.SYS_MMAP},
		{Code: load, K: domain}, {Code: equal, Jt: 4, K: unix.AF_UNIX}, {Code: give, K: refuse},
		{Code: load, K: flags}, {Code: mask, K: unix.MAP_SHARED | unix.MAP_ANONYMOUS}, {Code: equal, Jt: 1, K: unix.MAP_SHARED | unix.MAP_ANONYMOUS},
		{Code: give, K: unix.SECCOMP_RET_ALLOW}, {Code: give, K: refuse},
	}...)
}

// encodedFilter returns the filter for bubblewrap.
func encodedFilter() []byte {
	text, _ := binary.Append(nil, binary.NativeEndian, filter()) // it fails only for types without a fixed size
	return text
}

// isolateKeys gives the calling thread, and the programs that it starts, an empty session
// keyring: otherwise /proc/keys names the judge's keys. It ignores errors, because the filter
// refuses access to keys anyway.
func isolateKeys() error {
	_, _ = unix.KeyctlInt(unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0)
	return nil
}

// confine isolates keys, see isolateKeys, and installs the filter.
func confine() error {
	list := filter()
	program := unix.SockFprog{Len: uint16(len(list)), Filter: &list[0]}
	err := errors.Join(isolateKeys(), unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
		unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)) //nolint:gosec // the argument of the call
	if err != nil {
		return fmt.Errorf("filtering system calls: %w", err)
	}
	return nil
}

// hideDescriptors hides the judge's open files in /proc from other programs of its user.
func hideDescriptors() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("hiding open files: %w", err)
	}
	return nil
}

// adoptOrphans makes the judge the parent of processes whose own parent ends, so that it can wait
// for them.
func adoptOrphans() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("adopting processes: %w", err)
	}
	return nil
}
