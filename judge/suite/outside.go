package suite

import (
	"slices"

	"quintet/judge/dialogue"
)

// outside returns a game of invalid answers: moves of every length that leave the board in
// a valid direction, and moves from beyond the end of a row, where a program without bounds
// checks finds its own pieces.
func outside(p dialogue.Program) []Game {
	if p.Game != "neighbors" && p.Game != "loa" {
		return nil
	}
	var lines []string
	p.Lead(func(c dialogue.Choice) (string, bool) {
		for i := range 64 {
			if row, col := i/8, i%8; c.Cells[row][col] == "BW"[c.Turn] {
				lines = append(lines, leaving(c, row, col)...)
				lines = append(lines, leaving(c, row-1, col+8)...)
			}
		}
		return "", false
	})
	slices.Sort(lines)
	return []Game{{"outside", slices.Compact(lines)}}
}

// leaving lists the moves from a cell that leave the board.
func leaving(c dialogue.Choice, row, col int) (lines []string) {
	name := func(row, col int) string { return string([]byte{byte('a' + col), byte('0' + row)}) }
	for way := range 9 {
		for steps := 1; steps < 8 && way != 4; steps++ {
			y, x := row+steps*(way/3-1), col+steps*(way%3-1)
			inside := y >= 0 && y < 8 && x >= 0 && x < 8 && row >= 0 && col < 8
			if line := name(row, col) + " " + name(y, x); !inside && c.Why(line) != "" {
				lines = append(lines, line)
			}
		}
	}
	return lines
}
