package dialogue

// connect6 is the state of a game of Connect6.
type connect6 struct {
	*talk
	left int // stones to place in this turn
}

func playConnect6(t *talk) {
	t.begin(t.start())
	t.capitals = true
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
		if g.Over {
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
	ask := g.insist
	if g.Has("invalid-counts") {
		ask = g.askOnce
	}
	ok = ask(g.question(g.show), g.answerCell(g.notStone, func(y, x int) {
		row, col = y, x
		g.cells[row][col] = stones[g.player]
	}))
	return row, col, ok
}

// notStone returns why a stone cannot be placed on a cell, "" if it can.
func (g *connect6) notStone(row, col int) string {
	if g.cells[row][col] != '.' && !g.Has("on-stones") {
		return "puts a stone on a stone"
	}
	return ""
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
