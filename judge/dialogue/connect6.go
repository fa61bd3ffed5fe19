package dialogue

import (
	"fmt"
	"strconv"
)

// Faults of Connect6.
const (
	firstTwo       Fault = "first-two"         // black places two stones at first
	oneEach        Fault = "one-each"          // every turn is one stone
	fiveWins       Fault = "five-wins"         // five in a row win
	sevenWins      Fault = "seven-wins"        // only seven in a row win
	exactlySix     Fault = "exactly-six"       // more than six in a row do not win
	noVertical     Fault = "no-vertical"       // columns do not count
	noHorizontal   Fault = "no-horizontal"     // rows do not count
	noFalling      Fault = "no-falling"        // diagonals that fall to the right do not count
	noRising       Fault = "no-rising"         // diagonals that rise to the right do not count
	winAtTurnEnd   Fault = "win-at-turn-end"   // a win counts only after the turn's last stone
	noFullBoard    Fault = "no-full-board"     // a full board does not end the game
	fullAtTurnEnd  Fault = "full-at-turn-end"  // a full board counts only after the turn's last stone
	fullFirst      Fault = "full-first"        // a full board is a draw even with six in a row
	invalidCounts  Fault = "invalid-counts"    // an invalid stone counts as placed
	boardAtTurnEnd Fault = "board-at-turn-end" // the board is printed only after the turn's last stone
	onStones       Fault = "on-stones"         // stones may replace stones
	firstRow       Fault = "first-row"         // refuses row 0
	rowsFromOne    Fault = "rows-from-one"     // typed rows count from 1
	bothColours    Fault = "both-colours"      // stones of both colours count together
	onlyEnds       Fault = "only-ends"         // sees a row only from its end
	noFirstBoard   Fault = "no-first-board"    // the empty board is not printed
	threeEach      Fault = "three-each"        // every turn is three stones
	linesWrap      Fault = "lines-wrap"        // rows continue in the next
)

// connect6 is the state of a game of Connect6.
type connect6 struct {
	*talk
	left int // stones to place in this turn
}

func playConnect6(t *talk) {
	t.begin(grid(t.Size))
	g := &connect6{talk: t, left: 1}
	if t.Has(firstTwo) {
		g.left = 2
	}
	if !t.Has(noFirstBoard) {
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
	case g.Has(oneEach):
		return 1
	case g.Has(threeEach):
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
	if g.Has(invalidCounts) {
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
	if g.Has(anyCase) {
		col = column(letter)
	}
	if g.Has(rowsFromOne) {
		row--
	}
	switch {
	case !ok:
		return 0, 0, garbled
	case inside(g.Size, row, int(letter)-'a') && !g.Has(anyCase):
		return 0, 0, "names a column by a small letter"
	case !inside(g.Size, row, col), g.Has(firstRow) && row == 0, g.Has(lastRow) && row == g.Size-1, g.Has(lastColumn) && col == g.Size-1:
		return 0, 0, "is not on the board"
	case g.cells[row][col] != '.' && !g.Has(onStones):
		return 0, 0, "puts a stone on a stone"
	}
	return row, col, ""
}

func (g *connect6) place(row, col int) {
	last := g.left == 1
	if last || !g.Has(boardAtTurnEnd) {
		g.show()
	}
	full := g.count('.') == 0 && !g.Has(noFullBoard) && (last || !g.Has(fullAtTurnEnd))
	won := g.six(row, col) && (last || !g.Has(winAtTurnEnd))
	switch {
	case full && g.Has(fullFirst), full && !won:
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
	}{{0, 1, noHorizontal}, {1, 0, noVertical}, {1, 1, noFalling}, {1, -1, noRising}}
	for _, w := range ways {
		if g.Has(w.not) {
			continue
		}
		before, after := g.run(row, col, -w.dy, -w.dx), g.run(row, col, w.dy, w.dx)
		if g.Has(onlyEnds) && before > 0 && after > 0 {
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
	case g.Has(fiveWins):
		return n >= 5
	case g.Has(sevenWins):
		return n >= 7
	case g.Has(exactlySix):
		return n == 6
	}
	return n >= 6
}

// run returns how many stones stand beside a stone in a direction.
func (g *connect6) run(row, col, dy, dx int) (n int) {
	own := stones[g.player]
	for {
		row, col = row+dy, col+dx
		if g.Has(linesWrap) && dy == 0 && (col < 0 || col >= g.Size) {
			row, col = row+dx, (col+g.Size)%g.Size
		}
		if !inside(g.Size, row, col) || g.cells[row][col] == '.' || g.cells[row][col] != own && !g.Has(bothColours) || n > g.Size {
			return n
		}
		n++
	}
}
