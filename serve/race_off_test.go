//go:build !race

package serve_test

// raced reports whether the race detector is on.
const raced = false
