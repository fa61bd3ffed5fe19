//go:build unix

package run

import "syscall"

// noFollow makes open fail for symbolic links.
const noFollow = syscall.O_NOFOLLOW
