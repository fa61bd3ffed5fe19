//go:build !race

package suite

// raced is whether the race detector is on.
const raced = false
