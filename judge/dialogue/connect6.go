package dialogue

import (
	"fmt"
	"strconv"
)

// Faults of Connect6.
const (
	FirstTwo       Fault = "first-two"         // black places two stones at first
	OneEach        Fault = "one-each"          // every turn is one stone
	FiveWins       Fault = "five-wins"         // five in a row win
	SevenWins      Fault = "seven-wins"        // only seven in a row win
	ExactlySix     Fault = "exactly-six"       // more than six in a row do not win
	NoVertical     Fault = "no-vertical"       // columns do not count
	NoHorizontal   Fault = "no-horizontal"     // rows do not count
	NoFalling      Fault = "no-falling"        // diagonals that fall to the right do not count
	NoRising       Fault = "no-rising"         // diagonals that rise to the right do not count
	WinAtTurnEnd   Fault = "win-at-turn-end"   // a win counts only after the turn's last stone
	NoFullBoard    Fault = "no-full-board"     // a full board is no end
	FullAtTurnEnd  Fault = "full-at-turn-end"  // a full board counts only after the turn's last stone
	FullFirst      Fault = "full-first"        // a full board is a draw even with six in a row
	InvalidCounts  Fault = "invalid-counts"    // an invalid stone counts as placed
	BoardAtTurnEnd Fault = "board-at-turn-end" // the board is printed only after the turn's last stone
	OnStones       Fault = "on-stones"         // stones may replace stones
	FirstRow       Fault = "first-row"         // refuses row 0
	RowsFromOne    Fault = "rows-from-one"     // typed rows count from 1
	BothColours    Fault = "both-colours"      // stones of both colours count together
	OnlyEnds       Fault = "only-ends"         // sees a row only from its end
	NoFirstBoard   Fault = "no-first-board"    // the empty board is not printed
	ThreeEach      Fault = "three-each"        // every turn is three stones
	LinesWrap      Fault = "lines-wrap"        // rows continue in the next
)

// connect6 is the state of a game of Connect6.
type connect6 struct {
	*talk
	cells  [][]byte
	player int
	left   int
}

func playConnect6(t *talk) {
	g := &connect6{talk: t, cells: grid(t.Size), left: 1}
	if t.Has(SecondFirst) {
		g.player = 1
	}
	if t.Has(FirstTwo) {
		g.left = 2
	}
	if !t.Has(NoFirstBoard) {
		g.show(g.cells)
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
	case g.Has(OneEach):
		return 1
	case g.Has(ThreeEach):
		return 3
	}
	return 2
}

func (g *connect6) ask() (row, col int, ok bool) {
	w := g.Words
	prompt := w.Prompt
	if g.left == 1 && w.Second != "" && g.placed() > 0 {
		prompt = w.Second
	}
	if prompt == "-" {
		prompt = ""
	} else {
		prompt = fmt.Sprintf(prompt, w.Players[g.player])
	}
	q := asked{prompt: prompt, refused: w.Invalid, garbled: w.Invalid}
	if g.Has(Reprints) {
		q.again = func() { g.show(g.cells) }
	}
	g.choice = Choice{Turn: g.player, Cells: g.cells, Legal: g.legal, Why: g.why}
	answer := func() (why string) {
		row, col, why = g.cell()
		return why
	}
	if !g.Has(InvalidCounts) {
		return row, col, g.insist(q, answer) && g.set(row, col)
	}
	g.print(PromptText, q.prompt)
	if why := g.read(answer); why != "" && !g.ended {
		g.because(why)
		g.print(Refusal, q.refused)
		return 0, 0, false
	}
	return row, col, !g.ended && g.set(row, col)
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
	if g.Has(AnyCase) {
		col = column(letter)
	}
	if g.Has(RowsFromOne) {
		row--
	}
	switch {
	case !ok:
		return 0, 0, garbled
	case inside(g.Size, row, int(letter)-'a') && !g.Has(AnyCase):
		return 0, 0, "names a column by a small letter"
	case !inside(g.Size, row, col), g.Has(FirstRow) && row == 0, g.Has(LastRow) && row == g.Size-1, g.Has(LastColumn) && col == g.Size-1:
		return 0, 0, "is not on the board"
	case g.cells[row][col] != '.' && !g.Has(OnStones):
		return 0, 0, "puts a stone on a stone"
	}
	return row, col, ""
}

func (g *connect6) set(row, col int) bool {
	g.cells[row][col] = g.symbol()
	return true
}

func (g *connect6) symbol() byte { return "BW"[g.player] }

func (g *connect6) place(row, col int) {
	last := g.left == 1
	if last || !g.Has(BoardAtTurnEnd) {
		g.show(g.cells)
	}
	full := g.placed() == g.Size*g.Size && !g.Has(NoFullBoard) && (last || !g.Has(FullAtTurnEnd))
	won := g.six(row, col) && (last || !g.Has(WinAtTurnEnd))
	switch {
	case full && g.Has(FullFirst), full && !won:
		g.because("fills the board")
		g.finishWith(g.Words.Draw)
	case won:
		g.because("makes six in a row")
		names := g.Words.Winners
		if g.Has(WinnerSwapped) {
			names[0], names[1] = names[1], names[0]
		}
		g.finishWith(fmt.Sprintf(g.Words.Wins, names[g.player]))
	}
}

func (g *connect6) finishWith(result string) {
	if g.Has(NoDraw) && result == g.Words.Draw {
		result = fmt.Sprintf(g.Words.Wins, g.Words.Winners[0])
	}
	g.print(ResultText, g.Words.BeforeEnd+result)
	g.finish()
}

func (g *connect6) placed() (n int) {
	for _, row := range g.cells {
		for _, c := range row {
			if c != '.' {
				n++
			}
		}
	}
	return n
}

// six reports whether a stone is part of a row that wins.
func (g *connect6) six(row, col int) bool {
	ways := []struct {
		dy, dx int
		not    Fault
	}{{0, 1, NoHorizontal}, {1, 0, NoVertical}, {1, 1, NoFalling}, {1, -1, NoRising}}
	for _, w := range ways {
		if g.Has(w.not) {
			continue
		}
		before, after := g.run(row, col, -w.dy, -w.dx), g.run(row, col, w.dy, w.dx)
		if g.Has(OnlyEnds) && before > 0 && after > 0 {
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
	case g.Has(FiveWins):
		return n >= 5
	case g.Has(SevenWins):
		return n >= 7
	case g.Has(ExactlySix):
		return n == 6
	}
	return n >= 6
}

// run returns how many stones stand beside a stone in a direction.
func (g *connect6) run(row, col, dy, dx int) (n int) {
	own := g.symbol()
	for {
		row, col = row+dy, col+dx
		if g.Has(LinesWrap) && dy == 0 && (col < 0 || col >= g.Size) {
			row, col = row+dx, (col+g.Size)%g.Size
		}
		if !inside(g.Size, row, col) || g.cells[row][col] == '.' || g.cells[row][col] != own && !g.Has(BothColours) || n > g.Size {
			return n
		}
		n++
	}
}
