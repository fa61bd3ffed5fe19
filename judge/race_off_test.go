//go:build !race

package judge_test

// raced is whether the race detector is on.
const raced = false
