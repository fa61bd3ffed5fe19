package bots

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"testing"

	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

// beginner plays Othello like a beginner: it takes a corner if it can, and otherwise flips
// as many discs as possible. Ties are broken at random.
type beginner struct{ random *rand.PCG }

func (b *beginner) choose(p *othello.Small) game.Move {
	w, best, most, n := p.Bitboards(), game.Pass, -1, 0
	const corners = 0x8100000000000081
	for m := w.Moves; m != 0; m &= m - 1 {
		square := bits.TrailingZeros64(m)
		discs := bits.OnesCount64(othello.Flips(w.Own, w.Other, square))
		if uint64(corners)>>square&1 != 0 {
			discs += 64
		}
		if discs > most {
			most, n = discs, 0
		}
		if n++; discs == most && game.IntN(b.random, n) == 0 {
			best = p.Move(square)
		}
	}
	return best
}

// duel lets a level play a beginner, and returns the share of points of the level.
func duel(t *testing.T, n, games int) float64 {
	t.Helper()
	level, err := newLevelPlayer(othello.Game, n, Options{Megabytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	points := 0.0
	for i := range games {
		start, err := othello.Game.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		m := game.NewMatch(othello.Game, start)
		b := beginner{rand.NewPCG(2, uint64(i))}
		level.NewGame(uint64(i))
		for !m.Position().Result().Over() {
			mv := b.choose(m.Position().(*othello.Small))
			if int(m.Position().Turn()) == i%2 {
				if mv, err = level.Choose(context.Background(), m, engine.Limit{}); err != nil {
					t.Fatal(err)
				}
			}
			if err := m.Play(mv); err != nil {
				t.Fatal(err)
			}
		}
		switch winner, ok := m.Position().Result().Winner(); {
		case !ok:
			points += 0.5
		case int(winner) == i%2:
			points++
		}
	}
	return points / float64(games)
}

// TestBeginner checks that Othello's first three levels lose to a beginner and that the
// fourth wins.
func TestBeginner(t *testing.T) {
	for n, want := range map[int][2]float64{1: {0.1, 0.35}, 2: {0.2, 0.45}, 3: {0.35, 0.5}, 4: {0.5, 0.8}} {
		if share := duel(t, n, 400); share < want[0] || share >= want[1] {
			t.Errorf("level %d scores %.3f, want %v", n, share, want)
		}
	}
}
