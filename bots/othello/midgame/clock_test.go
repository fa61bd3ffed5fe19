package midgame

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"testing"
	"time"

	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

// TestClock plays a game on a clock that counts nodes against random moves. The clock must
// suffice, most of it must be used, and the moves near the end of the game, where more nodes
// prevent most errors, must get more than those of the opening.
func TestClock(t *testing.T) {
	const clock = 400_000 // nodes
	s := New(trained(t), 1, 1)
	p, err := othello.Game.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	at, r := p.(*othello.Small), rand.NewPCG(1, 1)
	left := clock
	var used [65]int // by empty cells
	for first := at.Turn(); !at.Result().Over(); {
		if at.Turn() != first {
			at.Play(game.Sample(at, r, nil))
			continue
		}
		limit := engine.Limit{NodesTime: 1, Clock: engine.Clock{Left: time.Duration(left) * time.Millisecond}}
		l := s.Search(context.Background(), engine.Position{Position: at}, limit, nil)
		used[bits.OnesCount64(at.Bitboards().Empty())] = int(l.Nodes)
		if left -= int(l.Nodes); left <= 0 {
			t.Fatalf("the clock runs out: %d nodes by empty cells", used)
		}
		at.Play(l.Best())
	}
	mean := func(from, to int) (n int) {
		moves := 0
		for _, nodes := range used[from : to+1] {
			n, moves = n+nodes, moves+min(nodes, 1)
		}
		return n / max(moves, 1)
	}
	if left > clock/2 || mean(16, 22) < 2*mean(45, 60) {
		t.Errorf("%d of %d nodes are left; nodes by empty cells: %d", left, clock, used)
	}
}

// TestMovesLeft checks that the time of the moves left never grows, and that each of them gets
// some of it.
func TestMovesLeft(t *testing.T) {
	usual := DefaultTuning()
	for empty := 3; empty <= 60; empty++ {
		now, then := usual.timeWeight(empty)*usual.movesLeft(empty), usual.timeWeight(empty-2)*usual.movesLeft(empty-2)
		if usual.movesLeft(empty) < 1 || now <= then || usual.movesLeft(empty) > 60 {
			t.Errorf("%d empty cells: the time of %.1f moves is left, %.1f of all, then %.1f", empty, usual.movesLeft(empty), now, then)
		}
	}
}
