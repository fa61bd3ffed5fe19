//go:build !race

package class_test

// raced is whether the race detector is on.
const raced = false
