package suite

import (
	"fmt"
	"slices"

	"quintet/judge/dialogue"
)

// sized returns games for a board size: edges, limits and full boards. Each is named after
// the mistake that it shows.
func sized(p dialogue.Program) []Game {
	switch p.Game {
	case "othello":
		return pitsAtTheLimit(p.Size)
	case "connect6":
		return append(stonesAtTheEdges(p.Size), rowsOfStones(p.Size)...)
	}
	return nil
}

func pitsAtTheLimit(n int) []Game {
	most, last := n*n/2, fmt.Sprintf("%c", 'A'+n-1)
	list := []Game{
		{"pits-one-less", []string{fmt.Sprint(most)}},
		{"pits-one-more", []string{fmt.Sprint(most + 1)}},
		{"pits-any", []string{fmt.Sprint(most + 2)}},
		{"pits-clamped", []string{fmt.Sprint(n * n)}},
		{"last-row", []string{"2", fmt.Sprint("A", n), fmt.Sprint(last, n)}},
		{"last-column", []string{"2", last + "1", fmt.Sprint(last, n)}},
	}
	if n < 26 { // the largest board of the specification
		list = append(list, Game{"outside", []string{"1", fmt.Sprint("A", n+1), fmt.Sprintf("%c1", 'A'+n), "A1"}})
	}
	return list
}

func stonesAtTheEdges(n int) []Game {
	cell := func(col, row int) string { return fmt.Sprintf("%c%d", 'A'+col, row) }
	list := []Game{
		{"first-row", []string{"A0"}},
		{"any-case", []string{"a0"}},
		{"last-row", []string{cell(0, n-1)}},
		{"last-column", []string{cell(n-1, 0)}},
		{"rows-from-one", []string{cell(0, n), cell(0, n-1)}},
		{"outside", []string{"A-1", cell(0, n), "A300"}},
	}
	if n > 1 {
		list = append(list, Game{"on-stones", []string{"A0", "A0", "B0", "A0", "A1"}})
	}
	if n < 26 {
		list = append(list, Game{"beyond", []string{cell(n, 0), "Z99"}})
	}
	return list
}

// rowsOfStones returns games with rows of black stones, if they fit, and with full boards.
func rowsOfStones(n int) (list []Game) {
	row := func(cells ...[2]int) []string { return withWhite(n, cells) }
	if n >= 4 {
		list = append(list, Game{"lines-wrap", row([2]int{0, n - 3}, [2]int{0, n - 2}, [2]int{0, n - 1}, [2]int{1, 0}, [2]int{1, 1}, [2]int{1, 2})})
	}
	if n >= 5 {
		list = append(list, Game{"five-wins", row([2]int{0, 0}, [2]int{0, 1}, [2]int{0, 2}, [2]int{0, 4}, [2]int{0, 3})})
	}
	if n >= 6 {
		list = append(list,
			Game{"seven-wins", row([2]int{0, n - 6}, [2]int{0, n - 5}, [2]int{0, n - 4}, [2]int{0, n - 3}, [2]int{0, n - 2}, [2]int{0, n - 1})},
			Game{"no-vertical", row([2]int{0, 0}, [2]int{1, 0}, [2]int{2, 0}, [2]int{3, 0}, [2]int{4, 0}, [2]int{5, 0})},
			Game{"only-ends", row([2]int{0, 0}, [2]int{0, 1}, [2]int{0, 2}, [2]int{0, 4}, [2]int{0, 5}, [2]int{0, 3})},
			Game{"full-first", full(n, true)})
	}
	if n >= 7 {
		list = append(list, Game{"exactly-six", row([2]int{0, 0}, [2]int{0, 1}, [2]int{0, 2}, [2]int{0, 4}, [2]int{0, 5}, [2]int{0, 6}, [2]int{0, 3})})
	}
	return append(list, Game{"no-full-board", full(n, false)})
}

// mover returns the side that places stone number n: 0 is black.
func mover(stone int) int { return (stone + 1) / 2 % 2 }

// withWhite returns a game in which black places stones in a given order and white plays
// scattered stones in the last rows.
func withWhite(n int, black [][2]int) (lines []string) {
	taken := map[[2]int]bool{}
	for _, c := range black {
		taken[c] = true
	}
	var white [][2]int
	for parity := range 2 {
		for row := n - 1; row >= 0; row-- {
			for col := (n - 1 - row + parity) % 2; col < n; col += 2 {
				if c := [2]int{row, col}; !taken[c] {
					white = append(white, c)
				}
			}
		}
	}
	for len(black) > 0 {
		from := &black
		if mover(len(lines)) == 1 {
			from = &white
		}
		lines = append(lines, fmt.Sprintf("%c%d", 'A'+(*from)[0][1], (*from)[0][0]))
		*from = (*from)[1:]
	}
	return lines
}

// full returns a game that fills the board without six in a row, or with the last stone
// making the first six.
func full(n int, wins bool) (lines []string) {
	cells, last := pattern(n), [2]int{n - 1, n - 1}
	side := byte(mover(n*n - 1))
	if wins {
		last = [2]int{0, 3}
		for col := range 6 {
			cells[0][col] = side
		}
	} else {
		cells[n-1][n-1] = side
	}
	balance(cells, wins)
	var left [2][][2]int
	for row := range cells {
		for col, s := range cells[row] {
			if c := [2]int{row, col}; c != last {
				left[s] = append(left[s], c)
			}
		}
	}
	left[side] = append(left[side], last)
	for i := range n * n {
		s := mover(i)
		c := left[s][0]
		left[s] = left[s][1:]
		lines = append(lines, fmt.Sprintf("%c%d", 'A'+c[1], c[0]))
	}
	return lines
}

// pattern fills a board with rows of at most two stones of a side.
func pattern(n int) [][]byte {
	cells := make([][]byte, n)
	for row := range cells {
		cells[row] = make([]byte, n)
		for col := range cells[row] {
			if (row+2*col)%4 >= 2 {
				cells[row][col] = 1
			}
		}
	}
	return cells
}

// balance gives each side the number of stones it has on a full board, with at most five
// in a row. It keeps the first row if that wins.
func balance(cells [][]byte, wins bool) {
	n, more := len(cells), 0 // white stones to turn black
	for i := range n * n {
		more += int(cells[i/n][i%n]) - mover(i)
	}
	for i := range n*n - 1 {
		row, col := i/n, i%n
		from := byte(0)
		if more > 0 {
			from = 1
		}
		if more == 0 || cells[row][col] != from || wins && row == 0 {
			continue
		}
		cells[row][col] = 1 - from
		if longest(cells, row, col, 1-from) > 5 {
			cells[row][col] = from
			continue
		}
		more += 1 - 2*int(from)
	}
}

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
