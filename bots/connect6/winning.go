package connect6

import (
	"context"
	"fmt"

	"quintet/engine"
	"quintet/game"
	rules "quintet/games/connect6"
)

// beginThreats prepares a search of threats for a position. The caller must call end.
func (s *Search) beginThreats(ctx context.Context, p *rules.Position, nodes uint64) (end func()) {
	shared, end := engine.NewRun(ctx, engine.Limit{Nodes: nodes}, 0, 0)
	s.tree.begin(p, nodes, shared.Stopped)
	s.tree.threats.limit, s.tree.threats.most = ^uint64(0), ^uint64(0)
	if nodes > 0 {
		s.tree.threats.limit = nodes
	}
	return end
}

// WinsIn returns within how many turns the side to move wins by threats, up to most,
// the one that completes six included; 0 if no such win is found within the given number of
// positions.
func (s *Search) WinsIn(ctx context.Context, p *rules.Position, most int, nodes uint64) int {
	if p.Result().Over() || p.Left() < rules.PerTurn {
		return 0
	}
	defer s.beginThreats(ctx, p, 0)()
	return s.tree.threats.find(p.Turn(), rules.PerTurn, most-1, nodes) + 1
}

// Winning returns the turns of two stones after which the side to move wins by
// threats, within the given number of turns (this one included, the one that completes six
// too). It looks at every pair of empty cells. A pair that is missing leaves the
// other side a stone to spare, or does not win by threats that the search sees.
func (s *Search) Winning(ctx context.Context, p *rules.Position, turns int, nodes uint64) (list [][]game.Move, ok bool, err error) {
	if p.Result().Over() || p.Left() < rules.PerTurn {
		return nil, true, nil
	}
	defer s.beginThreats(ctx, p, nodes)()
	b, side, last := &s.tree.board, p.Turn(), cell(p.Size()*p.Size())
	for x := range last {
		for y := x + 1; y < last && b.vacant(x); y++ {
			if b.vacant(y) && s.turnWins(side, turns, pair{x, y}) {
				list = append(list, []game.Move{game.Put(game.Cell(x)), game.Put(game.Cell(y))})
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, false, fmt.Errorf("proving: %w", err)
	}
	return list, s.tree.threats.nodes < nodes, nil
}

// turnWins reports whether a turn wins within the given number of turns.
func (s *Search) turnWins(side game.Side, turns int, p pair) bool {
	t := s.tree.threats
	if t.b.hot[side] > 0 {
		stones := []cell{p.first, p.second}
		wins := t.b.fill(side, stones)
		if t.b.clear(side, stones); wins {
			return true
		}
	}
	return turns > 1 && t.forces(side, turns-1, 0, p)
}

// Replies returns how the side to move can stop the threats of its opponent: every
// pair of stones that does and wastes none. There are none if no pair does, or if
// a single stone does.
func (s *Search) Replies(ctx context.Context, p *rules.Position) (list [][]game.Move) {
	defer s.beginThreats(ctx, p, 0)()
	a := &s.tree.scratch[0].must
	s.tree.board.answer(p.Turn().Other(), a)
	for _, q := range a.pairs[:a.m] {
		list = append(list, turnOf(q))
	}
	return list
}

// Defences returns turns of a side, whose turn it need not be, after which its
// opponent has no win by threats within the given number of turns: the best by the evaluation
// first. A turn that completes six is the only one.
func (s *Search) Defences(ctx context.Context, p *rules.Position, side game.Side, turns int) (list [][]game.Move) {
	defer s.beginThreats(ctx, p, 0)()
	t := &s.tree
	if t.board.hot[side] > 0 {
		return append(list, turnOf(t.board.winner(side)))
	}
	r := &t.scratch[0]
	t.board.answer(side.Other(), &r.must)
	t.generate(side, 0, maxTurns, r)
	for _, q := range r.moves.list[:r.moves.n] {
		t.board.play(side, q)
		if t.threats.find(side.Other(), rules.PerTurn, turns-1, findBudget) < 0 {
			list = append(list, turnOf(q))
		}
		t.board.undo(side, q)
	}
	return list
}

// findBudget bounds the search for a win after a defence, in positions.
const findBudget = 20_000

func turnOf(p pair) []game.Move {
	if p.second == none {
		return []game.Move{game.Put(game.Cell(p.first))}
	}
	return []game.Move{game.Put(game.Cell(p.first)), game.Put(game.Cell(p.second))}
}
