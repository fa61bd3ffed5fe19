//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package arena

import "os"

// lock does nothing: these systems have no such lock in the standard library.
func lock(*os.File) error { return nil }
