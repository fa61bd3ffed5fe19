//go:build race

package chess_test

const raceEnabled = true
