package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// namespaces runs programs in namespaces made by unshare.
func namespaces() Sandbox {
	return Sandbox{Name: "namespaces", Protection: says + " (by unshare)", confine: confine, before: func(folder string) []string {
		dirs, links, renamed, mounts := view(folder)
		return []string{
			"setpriv", "--pdeathsig", "KILL", "--", // killed when the judge dies
			"unshare", "--user", "--map-root-user", "--net", "--ipc", "--uts", "--pid", "--fork", "--kill-child", "--mount", "--",
			"/bin/sh", "-c", namespaceScript, "sh", newRoot(folder), dirs, links, renamed, mounts,
		}
	}}
}

// namespaceScript builds the view of the machine and becomes the program's parent, with
// no privileges left. Starting a process takes a millisecond, and a game starts
// the sandbox: so one mount mounts all, from a table. The parent is process 1,
// as the kernel spares that one most signals; the words of its shell about a
// program that was stopped are left out.
const namespaceScript = `set -e
new=$1; dirs=$2; links=$3; renamed=$4; mounts=$5; shift 5
mount -t tmpfs -o size=16m,mode=755,nosuid tmpfs $new
cd $new
mkdir $dirs
for f in dev/null dev/urandom etc/ld.so.cache; do : > $f; done
[ -z "$links" ] || ln -s $links .
[ -z "$renamed" ] || printf %s "$renamed" | while read -r target name; do ln -s "$target" "$name"; done
printf %s "$mounts" > tmp/fstab
mount -a -T tmp/fstab
: > tmp/fstab
cd /
exec chroot $new setpriv --inh-caps=-all --bounding-set=-all -- /bin/sh -c '
cd /work; PATH=` + searchPath + `
exec 3>&2 2>/dev/null
(exec "$@" 2>&3 3>&-)
exit $?' sh "$@"`

// newRoot returns the mount point of the view: any folder that does not contain the
// program's own.
func newRoot(folder string) string {
	for _, dir := range []string{"/mnt", "/media", "/srv"} {
		if info, err := os.Stat(dir); err == nil && info.IsDir() && !strings.HasPrefix(folder, dir+"/") {
			return dir
		}
	}
	return "/tmp"
}

// view returns what namespaceScript creates: folders, targets of links with the same name,
// other links as lines of target and name, and mounts as lines of an fstab.
func view(folder string) (dirs, links, renamed, mounts string) {
	list := []string{"usr", "proc", "dev", "tmp", "work", "judge", "etc"}
	var same []string
	var m, l strings.Builder
	new := newRoot(folder)
	mount := func(source, target, options string) {
		fmt.Fprintf(&m, "%s %s none %s 0 0\n", escape(source), filepath.Join(new, target), options)
	}
	// If the original mount has these options, the kernel forbids a mount without them.
	const read = "bind,ro,nosuid,nodev"
	mount("/usr", "usr", read)
	for _, dir := range roots() {
		switch target, err := os.Readlink(dir); {
		case err != nil:
			list = append(list, dir[1:])
			mount(dir, dir, read)
		case filepath.Base(target) == filepath.Base(dir):
			same = append(same, target)
		default:
			fmt.Fprintf(&l, "%s %s\n", target, dir[1:])
		}
	}
	mount(folder, sandboxFolder, read)
	if _, err := os.Stat("/etc/alternatives"); err == nil {
		list = append(list, "etc/alternatives")
		mount("/etc/alternatives", "etc/alternatives", read)
	}
	if _, err := os.Stat("/etc/ld.so.cache"); err == nil {
		mount("/etc/ld.so.cache", "etc/ld.so.cache", read)
	}
	for _, device := range []string{"/dev/null", "/dev/urandom"} { // not /dev/zero: no limit counts shared mappings of it
		mount(device, device, "bind")
	}
	fmt.Fprintf(&m, "proc %s proc nosuid,nodev,noexec 0 0\n", filepath.Join(new, "proc"))
	mount(filepath.Join(new, "proc/sys"), "proc/sys", read+",noexec") // settings of the namespaces
	return strings.Join(list, " "), strings.Join(same, " "), l.String(), m.String()
}

// escape escapes a path for an fstab.
func escape(path string) string {
	return strings.NewReplacer(" ", `\040`, "\t", `\011`, "\n", `\012`, `\`, `\134`).Replace(path)
}

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
