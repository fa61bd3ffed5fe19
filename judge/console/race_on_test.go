//go:build race

package console_test

// scaled returns how many times a test should do something slow: the race
// detector makes everything ten times slower.
func scaled(n int) int { return (n + 7) / 8 }
