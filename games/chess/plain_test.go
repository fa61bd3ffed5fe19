package chess_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"quintet/game"
	"quintet/games/chess"
)

// plain is the rules as the specification words them, on an array of cells
// that remembers of each piece whether it has moved. It is the oracle of the
// sets and tables.
type plain struct {
	pieces [8][8]game.Piece
	moved  [8][8]bool
	turn   game.Side
}

func newPlain(p *chess.Position) *plain {
	q := &plain{turn: p.Turn()}
	for c := range 64 {
		q.pieces[c/8][c%8] = p.At(game.Cell(c))
		// Unmoved, as in a game from the start, are pawns at home.
		home := map[game.Side]int{game.First: 6, game.Second: 1}[q.pieces[c/8][c%8].Side]
		q.moved[c/8][c%8] = c/8 != home
	}
	return q
}

// valid is the rule of section 6.2 for a move of the side whose turn it is.
func (p *plain) valid(y1, x1, y2, x2 int) bool {
	piece, target := p.pieces[y1][x1], p.pieces[y2][x2]
	if piece.Kind == game.Empty || piece.Side != p.turn || y1 == y2 && x1 == x2 {
		return false
	}
	if piece.Kind == chess.Pawn {
		return p.pawnValid(y1, x1, y2, x2)
	}
	if target.Kind != game.Empty && target.Side == piece.Side {
		return false
	}
	dy, dx := abs(y2-y1), abs(x2-x1)
	direct, slanting := dy == 0 || dx == 0, dy == dx
	switch piece.Kind {
	case chess.King:
		return max(dy, dx) == 1
	case chess.Knight:
		return dy*dx == 2
	case chess.Rook:
		return direct && p.free(y1, x1, y2, x2)
	case chess.Bishop:
		return slanting && p.free(y1, x1, y2, x2)
	}
	return (direct || slanting) && p.free(y1, x1, y2, x2)
}

func (p *plain) pawnValid(y1, x1, y2, x2 int) bool {
	ahead, target := y1-y2, p.pieces[y2][x2]
	if p.turn == game.Second {
		ahead = -ahead
	}
	switch {
	case ahead == 1 && x1 == x2:
		return target.Kind == game.Empty
	case ahead == 2 && x1 == x2:
		return !p.moved[y1][x1] && target.Kind == game.Empty && p.pieces[(y1+y2)/2][x1].Kind == game.Empty
	case ahead == 1 && abs(x1-x2) == 1:
		return target.Kind != game.Empty && target.Side != p.turn
	}
	return false
}

// free reports whether the cells strictly between two on a line are empty.
func (p *plain) free(y1, x1, y2, x2 int) bool {
	dy, dx := sign(y2-y1), sign(x2-x1)
	for y, x := y1+dy, x1+dx; y != y2 || x != x2; y, x = y+dy, x+dx {
		if p.pieces[y][x].Kind != game.Empty {
			return false
		}
	}
	return true
}

func (p *plain) move(y1, x1, y2, x2 int) {
	p.pieces[y2][x2], p.moved[y2][x2] = p.pieces[y1][x1], true
	p.pieces[y1][x1] = game.Piece{}
}

// moves lists the moves of the side whose turn it is, passes apart, by cells
// ascending.
func (p *plain) moves() (moves []game.Move) {
	for from := range 64 {
		for to := range 64 {
			if p.valid(from/8, from%8, to/8, to%8) {
				moves = append(moves, game.Shift(game.Cell(from), game.Cell(to)))
			}
		}
	}
	return moves
}

// legal is moves with the end of the game and passes.
func (p *plain) legal() []game.Move {
	if !p.king(game.First) || !p.king(game.Second) {
		return nil
	}
	moves, other := p.moves(), *p
	other.turn = p.turn.Other()
	if len(moves) == 0 && len(other.moves()) > 0 {
		return []game.Move{game.Pass}
	}
	return moves
}

func (p *plain) king(s game.Side) bool { return p.count(game.Piece{Kind: chess.King, Side: s}) > 0 }

func (p *plain) count(piece game.Piece) (n int) {
	for _, row := range p.pieces {
		for _, m := range row {
			if m == piece {
				n++
			}
		}
	}
	return n
}

func (p *plain) score(s game.Side) (sum int) {
	worth := map[byte]int{chess.King: 1000, chess.Queen: 50, chess.Bishop: 20, chess.Knight: 10, chess.Rook: 5, chess.Pawn: 1}
	for kind, each := range worth {
		sum += each * p.count(game.Piece{Kind: kind, Side: s})
	}
	return sum
}

func (p *plain) play(m game.Move) {
	if from, ok := m.From(); ok {
		p.move(int(from/8), int(from%8), int(m.To()/8), int(m.To()%8))
	}
	p.turn = p.turn.Other()
}

func (p *plain) leaves(depth int) uint64 {
	if depth == 0 {
		return 1
	}
	moves := p.legal()
	n := uint64(0)
	for _, m := range moves {
		child := *p
		child.play(m)
		n += child.leaves(depth - 1)
	}
	return max(n, 1)
}

func abs(n int) int { return max(n, -n) }

func sign(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}

// TestAgainstPlain plays random games from the start by both rules.
func TestAgainstPlain(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.NewPCG(seed, 1)
		p := chess.Start()
		q := newPlain(p)
		for ply := 0; ply < 300; ply++ {
			want := q.legal()
			if got := p.Moves(nil); !slices.Equal(got, want) {
				t.Fatalf("seed %d, %s: moves %v, want %v", seed, p, got, want)
			}
			checkScores(t, p, q)
			checkHomeRanks(t, p, q)
			if len(want) == 0 {
				break
			}
			m := want[game.IntN(r, len(want))]
			p.Play(m)
			q.play(m)
		}
	}
}

func checkScores(t *testing.T, p *chess.Position, q *plain) {
	t.Helper()
	for _, s := range []game.Side{game.First, game.Second} {
		if got, want := p.Score(s), q.score(s); got != want {
			t.Errorf("%s: score of the %s side %d, want %d", p, s, got, want)
		}
	}
	want := fmt.Sprintf("White %d, Black %d", q.score(game.First), q.score(game.Second))
	if got := p.Board().Note; got != want {
		t.Errorf("%s: note %q, want %q", p, got, want)
	}
}

// checkHomeRanks fails if standing on its home rank is not the same as never
// having moved, for some pawn.
func checkHomeRanks(t *testing.T, p *chess.Position, q *plain) {
	t.Helper()
	for c := range 64 {
		piece := q.pieces[c/8][c%8]
		atHome := c/8 == 6 && piece.Side == game.First || c/8 == 1 && piece.Side == game.Second
		if piece.Kind == chess.Pawn && q.moved[c/8][c%8] == atHome {
			t.Errorf("%s: pawn on cell %d: moved %t, on its home rank %t", p, c, !atHome, atHome)
		}
	}
}
