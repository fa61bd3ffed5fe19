package reviews

import (
	"context"

	"quintet/engine"
)

// TableMegabytes is the size of the transposition table of a review.
const TableMegabytes = 4

// freshSearcher searches with empty tables, so that the result does not depend on earlier
// searches: where the work was resumed, or which machine has searched before.
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

// Elsewhere implements engine.Remote.
func (f freshSearcher) Elsewhere() bool { return engine.Elsewhere(f.Searcher) }
