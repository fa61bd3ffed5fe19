package smallboards

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"quintet/bots/othello/endgame"
	"quintet/bots/othello/midgame"
	"quintet/bots/othello/solved"
	"quintet/game"
	"quintet/games/othello"
)

// prover makes certificates: it takes the moves of the attacker from the fast solver, and
// everything else from the plain rules.
type prover struct {
	search *midgame.Search
	solver *endgame.Solver
	ctx    context.Context //nolint:containedctx // of the call in progress
}

// byBounds is the number of empty cells from which on the prover bounds the moves one after
// another; with more, it solves the position.
const byBounds = 20

// certify returns the certificate of an entry, with claims of the given number of empty cells,
// with two tables of the given number of megabytes.
func certify(ctx context.Context, e solved.Entry, frontier, megabytes int) (certificate, error) {
	w, err := midgame.Trained()
	if err != nil {
		return certificate{}, err
	}
	c := certificate{size: e.Size, pits: e.Pits, value: e.Value, frontier: frontier}
	p := prover{midgame.New(w, megabytes, 1), endgame.NewSolver(megabytes), ctx}
	for i, f := range c.proofs() {
		f.choose = func(at plain, cells []int) (int, error) {
			choice, err := p.choose(at, cells, f.bound)
			if err == nil {
				c.moves[i] += letters[cells[choice] : cells[choice]+1]
			}
			return choice, err
		}
		if err := f.walk(plainStart(e.Size, e.Pits)); err != nil {
			return c, err
		}
	}
	return c, nil
}

// choose returns the index of a move with which the side to move gets a bound.
func (p *prover) choose(at plain, cells []int, bound int) (int, error) {
	rows := game.FormatRows(at.size, at.size, func(c game.Cell) byte {
		if at.cells[c] == '.' {
			return game.Blank
		}
		return at.cells[c]
	})
	read, err := othello.Game.Read(rows + " " + string(at.turn))
	if err != nil {
		return 0, err
	}
	position := read.(*othello.Small)
	var best game.Move
	if bits.OnesCount64(position.Bitboards().Empty()) <= byBounds {
		best, err = p.bounded(position, bound)
	} else {
		best, err = p.solved(position)
	}
	if err != nil {
		return 0, err
	}
	i := slices.IndexFunc(cells, func(cell int) bool { return game.Put(game.Cell(cell)) == best })
	if i < 0 {
		return 0, fmt.Errorf("%s: the move %s is not legal", position, position.Format(best))
	}
	return i, nil
}

// solved returns the best move.
func (p *prover) solved(position *othello.Small) (game.Move, error) {
	r, err := p.search.Solve(p.ctx, position, nil)
	if err != nil {
		return 0, err
	}
	return r.Line[0], nil
}

// bounded returns a move that gets a bound, of those with the fewest replies.
func (p *prover) bounded(position *othello.Small, bound int) (game.Move, error) {
	w := position.Bitboards()
	var squares []int
	for m := w.Moves; m != 0; m &= m - 1 {
		squares = append(squares, bits.TrailingZeros64(m))
	}
	replies := func(square int) int { return bits.OnesCount64(w.Play(square).Moves) }
	slices.SortStableFunc(squares, func(a, b int) int { return replies(a) - replies(b) })
	var stop atomic.Bool
	defer context.AfterFunc(p.ctx, func() { stop.Store(true) })()
	for _, square := range squares {
		value := -p.solver.Bound(w.Play(square), -bound, -bound+1, math.MaxUint64, &stop, &stop)
		if err := p.ctx.Err(); err != nil {
			return 0, err
		}
		if value >= bound {
			return position.Move(square), nil
		}
	}
	return 0, fmt.Errorf("%s: no move gets %d", position, bound)
}
