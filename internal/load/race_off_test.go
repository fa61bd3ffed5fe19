//go:build !race

package load_test

// raced reports whether the race detector is on.
const raced = false
