//go:build race

package load_test

// raced reports whether the race detector is on: then what takes long is left to the
// run of the tests without it.
const raced = true
