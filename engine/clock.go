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

// reserve is kept for what happens outside of the search. On a busy machine a
// program may stand still for a third of a second, and whoever has less on its
// clock then loses on time.
const reserve = 150 * time.Millisecond

// horizon is for how many more moves time is set aside.
const horizon = 25

// Budget returns when a search should not begin another depth, and when it must
// end; 0 for no limit.
func (l Limit) Budget() (soft, hard time.Duration) { return l.BudgetFor(horizon) }

// BudgetFor is Budget for a game in which so many more moves, 1 or more, will need
// time.
func (l Limit) BudgetFor(moves int) (soft, hard time.Duration) {
	if l.Clock.Left > 0 {
		left := max(l.Clock.Left-reserve, l.Clock.Left/4)
		share := min(left/time.Duration(max(moves, 1))+l.Clock.Increment*3/4, left/2)
		soft, hard = share/2, min(share*3, left/2)
	}
	if l.Time > 0 && (hard == 0 || l.Time < hard) {
		soft, hard = l.Time, l.Time
	}
	return soft, hard
}

// timed returns a context that ends at the hard limit, too.
func timed(ctx context.Context, hard time.Duration) (context.Context, context.CancelFunc) {
	if hard == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, hard)
}

// NodesPerThread returns the limit of nodes for each of so many threads; 0 for none.
func (l Limit) NodesPerThread(threads int) uint64 {
	if threads > 1 && l.Nodes > 0 {
		return max(l.Nodes/uint64(threads), 1)
	}
	return l.Nodes
}
