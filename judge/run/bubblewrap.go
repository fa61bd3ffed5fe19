package run

import (
	"os"
	"strconv"
)

// space limits the bytes that a program may write to a folder, in memory.
const space = 16 << 20

// bubblewrap runs programs with bwrap, version 0.8 or later: older versions let a program
// create nested namespaces and mount unlimited memory in them.
func bubblewrap() Sandbox {
	return Sandbox{Name: "bubblewrap", Protection: says, filter: encodedFilter(), confine: isolateKeys, before: bwrap}
}

func bwrap(folder string) []string {
	size := strconv.Itoa(space)
	args := []string{
		"bwrap", "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "judge",
		"--ro-bind", "/usr", "/usr", "--ro-bind-try", "/etc/alternatives", "/etc/alternatives", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
		"--proc", "/proc", "--dev", "/dev", "--size", size, "--tmpfs", "/tmp", "--size", size, "--tmpfs", "/work",
		"--ro-bind", folder, sandboxFolder, "--chdir", "/work", "--setenv", "PATH", searchPath,
	}
	for _, dir := range roots() {
		if target, err := os.Readlink(dir); err == nil {
			args = append(args, "--symlink", target, dir)
		} else {
			args = append(args, "--ro-bind", dir, dir)
		}
	}
	// Shared mappings of /dev/zero are memory that no limit counts. bubblewrap's own file
	// systems are in memory too, without a limit.
	return append(args, "--ro-bind", "/dev/null", "/dev/zero", "--remount-ro", "/dev", "--remount-ro", "/", "--seccomp", "3", "--")
}
