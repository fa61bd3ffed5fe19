//go:build !amd64

package run

// readInput begins the line of /proc/PID/syscall of a task that reads standard input: the
// number of the call and its first argument.
const readInput = "63 0x0 "

// pollCalls returns the numbers of the calls that wait for one of several files:
// poll, select and epoll_wait with their variants.
func pollCalls() []string { return []string{"22", "72", "73"} }
