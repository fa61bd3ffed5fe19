package reviews

import (
	"context"

	"quintet/engine"
	"quintet/game"
)

// Helper searches the positions of games on other machines.
type Helper interface {
	// Begin starts searches of the positions of a game after from moves and more, each
	// to the given number of nodes with empty tables of TableMegabytes. It returns at once; ok is
	// false if no worker is there to search.
	Begin(g game.Game, start game.Position, moves []game.Move, from int, nodes uint64) (l Lines, ok bool)
}

// Lines are the lines that a Helper finds.
type Lines interface {
	// Line waits for the line of the position after the given number of moves, for two seconds at
	// most. ok is false if it has not come: the server searches itself then.
	Line(ctx context.Context, ply int) (l engine.Line, ok bool)

	// Close gives up what has not been found.
	Close()
}

// TableMegabytes is the size of the transposition table of a review. A helper must use
// the same, so that its lines are those of the server.
const TableMegabytes = 4

// freshSearcher searches with empty tables, so that the result does not depend on earlier
// searches: where the work was resumed, or which lines a helper has found.
type freshSearcher struct{ engine.Searcher }

// Search implements engine.Searcher.
func (f freshSearcher) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	f.Reset()
	return f.Searcher.Search(ctx, p, l, report)
}

// Err implements engine.Remote.
func (f freshSearcher) Err() error { return engine.SearchError(f.Searcher) }

// Release implements engine.Remote.
func (f freshSearcher) Release() { engine.Release(f.Searcher) }

// helpedSearcher takes lines from a helper as long as they come, and then searches itself.
// It confirms losses itself, which have other limits.
type helpedSearcher struct {
	freshSearcher

	work *work
}

// Search implements engine.Searcher.
func (h helpedSearcher) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	if lines := h.work.lines; lines != nil && l == limit(h.work.review.game()) {
		if line, ok := lines.Line(ctx, h.work.next()); ok {
			return line
		}
		h.work.closeLines()
	}
	return h.freshSearcher.Search(ctx, p, l, report)
}

// next returns how many moves come before the position that the walk searches next.
func (w *work) next() int {
	if w.begun {
		return w.walk.Ply() + 1
	}
	return w.walk.Ply()
}

func (w *work) closeLines() {
	if w.lines != nil {
		w.lines.Close()
		w.lines = nil
	}
}

// askHelper lets a helper search the positions of the walk, if there is one.
func (w *work) askHelper() {
	helper := w.review.store.config.Helper
	if helper == nil {
		return
	}
	w.review.mu.Lock()
	spec := w.review.spec
	w.review.mu.Unlock()
	_, m, err := spec.normal()
	if err != nil {
		return // it was valid when the review was opened
	}
	if lines, ok := helper.Begin(m.Game(), m.Start(), m.Moves(), w.walk.Ply(), limit(spec.Game).Nodes); ok {
		w.lines = lines
	}
}
