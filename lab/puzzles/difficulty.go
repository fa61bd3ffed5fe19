package puzzles

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"quintet/engine"
	"quintet/game"
	"quintet/learn/puzzle"
)

// Limits of the search that measures the effort of a turn.
const (
	effortNodes     = 100_000
	effortMegabytes = 8
)

// effort returns how many positions the engine visits, in all turns of the solution, until it settles on
// the right one. A turn that it does not find counts twice the limit of the search.
func (m *Maker) effort(ctx context.Context, p *puzzle.Puzzle) (sum uint64, err error) {
	start, err := p.Begin(m.game)
	if err != nil {
		return 0, err
	}
	match := game.NewMatch(m.game, start)
	for _, t := range p.Turns {
		found := uint64(0)
		look := func(l engine.Line) {
			turn := game.FormatMoves(match.Position(), l.Moves[:min(len(l.Moves), len(t.Moves))])
			switch {
			case !t.Solves(turn):
				found = 0
			case found == 0:
				found = max(l.Nodes, 1)
			}
		}
		m.search.Reset()
		look(m.search.Search(ctx, engine.At(match), engine.Limit{Nodes: effortNodes}, look))
		if err := cmp.Or(ctx.Err(), engine.SearchError(m.search)); err != nil {
			return 0, fmt.Errorf("measuring puzzle %s: %w", p.ID, err)
		}
		sum += cmp.Or(found, 2*effortNodes)
		for _, text := range slices.Concat(t.Moves, t.Reply) {
			if err := match.PlayText(text); err != nil {
				return 0, fmt.Errorf("measuring puzzle %s: %w", p.ID, err)
			}
		}
	}
	return sum, nil
}

// Grade sets the difficulties of all puzzles of a game. It sorts them by the engine's effort, then by the
// number of turns, then by identifier. Each tenth gets one difficulty.
func (m *Maker) Grade(ctx context.Context, list []puzzle.Puzzle) error {
	efforts := map[string]uint64{}
	for i := range list {
		n, err := m.effort(ctx, &list[i])
		if err != nil {
			return err
		}
		efforts[list[i].ID] = n
	}
	order := make([]*puzzle.Puzzle, len(list))
	for i := range list {
		order[i] = &list[i]
	}
	slices.SortFunc(order, func(a, b *puzzle.Puzzle) int {
		return cmp.Or(cmp.Compare(efforts[a.ID], efforts[b.ID]), cmp.Compare(len(a.Turns), len(b.Turns)), cmp.Compare(a.ID, b.ID))
	})
	for i, p := range order {
		p.Difficulty = 1 + i*puzzle.Difficulties/len(order)
	}
	return nil
}
