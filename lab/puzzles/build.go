package puzzles

import (
	"context"
	"fmt"
	"slices"

	"quintet/bots"
	"quintet/game"
	"quintet/learn/puzzle"
)

// maxAsked bounds the turns that a puzzle asks for.
const maxAsked = 6

// builder builds the solution of one puzzle.
type builder struct {
	*Maker
	puzzle puzzle.Puzzle
	side   game.Side
}

// build makes a puzzle of a position. ok is false if the position has none.
func (m *Maker) build(ctx context.Context, start game.Position) (p puzzle.Puzzle, ok bool, err error) {
	turns, err := m.winsIn(ctx, start, max(m.source.Turns, 1))
	if err != nil || turns < max(m.source.Fewest, 1) {
		return puzzle.Puzzle{}, false, err
	}
	b := builder{Maker: m, side: start.Turn()}
	b.puzzle = puzzle.Puzzle{
		ID: puzzle.ID(m.game, start), Game: m.game.Name, Position: start.String(), Side: start.Turn().String(), Horizon: m.source.Horizon,
	}
	if m.source.Turns > 0 {
		b.puzzle.WinsIn = turns
	}
	asked := 0 // turns up to the last that leaves a choice
	for at := start.Clone(); at != nil; turns-- {
		choice := len(at.Moves(nil)) > 1
		if at, err = b.turn(ctx, at, turns); err != nil {
			return puzzle.Puzzle{}, false, err
		}
		if choice {
			asked = len(b.puzzle.Turns)
		}
	}
	if asked == 0 {
		return puzzle.Puzzle{}, false, nil
	}
	if m.source.SkipLast && asked > 1 && asked == b.puzzle.WinsIn {
		asked--
	}
	b.puzzle.Turns = b.puzzle.Turns[:asked]
	b.puzzle.Turns[asked-1].Reply = nil
	b.puzzle.Themes = m.themes(ctx, &b.puzzle, start)
	return b.puzzle, b.complete(), nil
}

// complete reports whether the solution goes as far as it must.
func (b *builder) complete() bool {
	asked := len(b.puzzle.Turns)
	if b.puzzle.WinsIn == 0 {
		return asked >= 2
	}
	return asked >= b.puzzle.WinsIn-1 && asked > 0
}

// winsIn returns the fewest turns within which the side to move wins, up to most; 0 if
// it does not.
func (m *Maker) winsIn(ctx context.Context, p game.Position, most int) (int, error) {
	turns, err := m.prover.WinsIn(ctx, p, most)
	if err != nil {
		return 0, fmt.Errorf("proving: %w", err)
	}
	return turns, nil
}

// horizon returns the number of turns within which no other turn may win.
func (m *Maker) horizon(turns int) int { return max(turns, m.source.Horizon) }

// turn adds a turn to the solution and returns the position after the reply; nil if
// the solution ends.
func (b *builder) turn(ctx context.Context, at game.Position, turns int) (game.Position, error) {
	winning, err := b.prover.Winning(ctx, at, b.horizon(turns))
	if err != nil || len(winning) != 1 {
		return nil, err
	}
	refutations, err := b.prover.Refutations(ctx, at, winning[0], b.horizon(turns))
	if err != nil {
		return nil, err
	}
	t := puzzle.Turn{Moves: game.FormatMoves(at, winning[0]), Refutations: formatRefutations(at, refutations)}
	after := puzzle.PlayTurn(at, winning[0])
	var next game.Position
	if !after.Result().Over() && len(b.puzzle.Turns) < maxAsked-1 {
		var reply []game.Move
		if reply, next, err = b.reply(ctx, after, turns-1); err != nil {
			return nil, err
		}
		t.Reply = game.FormatMoves(after, reply)
	}
	b.puzzle.Turns = append(b.puzzle.Turns, t)
	return next, nil
}

// reply chooses the reply that holds out longest, one that leaves a single winning
// turn before others. The position after it is nil if the reply ends the solution.
func (b *builder) reply(ctx context.Context, p game.Position, turns int) (best []game.Move, next game.Position, err error) {
	replies, err := b.prover.Replies(ctx, p, turns)
	if err != nil {
		return nil, nil, err
	}
	longest := -1
	for _, r := range replies {
		after := puzzle.PlayTurn(p, r)
		if after.Result().Over() || after.Turn() != b.side {
			continue
		}
		n, err := b.winsIn(ctx, after, max(turns, 1))
		if err != nil {
			return nil, nil, err
		}
		if n < turns {
			continue // it does not hold out
		}
		winning, err := b.prover.Winning(ctx, after, b.horizon(turns))
		if err != nil {
			return nil, nil, err
		}
		value := 0
		if len(winning) == 1 {
			value = 1
		}
		if value > longest {
			longest, best, next = value, r, after
		}
		if longest == 1 {
			break
		}
	}
	return best, next, nil
}

func formatRefutations(p game.Position, list []bots.Refutation) []puzzle.Refutation {
	formatted := []puzzle.Refutation{}
	for _, r := range list {
		f := puzzle.Refutation{Reply: []string{}}
		at := p
		for _, m := range r.Wrong {
			f.Moves = append(f.Moves, p.Format(m))
		}
		if len(r.Wrong) > 0 {
			at = puzzle.PlayTurn(p, r.Wrong[:1])
		}
		for _, m := range r.Reply {
			f.Reply = append(f.Reply, at.Format(m))
		}
		formatted = append(formatted, f)
	}
	return slices.Clip(formatted)
}
