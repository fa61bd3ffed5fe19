//go:build !race

package console_test

// scaled returns how many times a test should do something slow.
func scaled(n int) int { return n }
