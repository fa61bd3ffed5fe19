package chess

import (
	"math/bits"
	"math/rand/v2"

	"quintet/game"
)

// picksPerPiece is how many pieces, for each that it has, the course's machine
// picks in vain before it forfeits the turn.
const picksPerPiece = 10

// RandomMove chooses a move as the course's machine does, without making it;
// not ok if the machine forfeits the turn.
//
// The machine picks a piece, each with equal chance, and then tries up to 4096
// cells of the board, each with equal chance, as the target. Failing that it
// picks again, up to ten times as often as it has pieces. A picked piece that
// has m valid targets is therefore moved with a chance of 1-(1-m/64)^4096, and
// to each of them alike. With m = 0 that is never. With any other m it is
// always, but for a chance below 1e-28 that this method leaves out: it draws
// one of the targets. The outcomes have the document's chances otherwise.
//
// A side that has a move may so forfeit its turn: with one movable piece among
// sixteen, that comes to (15/16)^160, once in thirty thousand turns.
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
