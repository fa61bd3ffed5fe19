//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package arena

import "os"

// lock does nothing: the standard library has no file lock for these systems.
func lock(*os.File) error { return nil }
