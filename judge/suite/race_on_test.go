//go:build race

package suite

// raced is whether the race detector is on, under which everything takes eight
// times as long.
const raced = true
