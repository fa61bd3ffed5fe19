// Package perft counts the leaves of game trees ("performance test"). It is the
// standard test of move generators: one wrong move anywhere changes the count.
//
// [Count] returns the number of leaves at a depth, [Divide] the same for each first
// move. A pass is a ply, and a finished game is one leaf at every depth. The last ply
// is counted, not played. The package works for every game and uses a position's
// game.Perfter if it has one.
package perft

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"quintet/game"
)

// Branch is a first move and the number of leaves below it.
type Branch struct {
	Move   game.Move
	Leaves uint64
}

// Count returns the number of leaves at the depth, 0 or more. It uses the given
// number of threads, at least 1, and does not change the position. The error wraps
// that of the context, or rejects the depth or the number of threads.
func Count(ctx context.Context, p game.Position, depth, threads int) (uint64, error) {
	if err := check(depth, threads); err != nil {
		return 0, err
	}
	units := split(p, depth, threads)
	if err := run(ctx, units, threads); err != nil {
		return 0, err
	}
	var total uint64
	for _, u := range units {
		total += u.leaves
	}
	return total, nil
}

// Divide returns the number of leaves below each legal move, in the game's order; the
// depth is at least 1. A finished game has no branches.
func Divide(ctx context.Context, p game.Position, depth, threads int) ([]Branch, error) {
	if err := check(depth-1, threads); err != nil {
		return nil, err
	}
	var branches []Branch
	for _, m := range p.Moves(nil) {
		child := p.Clone()
		child.Play(m)
		n, err := Count(ctx, child, depth-1, threads)
		if err != nil {
			return nil, err
		}
		branches = append(branches, Branch{m, n})
	}
	return branches, nil
}

func check(depth, threads int) error {
	if depth < 0 {
		return fmt.Errorf("perft to depth %d: expected 0 or more", depth)
	}
	if threads < 1 {
		return fmt.Errorf("perft by %d threads: expected at least 1", threads)
	}
	return nil
}

// unit is a unit of work: a position and the remaining depth.
type unit struct {
	pos    game.Position
	depth  int
	leaves uint64
}

// unitsPerThread is how many units each thread should get, so that the load balances
// at the end.
const unitsPerThread = 16

// minSplitDepth is the depth above which a tree is split even for one thread, so that
// cancellation takes effect between units.
const minSplitDepth = 4

// split divides the tree into units of equal depth, ply by ply.
func split(p game.Position, depth, threads int) []*unit {
	units := []*unit{{pos: p.Clone(), depth: depth}}
	for depth > 1 && (threads > 1 && len(units) < threads*unitsPerThread || depth > minSplitDepth && len(units) < unitsPerThread) {
		depth--
		var next []*unit
		for _, u := range units {
			next = append(next, children(u)...)
		}
		if len(next) == 0 {
			break
		}
		units = next
	}
	return units
}

// children returns the units one ply deeper. A finished game remains one leaf.
func children(u *unit) []*unit {
	moves := u.pos.Moves(nil)
	if len(moves) == 0 {
		return []*unit{{pos: u.pos, depth: 0}}
	}
	next := make([]*unit, 0, len(moves))
	for _, m := range moves {
		child := u.pos.Clone()
		child.Play(m)
		next = append(next, &unit{pos: child, depth: max(u.depth-1, 0)})
	}
	return next
}

// run counts all units. The threads take units in turn and stop when the context
// ends.
func run(ctx context.Context, units []*unit, threads int) error {
	var taken atomic.Int64
	var workers sync.WaitGroup
	for range min(threads, len(units)) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(taken.Add(1)) - 1
				if i >= len(units) {
					return
				}
				units[i].count()
			}
		})
	}
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("counting leaves: %w", err)
	}
	return nil
}

func (u *unit) count() {
	if p, ok := u.pos.(game.Perfter); ok && u.depth > 0 {
		u.leaves = p.Perft(u.depth)
		return
	}
	u.leaves = newScratch(u.pos, u.depth).leaves(u.pos, u.depth)
}

// scratch holds the buffers of the generic count: a position and a move list for each
// depth.
type scratch struct {
	pos   []game.Position
	moves [][]game.Move
}

func newScratch(p game.Position, depth int) *scratch {
	w := &scratch{moves: make([][]game.Move, depth+1)}
	for range depth {
		w.pos = append(w.pos, p.Clone())
	}
	return w
}

func (w *scratch) leaves(p game.Position, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	if depth == 1 {
		return uint64(max(game.Count(p, w.moves[1]), 1))
	}
	w.moves[depth] = p.Moves(w.moves[depth][:0])
	if len(w.moves[depth]) == 0 {
		return 1
	}
	var n uint64
	child := w.pos[depth-1]
	for _, m := range w.moves[depth] {
		child.CopyFrom(p)
		child.Play(m)
		n += w.leaves(child, depth-1)
	}
	return n
}
