package wire

import (
	"context"
	"slices"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
)

// NextDepth returns the depth at which to search a position after a depth.
func NextDepth(g game.Game, p game.Position, depth int) int {
	if next := bots.ProfileFor(g).NextDepth; next != nil {
		return next(p, depth)
	}
	return depth + 1
}

// BestLines returns up to a number of lines of a position, best first, and the positions that all searches visited.
// The lines differ in their first moves; where a turn has several moves, in the first moves of it that are not in lines
// before. It ends early with the context, when the positions of the limit are used up, or if the searcher fails.
func BestLines(ctx context.Context, s engine.Searcher, at engine.Position, l engine.Limit, wanted int) (found []engine.Line, nodes uint64) {
	legal, most := at.Moves(nil), l.Nodes
	for len(found) < min(wanted, len(legal)) && len(at.Skip) < len(legal) && ctx.Err() == nil && nodes < most && engine.SearchError(s) == nil {
		l.Nodes = most - nodes
		line := s.Search(ctx, at, l, nil)
		nodes += line.Nodes
		found = append(found, line)
		at.Skip = append(at.Skip, FirstTurn(at.Position, line.Moves)...)
		l.Pacer.Yield()
	}
	slices.SortStableFunc(found, func(a, b engine.Line) int { return b.Score - a.Score })
	return found, nodes
}

// VariationsOf describes the best lines of a position, and returns the depth that they reached.
func VariationsOf(g game.Game, p game.Position, lines []engine.Line) (list []Variation, reached int) {
	list = []Variation{}
	exact := bots.ProfileFor(g).Exact
	for _, l := range lines {
		reached = max(reached, l.Depth)
		l.Moves = l.Moves[:min(len(l.Moves), MaxPV)]
		list = append(list, VariationOf(g, p, l, exact != nil && exact(p, l)))
	}
	return list, reached
}
