package run

import (
	"encoding/binary"
	"runtime"
)

// calls has the numbers of system calls on one architecture. Of the forbidden ones some allocate
// memory that belongs to no process and escapes the limits; some access the keys of the
// judge's user; the others are rare and have often been used to escape sandboxes.
type calls struct {
	arch    uint32   // AUDIT_ARCH constant of the kernel
	refused []uint32 // shmget, semget, msgget, add_key, request_key, keyctl, perf_event_open, bpf, userfaultfd, io_uring_setup
	read    string   // as in the line of /proc/PID/syscall of a task that reads
	polls   []string // wait for one of several files: poll, select and epoll_wait with their variants
}

// systemCalls returns the calls of this architecture. It is not certain on those that probably
// have the numbers of arm64.
func systemCalls() (c calls, certain bool) {
	if runtime.GOARCH == "amd64" {
		return calls{0xC000003E, []uint32{29, 64, 68, 248, 249, 250, 298, 321, 323, 425}, "0", []string{"7", "23", "232", "270", "271", "281"}}, true
	}
	return calls{0xC00000B7, []uint32{194, 190, 186, 217, 218, 219, 241, 280, 282, 425}, "63", []string{"22", "72", "73"}}, runtime.GOARCH == "arm64"
}

// filter returns a seccomp filter in classic BPF that rejects these calls, and all calls of
// other architectures, with EPERM. It returns nil for an architecture whose calls are not certain.
func filter() (program []byte) {
	c, certain := systemCalls()
	if !certain {
		return nil
	}
	const (
		load, equal, atLeast, give = 0x20, 0x15, 0x35, 0x06 // BPF_LD|W|ABS, BPF_JMP|JEQ|K, BPF_JMP|JGE|K, BPF_RET|K
		allow, refuse              = 0x7FFF0000, 0x00050001 // SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO with EPERM
		number, machine            = 0, 4                   // offsets in struct seccomp_data
		x32                        = 0x40000000             // numbers from here on belong to the x32 ABI
	)
	put := func(code uint16, yes, no int, k uint32) {
		program = binary.NativeEndian.AppendUint16(program, code)
		program = append(program, byte(yes), byte(no))
		program = binary.NativeEndian.AppendUint32(program, k)
	}
	n := len(c.refused)
	put(load, 0, 0, machine)
	put(equal, 0, n+3, c.arch)
	put(load, 0, 0, number)
	put(atLeast, n+1, 0, x32)
	for i, call := range c.refused {
		put(equal, n-i, 0, call)
	}
	put(give, 0, 0, allow)
	put(give, 0, 0, refuse)
	return program
}
