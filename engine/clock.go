package engine

import (
	"context"
	"time"
)

// Clock is the time that a side has for the rest of the game.
type Clock struct {
	Left      time.Duration // 0 if there is no clock
	Increment time.Duration // added after every move
}

// moveOverhead is time for overhead outside the search. On a busy machine a program may pause
// for a third of a second, and loses on time if its clock has less.
const moveOverhead = 150 * time.Millisecond

// horizon is the number of moves among which the remaining time is divided.
const horizon = 25

// Budget returns the time after which a search should start no iteration, and the time
// after which it must end; 0 for no limit.
func (l Limit) Budget() (soft, hard time.Duration) { return l.BudgetFor(horizon) }

// BudgetFor is Budget if the clock must suffice for a number of moves like this one, at least 1.
func (l Limit) BudgetFor(moves float64) (soft, hard time.Duration) {
	if l.Clock.Left > 0 {
		left := max(l.Clock.Left-moveOverhead, l.Clock.Left/4)
		share := min(time.Duration(float64(left)/max(moves, 1))+l.Clock.Increment*3/4, left/2)
		soft, hard = share/2, min(share*3, left/2)
	}
	if l.Time > 0 && (hard == 0 || l.Time < hard) {
		soft, hard = l.Time, l.Time
	}
	return soft, hard
}

// NodesToTime returns how long a number of nodes take on a clock that counts nodes.
func (l Limit) NodesToTime(nodes uint64) time.Duration {
	return time.Duration(float64(nodes) / float64(max(l.NodesTime, 1)) * float64(time.Millisecond))
}

// timed returns a context that also ends at the hard limit of real time.
func (l Limit) timed(ctx context.Context, hard time.Duration) (context.Context, context.CancelFunc) {
	if hard == 0 || l.NodesTime > 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, hard)
}

// NodesPerThread returns the node limit of each thread; 0 for none.
func (l Limit) NodesPerThread(threads int) uint64 {
	if threads > 1 && l.Nodes > 0 {
		return max(l.Nodes/uint64(threads), 1)
	}
	return l.Nodes
}
