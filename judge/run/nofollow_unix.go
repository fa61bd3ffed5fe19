//go:build unix

package run

import "syscall"

// noFollow opens a file, and not what a link of that name leads to.
const noFollow = syscall.O_NOFOLLOW
