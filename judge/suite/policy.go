package suite

import (
	"math/rand/v2"

	"quintet/judge/dialogue"
)

// policy chooses one of the legal answers.
type policy func(c dialogue.Choice, legal []string, r *rand.Rand) string

func anyMove(_ dialogue.Choice, legal []string, r *rand.Rand) string {
	return legal[r.IntN(len(legal))]
}

func lastMove(_ dialogue.Choice, legal []string, _ *rand.Rand) string { return legal[len(legal)-1] }

// best returns an answer with the highest value, at random among several.
func best(legal []string, r *rand.Rand, value func(string) float64) string {
	choice, high := legal[0], -1e9
	for _, line := range legal {
		if v := value(line) + r.Float64()*.9; v > high {
			choice, high = line, v
		}
	}
	return choice
}

// target returns the destination of a move.
func target(c dialogue.Choice, line string) byte {
	row, col := place(c, line[len(line)-2:])
	return c.Cells[row][col]
}

// place parses a cell of a board of up to nine rows.
func place(c dialogue.Choice, cell string) (row, col int) {
	row, col = int(cell[1]-'0'), int(cell[0]|0x20)-'a'
	if cell[0] < 'a' { // chess: rows count from 1
		row--
	}
	return min(row, len(c.Cells)-1), col
}

// takes prefers captures.
func takes(c dialogue.Choice, legal []string, r *rand.Rand) string {
	return best(legal, r, func(line string) float64 {
		if target(c, line) != '.' {
			return 1
		}
		return 0
	})
}

// pawns prefers pawn moves.
func pawns(c dialogue.Choice, legal []string, r *rand.Rand) string {
	return best(legal, r, func(line string) float64 {
		if row, col := place(c, line[:2]); c.Cells[row][col]|0x20 == 'p' {
			return .6
		}
		return 0
	})
}

// The modes of gather.
const (
	scatter = iota - 1
	random
	together
	_
	togetherTaking
	taking
	apartTaking
)

// gather makes each side move its pieces together or apart, and capture or avoid captures.
func gather(black, white int) policy {
	return func(c dialogue.Choice, legal []string, r *rand.Rand) string {
		way := [2]int{black, white}[c.Turn]
		own := "BW"[c.Turn]
		return best(legal, r, func(line string) float64 {
			a, b := line[:2], line[3:]
			takes := 0.0
			if target(c, line) != '.' {
				takes = 1
			}
			switch way {
			case together:
				return -spread(c, own, a, b) - takes*r.Float64()
			case togetherTaking:
				return -spread(c, own, a, b) + 2*takes
			case taking:
				return 3*takes - r.Float64()*3
			case scatter:
				return spread(c, own, a, b) - takes
			case apartTaking:
				return spread(c, own, a, b)/2 + 2*takes
			}
			return 0
		})
	}
}

// spread returns the mean distance of a side's pieces from their centre after a move.
func spread(c dialogue.Choice, own byte, from, to string) float64 {
	y1, x1 := place(c, from)
	y2, x2 := place(c, to)
	var ys, xs []float64
	my, mx := 0.0, 0.0
	for row := range c.Cells {
		for col, piece := range c.Cells[row] {
			if here := row == y2 && col == x2; here || piece == own && (row != y1 || col != x1) {
				ys, xs = append(ys, float64(row)), append(xs, float64(col))
				my, mx = my+float64(row), mx+float64(col)
			}
		}
	}
	n, sum := float64(len(ys)), 0.0
	for i := range ys {
		sum += max(abs(ys[i]-my/n), abs(xs[i]-mx/n))
	}
	return 6 * sum / n
}

func abs(x float64) float64 { return max(x, -x) }

// mostEnemy chooses at random with a distribution other than anyMove's.
func mostEnemy(_ dialogue.Choice, legal []string, r *rand.Rand) string {
	return best(legal, r, func(string) float64 { return r.Float64() * 2 })
}

// stone parses a cell of Connect6.
func stone(line string) (row, col int) {
	for _, digit := range line[1:] {
		row = row*10 + int(digit-'0')
	}
	return row, int(line[0] - 'A')
}

// lineMove extends rows of its own stones.
func lineMove(c dialogue.Choice, legal []string, r *rand.Rand) string {
	own := "BW"[c.Turn]
	return best(legal, r, func(line string) float64 {
		row, col := stone(line)
		return float64(longest(c.Cells, row, col, own))
	})
}

// eitherLine extends rows of either side, with gaps.
func eitherLine(c dialogue.Choice, legal []string, r *rand.Rand) string {
	if r.IntN(3) == 0 {
		return anyMove(c, legal, r)
	}
	return lineMove(c, legal, r)
}

// longest returns the length of the longest row through a cell with a stone of its own.
func longest(cells [][]byte, row, col int, own byte) (most int) {
	n := len(cells)
	for _, d := range [4][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
		length := 1
		for _, way := range []int{1, -1} {
			y, x := row+way*d[0], col+way*d[1]
			for y >= 0 && y < n && x >= 0 && x < n && cells[y][x] == own {
				length++
				y, x = y+way*d[0], x+way*d[1]
			}
		}
		most = max(most, length)
	}
	return most
}

// patternMove fills the board without six in a row: each side prefers its own cells in a
// pattern of knight's moves.
func patternMove(c dialogue.Choice, legal []string, r *rand.Rand) string {
	return best(legal, r, func(line string) float64 {
		row, col := stone(line)
		if ((row+2*col)%4 < 2) == (c.Turn == 0) {
			return 1
		}
		return 0
	})
}
