package bots

import (
	"context"
	"fmt"
	"math/bits"

	"quintet/bots/othello/midgame"
	"quintet/game"
	"quintet/games/othello"
)

// othelloProver proves wins by the exact values of endgames, on boards of up to 8 by
// 8. It ignores numbers of turns: a win is a win at the end of the game.
type othelloProver struct{ search *midgame.Search }

func newOthelloProver(megabytes int) (Prover, error) {
	w, err := midgame.Trained()
	if err != nil {
		return nil, fmt.Errorf("othello: %w", err)
	}
	return othelloProver{midgame.New(w, megabytes, 1)}, nil
}

// proverEmpties bounds the empty cells of a position that the prover takes: a proof
// takes some milliseconds then.
const proverEmpties = 12

// solve returns the value of a position for the side to move, and the best line.
func (o othelloProver) solve(ctx context.Context, p game.Position) (value int, line []game.Move, err error) {
	small, ok := p.(*othello.Small)
	if !ok {
		return 0, nil, PositionError(fmt.Sprintf("%s: expected a position of othello on a board of up to 8 by 8", p))
	}
	if bits.OnesCount64(small.Bitboards().Empty()) > proverEmpties {
		return 0, nil, ErrUnproved
	}
	r, err := o.search.Solve(ctx, small, nil)
	if err != nil {
		return 0, nil, fmt.Errorf("othello: %w", err)
	}
	return r.Value, r.Line, nil
}

// WinsIn implements Prover: a win counts as one turn.
func (o othelloProver) WinsIn(ctx context.Context, p game.Position, _ int) (turns int, err error) {
	value, _, err := o.solve(ctx, p)
	if err != nil || value <= 0 {
		return 0, err
	}
	return 1, nil
}

// Winning implements Prover.
func (o othelloProver) Winning(ctx context.Context, p game.Position, _ int) (list [][]game.Move, err error) {
	for _, m := range p.Moves(nil) {
		child := p.Clone()
		child.Play(m)
		value, _, err := o.solve(ctx, child)
		if err != nil {
			return nil, err
		}
		if value < 0 {
			list = append(list, []game.Move{m})
		}
	}
	return list, nil
}

// Replies implements Prover: the reply that loses by least, the first of several.
func (o othelloProver) Replies(ctx context.Context, p game.Position, _ int) ([][]game.Move, error) {
	_, line, err := o.solve(ctx, p)
	if err != nil || len(line) == 0 {
		return nil, err
	}
	return [][]game.Move{{line[0]}}, nil
}

// Refutations implements Prover: the reply is the best.
func (o othelloProver) Refutations(ctx context.Context, p game.Position, winning []game.Move, _ int) ([]Refutation, error) {
	var list refutationList
	for _, m := range p.Moves(nil) {
		if m == winning[0] {
			continue
		}
		child := p.Clone()
		child.Play(m)
		_, line, err := o.solve(ctx, child)
		if err != nil {
			return nil, err
		}
		list.add(line[:min(1, len(line))], m)
	}
	return list, nil
}
