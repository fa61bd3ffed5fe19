package dialogue

import (
	"bytes"
	"fmt"
	"strings"
)

// Faults of Neighbors and Lines of Action, which share most rules.
const (
	CountsOwn       Fault = "counts-own"       // counts only own pieces
	CountsEnemy     Fault = "counts-enemy"     // counts only enemy pieces
	CountsOneMore   Fault = "counts-one-more"  // counts one piece too many (itself, in Neighbors)
	CountsOneLess   Fault = "counts-one-less"  // counts one piece too few (itself, in Lines of Action)
	CountsBeside    Fault = "counts-beside"    // counts only the four cells beside (Neighbors)
	CountsSlanted   Fault = "counts-slanted"   // counts only the four diagonal cells (Neighbors)
	CountsAhead     Fault = "counts-ahead"     // counts only pieces in the direction of the move (LOA)
	CountsAround    Fault = "counts-around"    // counts neighbours (LOA)
	WrongDiagonal   Fault = "wrong-diagonal"   // counts the other diagonal (LOA)
	RowForColumn    Fault = "row-for-column"   // counts the row for a move along a column (LOA)
	Shorter         Fault = "shorter"          // may go fewer steps
	Longer          Fault = "longer"           // may go more steps
	AnyLength       Fault = "any-length"       // may go any number of steps
	AnyDirection    Fault = "any-direction"    // may go off the lines
	OnlyDiagonals   Fault = "only-diagonals"   // may not go along rows and columns
	JumpsEnemy      Fault = "jumps-enemy"      // may jump over an enemy piece (LOA)
	NoJumpEnemy     Fault = "no-jump-enemy"    // may not jump over an enemy piece (Neighbors)
	NoJumpOwn       Fault = "no-jump-own"      // may not jump over an own piece
	FourConnected   Fault = "four-connected"   // diagonal neighbours do not connect
	BothMover       Fault = "both-mover"       // the mover wins when both are connected
	BothOther       Fault = "both-other"       // the other side wins when both are connected
	NoSuicide       Fault = "no-suicide"       // sees only whether the mover is connected
	OnlySuicide     Fault = "only-suicide"     // sees only whether the other side is connected
	SingleApart     Fault = "single-apart"     // one single piece is not connected
	CountKept       Fault = "count-kept"       // captured pieces still count
	NoPass          Fault = "no-pass"          // asks a player who cannot move
	SilentPass      Fault = "silent-pass"      // passes without a word
	PassEnds        Fault = "pass-ends"        // a pass ends the game as a draw
	PassLoses       Fault = "pass-loses"       // a player who must pass loses
	IsolatedGoesOn  Fault = "isolated-goes-on" // all isolated is no end (Neighbors)
	IsolatedByOwn   Fault = "isolated-by-own"  // a piece without own neighbours is isolated (Neighbors)
	IsolatedByEnemy Fault = "isolated-by-enemy"
	NoSwap          Fault = "no-swap"       // the same player moves again
	ColumnsSwapped  Fault = "rows-columns"  // takes the letter for the row
	FromBottom      Fault = "from-bottom"   // counts rows from the bottom when reading
	StartTurned     Fault = "start-turned"  // starts with the colours exchanged
	NoLastBoard     Fault = "no-last-board" // prints no board after the last move
	LengthPrefix    Fault = "length-prefix" // looks at the first two characters only (D-04)
	StuckAsks       Fault = "stuck-asks"    // passes only when isolated (D-08, D-10)
	PassNoBoard     Fault = "pass-no-board" // prints no board before a pass (D-07)
	EdgesConnect    Fault = "edges-connect" // groups wrap around the edges
	LastRow         Fault = "last-row"      // refuses the last row
	Stays           Fault = "stays"         // a piece may stay where it is
)

// neighborsLOA is the state of a game of Neighbors or Lines of Action.
type neighborsLOA struct {
	*talk
	loa    bool
	cells  [][]byte
	player int // 0 or 1
	sides  [2]byte
	lost   [2]int // captured pieces of black and of white, for CountKept
}

func playNeighbors(t *talk) {
	g := &neighborsLOA{talk: t, sides: [2]byte{'B', 'W'}, cells: rows(
		".BBBWWW.", "W......B", "W......B", "W......B", "B......W", "B......W", "B......W", ".WWWBBB.")}
	g.play()
}

func playLOA(t *talk) {
	g := &neighborsLOA{talk: t, loa: true, sides: [2]byte{'B', 'W'}, cells: rows(
		".WWWWWW.", "B......B", "B......B", "B......B", "B......B", "B......B", "B......B", ".WWWWWW.")}
	g.play()
}

func rows(lines ...string) (cells [][]byte) {
	for _, line := range lines {
		cells = append(cells, []byte(line))
	}
	return cells
}

func (g *neighborsLOA) play() {
	if g.Has(StartTurned) {
		for _, row := range g.cells {
			copy(row, bytes.Map(func(r rune) rune { return map[rune]rune{'B': 'W', 'W': 'B', '.': '.'}[r] }, row))
		}
	}
	if g.Has(SecondFirst) {
		g.player = 1
	}
	for !g.stopped() {
		passed := g.turn()
		if g.stopped() {
			return
		}
		mover := g.player
		if !g.Has(NoSwap) {
			g.player = 1 - g.player
		}
		if over := g.result(mover, passed); over != 0 {
			g.end(over)
			return
		}
	}
}

func (g *neighborsLOA) turn() (passed bool) {
	name := string(g.sides[g.player])
	if g.passes() {
		if !g.Has(PassNoBoard) {
			g.show(g.cells)
		}
		if !g.Has(SilentPass) {
			g.say(PassText, g.Words.Pass, name)
		}
		g.because("has to pass")
		return true
	}
	g.show(g.cells)
	q := asked{prompt: fmt.Sprintf(g.Words.Prompt, name), refused: g.Words.Invalid}
	if g.Has(Reprints) {
		q.again = func() { g.show(g.cells) }
	}
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
	if g.Has(NoPass) {
		return false
	}
	if g.Has(StuckAsks) && !g.isolated(g.player) {
		return false
	}
	return !g.canMove(g.player) || g.isolated(g.player)
}

// end prints the last board and the result: a side's letter, or 'D'.
func (g *neighborsLOA) end(result byte) {
	if !g.Has(NoLastBoard) {
		g.show(g.cells)
	}
	g.print(ResultText, g.Words.BeforeEnd)
	if g.Has(NoDraw) && result == 'D' {
		result = 'B'
	}
	switch winner := bytes.IndexByte(g.sides[:], result); {
	case winner < 0:
		g.say(ResultText, "%s", g.Words.Draw)
	case g.Has(WinnerSwapped):
		g.say(ResultText, g.Words.Wins, g.Words.Winners[1-winner])
	default:
		g.say(ResultText, g.Words.Wins, g.Words.Winners[winner])
	}
	g.finish()
}

func (g *neighborsLOA) move(from, to [2]int) {
	if enemy := g.at(to); enemy != '.' {
		g.lost[bytes.IndexByte(g.sides[:], enemy)]++
		g.because("captures a piece")
	}
	g.cells[to[0]][to[1]] = g.at(from)
	if !g.Has(KeepsSource) {
		g.cells[from[0]][from[1]] = '.'
	}
}

func (g *neighborsLOA) at(c [2]int) byte { return g.cells[c[0]][c[1]] }
