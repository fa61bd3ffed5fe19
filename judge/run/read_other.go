//go:build !amd64

package run

// readInput is how the system says that a task reads its standard input: the
// number of the call and its first argument.
const readInput = "63 0x0 "

// pollCalls are the numbers of the calls that wait for one of several files:
// poll, select and epoll_wait with their variants.
func pollCalls() []string { return []string{"22", "72", "73"} }
