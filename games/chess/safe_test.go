package chess_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quintet/game"
	"quintet/games/chess"
)

// takes returns the moves that capture a king.
func takes(p *chess.Position) (moves []game.Move) {
	for _, m := range p.Moves(nil) {
		if p.At(m.To()).Kind == chess.King && m != game.Pass {
			moves = append(moves, m)
		}
	}
	return moves
}

// TestSafeMoves compares the safe moves with those found by looking one ply
// further, in random games.
func TestSafeMoves(t *testing.T) {
	r := rand.NewPCG(3, 1)
	for range 300 {
		p := chess.Start()
		for ply := 0; ply < 150 && !p.Result().Over(); ply++ {
			checkSafe(t, p)
			p.Play(p.Sample(r))
		}
	}
}

func checkSafe(t *testing.T, p *chess.Position) {
	t.Helper()
	var want, captures []game.Move
	for _, m := range p.Moves(nil) {
		q := *p
		if q.Play(m); len(takes(&q)) > 0 {
			continue
		}
		want = append(want, m)
		if m != game.Pass && p.At(m.To()).Kind != game.Empty {
			captures = append(captures, m)
		}
	}
	got, gotCaptures := p.SafeMoves(nil), p.SafeCaptures(nil)
	slices.Sort(got)
	slices.Sort(gotCaptures)
	slices.Sort(want)
	slices.Sort(captures)
	switch wins := takes(p); {
	case len(wins) > 0:
		if len(got) != 1 || !slices.Contains(wins, got[0]) || !slices.Equal(got, gotCaptures) {
			t.Errorf("%s: %v and %v, want one of %v", p, got, gotCaptures, wins)
		}
	case len(want) == 0 || want[0] == game.Pass:
		if len(got) != 1 || !game.Legal(p, got[0]) {
			t.Errorf("%s: %v, want one legal move", p, got)
		}
	case !slices.Equal(got, want) || !slices.Equal(gotCaptures, captures):
		t.Errorf("%s: %v and %v, want %v and %v", p, got, gotCaptures, want, captures)
	}
}

// TestThreatened asks whether the opponent, given the turn, captures the king.
func TestThreatened(t *testing.T) {
	r := rand.NewPCG(4, 1)
	for range 100 {
		for p := chess.Start(); !p.Result().Over(); p.Play(p.Sample(r)) {
			q := *p
			q.Play(game.Pass)
			if got, want := p.Threatened(), len(takes(&q)) > 0; got != want {
				t.Errorf("%s: threatened %t, want %t", p, got, want)
			}
		}
	}
}

// TestThreatens plays each move instead.
func TestThreatens(t *testing.T) {
	r := rand.NewPCG(5, 1)
	for range 100 {
		for p := chess.Start(); !p.Result().Over(); p.Play(p.Sample(r)) {
			for _, m := range p.Moves(nil) {
				q := *p
				if q.Play(m); q.Result().Over() {
					continue
				}
				if got, want := p.Threatens(m), q.Threatened(); got != want {
					t.Fatalf("%s: %v threatens %t, want %t", p, m, got, want)
				}
			}
		}
	}
}

// TestReach compares what a piece reaches with its moves on a board where
// everything else can be captured.
func TestReach(t *testing.T) {
	for _, kind := range []byte{chess.King, chess.Queen, chess.Rook, chess.Bishop, chess.Knight} {
		got := chess.Reach(kind, 27, 1<<27|1<<29|1<<9)
		back := uint64(0)
		for c := range 64 {
			back |= chess.Reach(kind, c, 1<<27|1<<29|1<<9) >> 27 & 1 << c
		}
		if got == 0 || got != back {
			t.Errorf("%c reaches %x, and is reached from %x", kind, got, back)
		}
	}
	if chess.Reach(chess.Pawn, 27, 0) != 0 {
		t.Error("a pawn reaches something")
	}
}
