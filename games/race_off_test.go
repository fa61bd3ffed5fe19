//go:build !race

package games_test

// scaledRounds returns how many times a test should do something slow.
func scaledRounds(n int) int { return n }
