package large

import (
	"math/rand/v2"
	"testing"

	"quintet/game"
	"quintet/games/othello"
	"quintet/lab/randomboard"
)

// boards plays random games on boards of all sizes and calls f with their positions.
func boards(t testing.TB, games int, f func(p *othello.Large, g *geometry, r *rand.Rand)) {
	t.Helper()
	source := rand.NewPCG(3, 3)
	r := rand.New(source)
	for i := range games {
		size := 10 + 2*(i%9)
		p := start(t, r, size, r.IntN(size*size/4))
		for g := geometryOf(p); !p.Result().Over(); p.Play(game.Sample(p, source, nil)) {
			f(p, &g, r)
		}
	}
}

// puts returns the number of moves that are not passes.
func puts(p game.Position) (n int) {
	for _, m := range p.Moves(nil) {
		if m != game.Pass {
			n++
		}
	}
	return n
}

// TestBoard compares moves and the boards after them with those of the game.
func TestBoard(t *testing.T) {
	passes := 0
	boards(t, 36, func(p *othello.Large, g *geometry, _ *rand.Rand) {
		b := g.boardOf(p)
		passed := p.Clone()
		passed.Play(game.Pass)
		if own, other := puts(p), puts(passed); own != b.count || other != b.answers {
			t.Fatalf("%s: %d and %d moves, want %d and %d", p, b.count, b.answers, own, other)
		}
		for _, m := range p.Moves(nil) {
			next := p.Clone().(*othello.Large)
			next.Play(m)
			want := g.boardOf(next)
			var got board
			if m == game.Pass {
				passes++
			}
			g.playMove(&b, m, &got)
			if got != want {
				t.Fatalf("%s: %+v after %s, want %+v", p, got, p.Format(m), want)
			}
		}
	})
	if passes == 0 {
		t.Error("no passes")
	}
}

// playMove sets out to the board after a legal move or a pass.
func (g *geometry) playMove(b *board, m game.Move, out *board) {
	if m == game.Pass {
		g.pass(b, out)
		return
	}
	g.play(b, int(m.To())/g.size, int(m.To())%g.size, out)
}

// start returns the start on a board with random pits.
func start(t testing.TB, r *rand.Rand, size, pits int) *othello.Large {
	t.Helper()
	p, err := othello.Game.Start(randomboard.Setup(size, pits, r))
	if err != nil {
		t.Fatal(err)
	}
	return p.(*othello.Large)
}
