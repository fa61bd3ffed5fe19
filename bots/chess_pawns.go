package bots

import (
	"math/bits"
	"sync/atomic"

	"quintet/game"
)

// pawnCache keeps weighed pawn structures, because most moves leave the pawns alone. Threads
// share it without locks: an entry whose words were written by two of them does not match
// (see engine.Table).
type pawnCache [1 << pawnCacheBits]struct {
	white, black atomic.Uint64 // the pawns, each combined with the sum
	sum          atomic.Uint64 // with a bit above that is set
}

const (
	pawnCacheBits = 12
	pawnCacheUsed = 1 << 32
)

// pawnStructure returns the weighed structure of both sides' pawns.
func (e *chessEval) pawnStructure() int32 {
	if e.cache == nil || e.trace != nil {
		return e.structure(game.First) + e.structure(game.Second)
	}
	white, black := e.men[0].pawns, e.men[1].pawns
	entry := &e.cache[game.Mix(white, black)>>(64-pawnCacheBits)]
	if word := entry.sum.Load(); word != 0 && entry.white.Load()^word == white && entry.black.Load()^word == black {
		return int32(word)
	}
	sum := e.structure(game.First) + e.structure(game.Second)
	word := uint64(uint32(sum)) | pawnCacheUsed
	entry.white.Store(white ^ word)
	entry.black.Store(black ^ word)
	entry.sum.Store(word)
	return sum
}

// structure weighs the structure of a side's pawns. A pawn on the last rank cannot move any
// more.
func (e *chessEval) structure(s game.Side) (sum int32) {
	own, other, n := &e.men[s], &e.men[s.Other()], sign(s)
	for p := own.pawns; p != 0; p &= p - 1 {
		cell := bits.TrailingZeros64(p)
		sum += e.weigh(chessPlaces+place(cell, s), n)
		rank := cell>>3 ^ 7*(1-int(s)) // 0 is the side's home row, 7 the last
		file := chessFileA << (cell & 7)
		beside := file&^chessFileA>>1 | file&^chessFileH<<1
		ahead := aheadOf(cell, s)
		switch {
		case own.pawns&beside == 0:
			sum += e.weigh(chessIsolated, n)
		case own.byPawn>>cell&1 != 0:
			sum += e.weigh(chessSupported+rank, n)
		case own.pawns&(p&-p&^chessFileA>>1|p&-p&^chessFileH<<1) != 0:
			sum += e.weigh(chessPhalanx+rank, n)
		}
		if own.pawns&file&ahead != 0 {
			sum += e.weigh(chessDoubled, n)
		}
		if other.pawns&(file|beside)&ahead == 0 {
			sum += e.weigh(chessPassed+rank, n)
		}
	}
	return sum
}
