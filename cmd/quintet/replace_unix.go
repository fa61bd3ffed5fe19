//go:build unix

package main

import (
	"os"
	"syscall"
)

// canReplace says that a process can become another program.
const canReplace = true

// replaceProcess lets this process become another program with the same arguments. It
// returns only if that fails.
func replaceProcess(path string) error {
	return syscall.Exec(path, append([]string{path}, os.Args[1:]...), os.Environ()) //nolint:gosec // the farm's key has signed it
}
