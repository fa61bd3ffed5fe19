//go:build !race

package jet_test

// raced reports whether the race detector is on.
const raced = false
