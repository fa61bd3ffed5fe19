package dialogue

import (
	"fmt"
	"strconv"
)

// connect6 is the state of a game of Connect6.
type connect6 struct {
	*talk
	left int // stones to place in this turn
}

func playConnect6(t *talk) {
	t.begin(grid(t.Size))
	g := &connect6{talk: t, left: 1}
	if t.Has("first-two") {
		g.left = 2
	}
	if !t.Has("no-first-board") {
		g.show()
	}
	for !g.stopped() {
		if g.left == 0 {
			g.player, g.left = 1-g.player, g.each()
		}
		if row, col, ok := g.ask(); ok {
			g.place(row, col)
		}
		g.left--
		if g.over {
			return
		}
	}
}

func (g *connect6) each() int {
	switch {
	case g.Has("one-each"):
		return 1
	case g.Has("three-each"):
		return 3
	}
	return 2
}

func (g *connect6) ask() (row, col int, ok bool) {
	w := g.Words
	q := asked{prompt: fmt.Sprintf(w.Prompt, w.Players[g.player]), refused: w.Invalid, garbled: w.Invalid, again: g.show}
	g.choice = Choice{Turn: g.player, Cells: g.cells, Legal: g.legal, Why: g.why}
	answer := func() (why string) {
		row, col, why = g.cell()
		return why
	}
	ask := g.insist
	if g.Has("invalid-counts") {
		ask = g.askOnce
	}
	if ok = ask(q, answer); ok {
		g.cells[row][col] = stones[g.player]
	}
	return row, col, ok
}

// cell reads a cell that is free, or returns why it is none.
func (g *connect6) cell() (row, col int, why string) {
	letter, number, ok := g.letterNumber()
	if g.ended {
		return 0, 0, ""
	}
	return g.locate(letter, number, ok)
}

// why says why a text is refused.
func (g *connect6) why(line string) string {
	number, err := strconv.Atoi(line[1:])
	_, _, why := g.locate(line[0], number, err == nil)
	return why
}

func (g *connect6) legal() (list []string) {
	for i := range g.Size * g.Size {
		if row, col := i/g.Size, i%g.Size; g.cells[row][col] == '.' {
			list = append(list, fmt.Sprintf("%c%d", 'A'+col, row))
		}
	}
	return list
}

func (g *connect6) locate(letter byte, row int, ok bool) (_, col int, why string) {
	col = int(letter) - 'A'
	if g.Has("any-case") {
		col = column(letter)
	}
	if g.Has("rows-from-one") {
		row--
	}
	switch {
	case !ok:
		return 0, 0, garbled
	case inside(g.Size, row, int(letter)-'a') && !g.Has("any-case"):
		return 0, 0, "names a column by a small letter"
	case !inside(g.Size, row, col), g.Has("first-row") && row == 0, g.Has("last-row") && row == g.Size-1, g.Has("last-column") && col == g.Size-1:
		return 0, 0, "is not on the board"
	case g.cells[row][col] != '.' && !g.Has("on-stones"):
		return 0, 0, "puts a stone on a stone"
	}
	return row, col, ""
}

func (g *connect6) place(row, col int) {
	last := g.left == 1
	if last || !g.Has("board-at-turn-end") {
		g.show()
	}
	full := g.count('.') == 0 && !g.Has("no-full-board") && (last || !g.Has("full-at-turn-end"))
	won := g.six(row, col) && (last || !g.Has("win-at-turn-end"))
	switch {
	case full && g.Has("full-first"), full && !won:
		g.because("fills the board")
		g.conclude(-1)
	case won:
		g.because("makes six in a row")
		g.conclude(g.player)
	}
}

// six reports whether a stone is part of a row that wins.
func (g *connect6) six(row, col int) bool {
	ways := []struct {
		dy, dx int
		not    Fault
	}{{0, 1, "no-horizontal"}, {1, 0, "no-vertical"}, {1, 1, "no-falling"}, {1, -1, "no-rising"}}
	for _, w := range ways {
		if g.Has(w.not) {
			continue
		}
		before, after := g.run(row, col, -w.dy, -w.dx), g.run(row, col, w.dy, w.dx)
		if g.Has("only-ends") && before > 0 && after > 0 {
			continue
		}
		if g.long(before + 1 + after) {
			return true
		}
	}
	return false
}

func (g *connect6) long(n int) bool {
	switch {
	case g.Has("five-wins"):
		return n >= 5
	case g.Has("seven-wins"):
		return n >= 7
	case g.Has("exactly-six"):
		return n == 6
	}
	return n >= 6
}

// run returns how many stones stand beside a stone in a direction.
func (g *connect6) run(row, col, dy, dx int) (n int) {
	own := stones[g.player]
	for {
		row, col = row+dy, col+dx
		if g.Has("lines-wrap") && dy == 0 && (col < 0 || col >= g.Size) {
			row, col = row+dx, (col+g.Size)%g.Size
		}
		if !inside(g.Size, row, col) || g.cells[row][col] == '.' || g.cells[row][col] != own && !g.Has("both-colours") || n > g.Size {
			return n
		}
		n++
	}
}
