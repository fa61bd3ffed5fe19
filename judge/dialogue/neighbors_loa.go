package dialogue

import (
	"bytes"
	"fmt"
	"strings"
)

// Faults of Neighbors and Lines of Action, which share most rules.
const (
	countsOwn       Fault = "counts-own"       // counts only own pieces
	countsEnemy     Fault = "counts-enemy"     // counts only enemy pieces
	countsOneMore   Fault = "counts-one-more"  // counts one piece too many (itself, in Neighbors)
	countsOneLess   Fault = "counts-one-less"  // counts one piece too few (itself, in Lines of Action)
	countsBeside    Fault = "counts-beside"    // counts only the four cells beside (Neighbors)
	countsSlanted   Fault = "counts-slanted"   // counts only the four diagonal cells (Neighbors)
	countsAhead     Fault = "counts-ahead"     // counts only pieces in the direction of the move (LOA)
	countsAround    Fault = "counts-around"    // counts neighbours (LOA)
	wrongDiagonal   Fault = "wrong-diagonal"   // counts the other diagonal (LOA)
	rowForColumn    Fault = "row-for-column"   // counts the row for a move along a column (LOA)
	shorter         Fault = "shorter"          // may go fewer steps
	longer          Fault = "longer"           // may go more steps
	anyLength       Fault = "any-length"       // may go any number of steps
	anyDirection    Fault = "any-direction"    // may go off the lines
	onlyDiagonals   Fault = "only-diagonals"   // may not go along rows and columns
	jumpsEnemy      Fault = "jumps-enemy"      // may jump over an enemy piece (LOA)
	noJumpEnemy     Fault = "no-jump-enemy"    // may not jump over an enemy piece (Neighbors)
	noJumpOwn       Fault = "no-jump-own"      // may not jump over an own piece
	fourConnected   Fault = "four-connected"   // diagonal neighbours do not connect
	bothMover       Fault = "both-mover"       // the mover wins when both are connected
	bothOther       Fault = "both-other"       // the other side wins when both are connected
	noSuicide       Fault = "no-suicide"       // sees only whether the mover is connected
	onlySuicide     Fault = "only-suicide"     // sees only whether the other side is connected
	singleApart     Fault = "single-apart"     // one single piece is not connected
	countKept       Fault = "count-kept"       // captured pieces still count
	noPass          Fault = "no-pass"          // asks a player who cannot move
	silentPass      Fault = "silent-pass"      // passes without a word
	passEnds        Fault = "pass-ends"        // a pass ends the game as a draw
	passLoses       Fault = "pass-loses"       // a player who must pass loses
	isolatedGoesOn  Fault = "isolated-goes-on" // the game goes on when all pieces are isolated (Neighbors)
	isolatedByOwn   Fault = "isolated-by-own"  // a piece without own neighbours is isolated (Neighbors)
	isolatedByEnemy Fault = "isolated-by-enemy"
	noSwap          Fault = "no-swap"       // the same player moves again
	columnsSwapped  Fault = "rows-columns"  // takes the letter for the row
	fromBottom      Fault = "from-bottom"   // counts rows from the bottom when reading
	startTurned     Fault = "start-turned"  // starts with the colours exchanged
	noLastBoard     Fault = "no-last-board" // prints no board after the last move
	LengthPrefix    Fault = "length-prefix" // looks at the first two characters only (D-04)
	StuckAsks       Fault = "stuck-asks"    // passes only when isolated (D-08, D-10)
	PassNoBoard     Fault = "pass-no-board" // prints no board before a pass (D-07)
	edgesConnect    Fault = "edges-connect" // groups wrap around the edges
	lastRow         Fault = "last-row"      // refuses the last row
	stays           Fault = "stays"         // a piece may stay where it is
)

// neighborsLOA is the state of a game of Neighbors or Lines of Action.
type neighborsLOA struct {
	*talk
	loa  bool
	lost [2]int // captured pieces of black and of white, for CountKept
}

// stones are the symbols of the players, in Connect6 too.
const stones = "BW"

func playNeighbors(t *talk) {
	t.begin(rows(".BBBWWW.", "W......B", "W......B", "W......B", "B......W", "B......W", "B......W", ".WWWBBB."))
	(&neighborsLOA{talk: t}).play()
}

func playLOA(t *talk) {
	t.begin(rows(".WWWWWW.", "B......B", "B......B", "B......B", "B......B", "B......B", "B......B", ".WWWWWW."))
	(&neighborsLOA{talk: t, loa: true}).play()
}

func rows(lines ...string) (cells [][]byte) {
	for _, line := range lines {
		cells = append(cells, []byte(line))
	}
	return cells
}

func (g *neighborsLOA) play() {
	if g.Has(startTurned) {
		for _, row := range g.cells {
			copy(row, bytes.Map(func(r rune) rune { return map[rune]rune{'B': 'W', 'W': 'B', '.': '.'}[r] }, row))
		}
	}
	for !g.stopped() {
		passed := g.turn()
		if g.stopped() {
			return
		}
		mover := g.player
		if !g.Has(noSwap) {
			g.player = 1 - g.player
		}
		if over := g.result(mover, passed); over != 0 {
			g.end(over)
			return
		}
	}
}

func (g *neighborsLOA) turn() (passed bool) {
	name := g.Words.Players[g.player]
	if g.passes() {
		if !g.Has(PassNoBoard) {
			g.show()
		}
		if !g.Has(silentPass) {
			g.say(PassText, g.Words.Pass, name)
		}
		g.because("has to pass")
		return true
	}
	g.show()
	q := asked{prompt: fmt.Sprintf(g.Words.Prompt, name), refused: g.Words.Invalid, again: g.show}
	g.choice = Choice{Turn: g.player, Cells: g.cells, Legal: g.legal, Why: func(line string) string {
		cells := strings.Fields(line)
		return g.refusal(cells[0], cells[1])
	}}
	g.insist(q, func() string {
		from, to := g.token(), g.token()
		if g.ended {
			return ""
		}
		why := g.refusal(from, to)
		if why == "" {
			g.move(g.cell(from), g.cell(to))
		}
		return why
	})
	return false
}

func (g *neighborsLOA) passes() bool {
	if g.Has(noPass) {
		return false
	}
	if g.Has(StuckAsks) && !g.isolated(g.player) {
		return false
	}
	return !g.canMove(g.player) || g.isolated(g.player)
}

// end prints the last board and the result: a side's letter, or 'D'.
func (g *neighborsLOA) end(result byte) {
	if !g.Has(noLastBoard) {
		g.show()
	}
	g.conclude(strings.IndexByte(stones, result))
}

func (g *neighborsLOA) move(from, to [2]int) {
	if enemy := g.at(to); enemy != '.' {
		g.lost[strings.IndexByte(stones, enemy)]++
		g.because("captures a piece")
	}
	g.cells[to[0]][to[1]] = g.at(from)
	if !g.Has(keepsSource) {
		g.cells[from[0]][from[1]] = '.'
	}
}
