package gametest

import (
	"testing"

	"quintet/game"
)

// checkAllocations plays a random game on preallocated positions and fails if a
// method that engines call allocates.
func checkAllocations(t TB, start game.Position) {
	t.Helper()
	if raceEnabled {
		return // the race detector allocates
	}
	r := newRand(2)
	buf := make([]game.Move, 0, 4096)
	p, scratch := start.Clone(), start.Clone()
	for range 40 {
		moves := p.Moves(buf[:0])
		if len(moves) == 0 {
			break
		}
		m := moves[game.IntN(r, len(moves))]
		sink := uint64(0)
		n := testing.AllocsPerRun(5, func() {
			scratch.CopyFrom(p)
			sink += uint64(len(scratch.Moves(buf[:0])) + game.Count(scratch, buf))
			sink += uint64(game.Sample(scratch, r, buf))
			scratch.Play(m)
			sink += uint64(scratch.Result()) + scratch.Key() + uint64(scratch.Turn())
		})
		if n != 0 {
			t.Fatalf("%s: %.0f allocations by CopyFrom, Moves, Count, Sample, Play, Result and Key", p, n)
		}
		p.Play(m)
	}
}
