//go:build !amd64

package process

// readInput is how the system says that a task reads its standard input: the
// number of the call and its first argument.
const readInput = "63 0x0 "

// sleepCalls are the numbers of the calls that let time pass: nanosleep and
// clock_nanosleep.
func sleepCalls() []string { return []string{"101", "115"} }
