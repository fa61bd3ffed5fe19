// Package board8test checks the games on package board8: against a literal
// implementation of the specification's rule for a valid move, with constructed
// positions. Only tests import it.
package board8test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quintet/game"
	"quintet/game/board8"
	"quintet/lab/gametest"
)

// Rules is a game with its expected results.
type Rules struct {
	Game game.Game

	// Valid is the specification's rule for a move. The caller has checked that the
	// side has a piece on the first cell and none on the second.
	Valid func(b *Cells, s game.Side, from, to Cell) bool

	Leaves []uint64 // perft from the start at depths 1, 2, 3...
	Ends   []End
	Plays  []Play
}

// End is a position with its expected moves and result.
type End struct {
	Name, Text, Moves string
	Result            game.Result
}

// Play is a position, moves from it, and the expected outcome.
type Play struct {
	Name, Text, Moves, Want string
	Outcome                 game.Outcome
}

// Cell is a cell by row and column.
type Cell struct{ Row, Col int }

// OnBoard reports whether the cell is on the board.
func (c Cell) OnBoard() bool { return c.Row >= 0 && c.Row < 8 && c.Col >= 0 && c.Col < 8 }

// Step returns the cell some rows down and columns to the right.
func (c Cell) Step(down, right int) Cell { return Cell{c.Row + down, c.Col + right} }

// Line returns the direction and distance between two cells; ok is false if they are
// equal or not on a straight line.
func Line(from, to Cell) (down, right, length int, ok bool) {
	dy, dx := to.Row-from.Row, to.Col-from.Col
	length = max(dy, -dy, dx, -dx)
	sign := func(n int) int { return min(max(n, -1), 1) }
	return sign(dy), sign(dx), length, length > 0 && (dy == 0 || dx == 0 || dy == dx || dy == -dx)
}

// Cells is a board by rows and columns.
type Cells [8][8]game.Piece

// Has reports whether there is a piece on a cell; false outside the board.
func (b *Cells) Has(c Cell) bool { return c.OnBoard() && b[c.Row][c.Col].Kind != game.Empty }

// Belongs reports whether there is a piece of the side on a cell.
func (b *Cells) Belongs(c Cell, s game.Side) bool { return b.Has(c) && b[c.Row][c.Col].Side == s }

func cellsOf(p game.Position) (b Cells) {
	board := p.Board()
	for row := range b {
		for col := range b[row] {
			b[row][col] = board.At(row, col)
		}
	}
	return b
}

// Run checks the game.
func Run(t *testing.T, r Rules) {
	t.Helper()
	t.Run("plain", r.compareWithRule)
	t.Run("ends", r.ends)
	t.Run("plays", r.plays)
	t.Run("parse", r.parse)
	t.Run("perft", r.perft)
	t.Run("trees", r.fastPaths)
}

func (r Rules) read(t *testing.T, text string) game.Position {
	t.Helper()
	p, err := r.Game.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// moves returns all valid moves of a side, by origin and then destination.
func (r Rules) moves(b *Cells, s game.Side) (moves []game.Move) {
	for i := range 64 * 64 {
		from, to := Cell{i / 512, i / 64 % 8}, Cell{i / 8 % 8, i % 8}
		if b.Belongs(from, s) && !b.Belongs(to, s) && r.Valid(b, s, from, to) {
			moves = append(moves, game.Shift(game.Cell(i/64), game.Cell(i%64)))
		}
	}
	return moves
}

// compareWithRule compares the moves with the literal rule, in random games and
// random positions.
func (r Rules) compareWithRule(t *testing.T) {
	random := rand.NewPCG(1, 1)
	p := gametest.Start(t, r.Game, "")
	for range 2_000 {
		b := cellsOf(p)
		want, theirs := r.moves(&b, p.Turn()), r.moves(&b, p.Turn().Other())
		switch {
		case p.(interface{ GroupResult() game.Result }).GroupResult().Over():
			want = nil
		case len(want) == 0 && len(theirs) > 0:
			want = []game.Move{game.Pass}
		}
		if got := p.Moves(nil); !slices.Equal(got, want) {
			t.Fatalf("%s: moves %v, want %v", p, got, want)
		}
		if p.Result().Over() {
			p = r.randomPosition(t, random)
			continue
		}
		p.Play(game.Sample(p, random, nil))
	}
}

// randomPosition returns a random position of up to 24 pieces.
func (r Rules) randomPosition(t *testing.T, random *rand.PCG) game.Position {
	t.Helper()
	var first, second uint64
	for range 2 + game.IntN(random, 23) {
		bit := board8.Bit(game.Cell(game.IntN(random, 64)))
		first, second = first&^bit, second&^bit
		if game.IntN(random, 2) == 0 {
			first |= bit
		} else {
			second |= bit
		}
	}
	placement := board8.New(first, second)
	if game.IntN(random, 2) == 0 {
		placement.Play(game.Pass)
	}
	return r.read(t, placement.String())
}

func (r Rules) ends(t *testing.T) {
	for _, end := range r.Ends {
		p := r.read(t, end.Text)
		var names []string
		for _, m := range p.Moves(nil) {
			names = append(names, p.Format(m))
		}
		if got := strings.Join(names, " "); got != end.Moves || p.Result() != end.Result {
			t.Errorf("%s, %s: moves %q, %s, want %q, %s", end.Name, end.Text, got, p.Result(), end.Moves, end.Result)
		}
	}
}

func (r Rules) plays(t *testing.T) {
	for _, play := range r.Plays {
		m := game.NewMatch(r.Game, r.read(t, play.Text))
		for _, s := range strings.Fields(play.Moves) {
			if err := m.PlayText(s); err != nil {
				t.Fatalf("%s: %v", play.Name, err)
			}
		}
		if got := m.Position().String(); got != play.Want || m.Outcome() != play.Outcome {
			t.Errorf("%s: %s, %v, want %s, %v", play.Name, got, m.Outcome(), play.Want, play.Outcome)
		}
	}
}

func (r Rules) parse(t *testing.T) {
	p := gametest.Start(t, r.Game, "")
	legal := p.Format(p.Moves(nil)[5])
	for _, s := range []string{legal, strings.ToUpper(legal)} {
		if m, err := p.Parse(s); err != nil || p.Format(m) != legal {
			t.Errorf("Parse(%q) = %v, %v", s, m, err)
		}
	}
	for _, s := range []string{"d4d5", "a0a0", "a0a1", "h7a0", "pass", "PASS"} {
		if m, err := p.Parse(s); !errors.Is(err, game.ErrIllegal) || !strings.Contains(err.Error(), s) {
			t.Errorf("Parse(%q) = %v, %v, want an error that is %q and names the move", s, m, err, game.ErrIllegal)
		}
	}
	for _, s := range []string{"", "d0", "d0f8", "i0a0", "d0-f2", "d0 f2", "d0f2x", "d00f2"} {
		if m, err := p.Parse(s); err == nil || errors.Is(err, game.ErrIllegal) {
			t.Errorf("Parse(%q) = %v, %v, want an error that it is no move", s, m, err)
		}
	}
}

func (r Rules) perft(t *testing.T) {
	p := gametest.Start(t, r.Game, "").(game.Perfter)
	for i, want := range r.Leaves {
		if got := p.Perft(i + 1); got != want {
			t.Errorf("Perft(%d) = %d, want %d", i+1, got, want)
		}
	}
}

// fastPaths compares Count, Sample and Perft with the list of moves in rare
// positions: at every kind of end, at forced passes, and in random positions.
func (r Rules) fastPaths(t *testing.T) {
	for _, end := range r.Ends {
		gametest.CheckFastPaths(t, r.read(t, end.Text), rand.NewPCG(3, 3), 3)
	}
	random := rand.NewPCG(2, 2)
	for range 100 {
		gametest.CheckFastPaths(t, r.randomPosition(t, random), rand.NewPCG(3, 3), 2)
	}
}
