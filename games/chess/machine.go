package chess

import (
	"math/bits"
	"math/rand/v2"

	"quintet/game"
)

// picksPerPiece is the number of failed picks per piece after which the course's
// machine forfeits its turn.
const picksPerPiece = 10

// RandomMove chooses a move like the course's machine, without playing it; ok is
// false if the machine forfeits its turn.
//
// The machine picks a uniformly random piece and tries up to 4096 random cells as its
// target. If all fail it picks again, up to ten times the number of its pieces. So a
// picked piece with m valid targets moves with probability 1-(1-m/64)^4096, to each
// target alike: never for m = 0, and for m > 0 with a failure rate below 1e-28.
// RandomMove ignores that failure and draws a target; otherwise its probabilities are
// those of the document.
//
// A side with a move may forfeit its turn: with one movable piece among sixteen the
// probability is (15/16)^160, once in thirty thousand turns.
func (c *Course) RandomMove(r *rand.PCG) (y1, x1, y2, x2 int, ok bool) {
	pieces := c.PieceCount(c.Turn())
	if c.state == Stopped {
		return 0, 0, 0, 0, false
	}
	for range picksPerPiece * pieces {
		from := game.NthBit(c.pos.Pieces(c.Turn()), game.IntN(r, pieces))
		t := c.targets(from)
		if t == 0 {
			continue
		}
		to := game.NthBit(t, game.IntN(r, bits.OnesCount64(t)))
		return from / 8, from % 8, to / 8, to % 8, true
	}
	return 0, 0, 0, 0, false
}
