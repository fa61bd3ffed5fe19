//go:build race

package chaos_test

// raced reports whether the race detector is on. Slow tests then do less.
const raced = true
