//go:build linux || darwin

package platform

import "syscall"

// FreeSpace returns how many bytes of the file system of a folder are free for this
// user, and how many it has.
func FreeSpace(dir string) (free, all uint64, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, 0, err
	}
	return s.Bavail * uint64(s.Bsize), s.Blocks * uint64(s.Bsize), nil
}
