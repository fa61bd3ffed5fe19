package dialogue

import "fmt"

// Faults of Othello.
const (
	noUpward       Fault = "no-upward"       // never turns discs above
	noLeftward     Fault = "no-leftward"     // never turns discs to the left
	noDownward     Fault = "no-downward"     // never turns discs below
	noRightward    Fault = "no-rightward"    // never turns discs to the right
	flipsOneLine   Fault = "flips-one-line"  // turns one line only
	flipsOneDisc   Fault = "flips-one-disc"  // turns only the disc next to the one that is placed
	needsNoFlip    Fault = "needs-no-flip"   // a move beside an enemy disc need turn nothing
	anyEmpty       Fault = "any-empty"       // any empty cell will do
	linesOfOne     Fault = "lines-of-one"    // turns only lines of one disc
	openLines      Fault = "open-lines"      // a line need not end with an own disc
	pitsAsEnemy    Fault = "pits-as-enemy"   // pits count as enemy discs in a line
	pitsAsOwn      Fault = "pits-as-own"     // pits count as own discs at the end of a line
	pitsCounted    Fault = "pits-counted"    // pits count as discs of white in the result
	emptyCounted   Fault = "empty-counted"   // empty cells count for the winner... as discs of black
	onPits         Fault = "on-pits"         // discs may be placed on pits
	asksStuck      Fault = "asks-stuck"      // asks a player who has no move
	onePassEnds    Fault = "one-pass-ends"   // one pass ends the game
	passesAdd      Fault = "passes-add"      // a move between passes does not reset their count
	passNoRound    Fault = "pass-no-round"   // a pass uses up no round number
	passKeepsTurn  Fault = "pass-keeps-turn" // the same player moves after a pass
	fullGoesOn     Fault = "full-goes-on"    // a full board does not end the game
	fullByDiscs    Fault = "full-by-discs"   // pits are taken for cells to fill
	pitsOneLess    Fault = "pits-one-less"   // half the board is too many
	pitsOneMore    Fault = "pits-one-more"   // one pit more than half the board is allowed
	pitsAny        Fault = "pits-any"        // any number of pits is allowed
	pitsOnDiscs    Fault = "pits-on-discs"   // pits may replace the discs of the start
	pitsTwice      Fault = "pits-twice"      // a pit may be placed on a pit
	badPitSkips    Fault = "bad-pit-skips"   // an invalid position uses up the pit
	pitsFromZero   Fault = "pits-from-zero"  // pits are numbered from 0
	pitsClamped    Fault = "pits-clamped"    // too many pits become the most that are allowed
	rowsFromZero   Fault = "rows-from-zero"  // typed rows count from 0
	roundsFromZero Fault = "rounds-from-zero"
	roundsInPairs  Fault = "rounds-in-pairs" // a round is two turns
	startMirrored  Fault = "start-mirrored"  // the discs of the start are exchanged
	fewerWins      Fault = "fewer-wins"      // the side with fewer discs wins
	edgesWrap      Fault = "edges-wrap"      // lines continue at the other edge
	lastColumn     Fault = "last-column"     // refuses the last column
	endsWithout    Fault = "ends-without"    // a side without discs ends the game at once
	keepsFlipping  Fault = "flips-later"     // turned discs turn others in turn
)

// othello is the state of a game of Othello.
type othello struct {
	*talk
	passes int
}

// discs are the symbols of the players.
const discs = "XO"

func playOthello(t *talk) {
	t.begin(grid(t.Size))
	g := &othello{talk: t}
	h := t.Size / 2
	a, b := discs[0], discs[1]
	if t.Has(startMirrored) {
		a, b = b, a
	}
	g.cells[h-1][h-1], g.cells[h][h], g.cells[h-1][h], g.cells[h][h-1] = a, a, b, b
	g.digPits()
	for !g.full() && g.passes < 2 && !g.stopped() && !g.wiped() {
		g.turn()
	}
	g.end()
}

func (g *othello) digPits() {
	pits, most := 0, g.Size*g.Size/2
	switch {
	case g.Has(pitsOneLess):
		most--
	case g.Has(pitsOneMore):
		most++
	case g.Has(pitsAny):
		most = g.Size * g.Size
	}
	g.insist(asked{prompt: g.Words.PitCount, refused: g.Words.TooMany}, func() string {
		n, ok := g.integer()
		if !ok {
			return garbled
		}
		pits = n
		g.open = g.open || n < 0
		if n > most {
			if g.Has(pitsClamped) {
				pits = most
				g.print(Refusal, g.Words.TooMany)
				return ""
			}
			return "asks for more pits than half of the cells"
		}
		return ""
	})
	for i := 1; i <= pits && !g.stopped(); i++ {
		g.digPit(i)
	}
}

func (g *othello) digPit(i int) {
	if g.Has(pitsFromZero) {
		i--
	}
	q := asked{prompt: fmt.Sprintf(g.Words.PitPlace, i), refused: g.Words.BadPit}
	dig := g.answer(g.notPit, func(row, col int) { g.cells[row][col] = '#' })
	if g.Has(badPitSkips) {
		g.askOnce(q, dig)
	} else {
		g.insist(q, dig)
	}
}

// answer offers the cells that are not refused, and returns a function that reads one and
// calls do with it.
func (g *othello) answer(refused func(row, col int) string, do func(row, col int)) func() string {
	g.choice = Choice{Turn: g.player, Cells: g.cells, Legal: g.cellsFor(refused), Why: g.whyCell(refused)}
	return func() string {
		row, col, why := g.cell()
		if why == "" && !g.ended {
			if why = refused(row, col); why == "" {
				do(row, col)
			}
		}
		return why
	}
}

// cell reads a place on the board, or returns why it is none.
func (g *othello) cell() (row, col int, why string) {
	letter, number, ok := g.letterNumber()
	if g.ended {
		return 0, 0, ""
	}
	g.form(letter, number)
	return g.locate(letter, number, ok)
}

func (g *othello) locate(letter byte, number int, ok bool) (row, col int, why string) {
	row, col = number-1, column(letter)
	if g.Has(rowsFromZero) {
		row = number
	}
	if g.Has(columnsSwapped) {
		row, col = col, row
	}
	lower := letter >= 'a'
	switch {
	case !ok:
		return 0, 0, garbled
	case !inside(g.Size, row, col), g.Has(lastRow) && row == g.Size-1, g.Has(lastColumn) && col == g.Size-1:
		return 0, 0, "is not on the board"
	case g.Has(oneCase) && lower:
		return 0, 0, "names a column by a small letter"
	}
	return row, col, ""
}

func (g *othello) turn() {
	if g.has(g.player) || g.Has(asksStuck) {
		g.showRound()
		g.passes = map[bool]int{true: g.passes}[g.Has(passesAdd)]
		g.ask()
	} else {
		g.pass()
		if g.Has(passKeepsTurn) {
			g.player = 1 - g.player
		}
	}
	g.player = 1 - g.player
	g.round++
}

func (g *othello) pass() {
	if !g.Has(PassNoBoard) {
		g.showRound()
	}
	if !g.Has(silentPass) {
		g.say(PassText, g.Words.Pass, g.Words.Players[g.player])
	}
	g.because("leaves the next player no move")
	g.passes++
	if g.Has(onePassEnds) {
		g.passes = 2
	}
	if g.Has(passNoRound) {
		g.round--
	}
}

func (g *othello) ask() {
	q := asked{prompt: fmt.Sprintf(g.Words.Prompt, g.Words.Players[g.player]), refused: g.Words.Invalid, again: g.showRound}
	g.insist(q, g.answer(g.notMove, func(row, col int) { g.place(row, col, g.turns(g.player, row, col)) }))
}

func (g *othello) place(row, col int, turned [][2]int) {
	own := discs[g.player]
	g.cells[row][col] = own
	for _, c := range turned {
		g.cells[c[0]][c[1]] = own
	}
	if g.Has(keepsFlipping) {
		for _, c := range turned {
			for _, d := range g.turns(g.player, c[0], c[1]) {
				g.cells[d[0]][d[1]] = own
			}
		}
	}
}
