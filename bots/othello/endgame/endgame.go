// Package endgame solves Othello endings exactly, on boards of up to 8 by 8
// cells with or without pits.
//
// A [Solver] finds by how many discs the side to move wins if both sides play as well as can be,
// and a line that proves it. It knows only the rules of Othello: an evaluation orders moves, but
// never decides a value.
package endgame

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"
	"time"

	"quintet/game"
	"quintet/games/othello"
	"quintet/internal/hugepages"
)

// Result is what has been proved about a position.
type Result struct {
	Value int           // discs of the side to move less those of its opponent at the end; cells left empty go to the winner
	Line  []game.Move   // best play to the end; empty if the game is over
	Nodes uint64        // positions visited
	Time  time.Duration // that it took
}

// Solver solves one position at a time. Its table is kept between positions.
type Solver struct {
	table  []ttEntry
	moves  [64]candidates // by the number of empty cells: no board below shares them
	kernel *kernel        // of the board of the last position
	nodes  uint64
	limit  uint64 // of nodes, at which the search stops
	stop   *atomic.Bool
	halt   *atomic.Bool // also stops it
}

// NewSolver returns a solver with a table of about the given number of megabytes, at least
// one.
func NewSolver(megabytes int) *Solver {
	n := uint64(max(megabytes, 1)) << 20 / entryBytes
	s := &Solver{table: make([]ttEntry, 1<<(bits.Len64(n)-1))}
	hugepages.Advise(s.table)
	return s
}

// infinite is beyond every value.
const infinite = 100

// Solve solves a position. The error is that of the context, if it ends first.
func (s *Solver) Solve(ctx context.Context, p *othello.Small) (Result, error) {
	s.nodes, s.limit = 0, math.MaxUint64
	stop := new(atomic.Bool) // of this call alone: its AfterFunc may run during the next one
	s.stop, s.halt = stop, new(atomic.Bool)
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	began := time.Now()
	s.choose(p.Bitboards().Ground)
	value := s.solve(p.Bitboards(), -infinite, infinite)
	r := Result{Value: value, Line: s.line(p, value), Nodes: s.nodes, Time: time.Since(began)}
	if s.stop.Load() {
		return Result{Nodes: s.nodes, Time: time.Since(began)}, fmt.Errorf("solving: %w", ctx.Err())
	}
	return r, nil
}

// Bound returns the value of a board between alpha and beta, and a bound of it
// outside. It stops when stop or halt is true, or soon after it has visited
// that many nodes; what it returns then means nothing.
func (s *Solver) Bound(w othello.Bitboards, alpha, beta int, nodes uint64, stop, halt *atomic.Bool) int {
	s.choose(w.Ground)
	s.limit, s.stop, s.halt = s.nodes+min(nodes, math.MaxUint64-s.nodes), stop, halt
	return s.solve(w, alpha, beta)
}

// choose makes the solver ready for boards of a ground.
func (s *Solver) choose(ground uint64) {
	if s.kernel == nil || s.kernel.ground != ground {
		s.kernel = newKernel(ground)
	}
}

// stopped reports whether the search is to end. The last six plies do not ask:
// they take a few hundred nodes at most.
func (s *Solver) stopped() bool { return s.nodes > s.limit || s.stop.Load() || s.halt.Load() }

// Nodes returns how many positions have been visited since Solve was called.
func (s *Solver) Nodes() uint64 { return s.nodes }

// Reset forgets the results for earlier positions.
func (s *Solver) Reset() { clear(s.table) }

// line plays the moves that keep the value, which the table makes cheap to
// find. Of several it takes the first in the game's order.
func (s *Solver) line(p *othello.Small, value int) (moves []game.Move) {
	at := *p
	for !at.Result().Over() && !s.stop.Load() {
		w := at.Bitboards()
		if w.Moves == 0 {
			moves = append(moves, game.Pass)
			at.Play(game.Pass)
			value = -value
			continue
		}
		for m := w.Moves; m != 0; m &= m - 1 {
			square := bits.TrailingZeros64(m)
			if m&(m-1) == 0 || -s.solve(w.Play(square), -value, -value+1) >= value {
				moves = append(moves, at.Move(square))
				at.Play(at.Move(square))
				break
			}
		}
		value = -value
	}
	return moves
}

// Empty-cell counts from which each technique pays off.
const (
	fromOrder          = 7  // move ordering
	fromTable          = 9  // transposition table
	fromOrderingSearch = 13 // shallow searches for move ordering
)

// Final returns the value of a board on which neither side can move. Cells that are
// left empty count for the winner, as in tournaments and in the published sets.
func Final(w othello.Bitboards) int { return settled(w.Own, w.Other, w.Empty()) }

// solve returns the value of a board between alpha and beta, and a bound of it
// outside (fail-soft).
func (s *Solver) solve(w othello.Bitboards, alpha, beta int) int {
	empty := bits.OnesCount64(w.Empty())
	if empty < fromOrder && w.Moves != 0 {
		return s.tail(w.Own, w.Other, w.Empty(), alpha, beta)
	}
	s.nodes++
	if s.stopped() {
		return 0
	}
	if w.Moves == 0 {
		other := w.Pass()
		if other.Moves == 0 {
			return Final(w)
		}
		return -s.solve(other, -beta, -alpha)
	}
	if empty < fromTable {
		value, _ := s.moveLoop(w, alpha, beta, empty, 0)
		return value
	}
	if bits.OnesCount64(w.Ground)-2*bits.OnesCount64(w.Other) <= alpha { // else it cannot be
		if m := most(&w); m <= alpha {
			return m
		}
	}
	old := s.get(&w)
	if int(old.low) >= beta || old.low == old.high {
		return int(old.low)
	}
	if int(old.high) <= alpha {
		return int(old.high)
	}
	low, high := max(alpha, int(old.low)), min(beta, int(old.high))
	value, best := s.moveLoop(w, low, high, empty, old.best)
	if !s.stopped() {
		s.put(&w, value, low, high, best)
	}
	return value
}
