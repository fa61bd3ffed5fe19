package reviews_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/live"
	"quintet/serve/reviews"
)

// helper searches positions before a ply, and then no more.
type helper struct {
	fails int // at this ply
	game  game.Game
	match *game.Match
	moves []game.Move
	from  int

	asked  []int // plies
	closed int
}

// orNone returns no helper for nil.
func (h *helper) orNone() reviews.Helper {
	if h == nil {
		return nil
	}
	return h
}

func (h *helper) Begin(g game.Game, start game.Position, moves []game.Move, from int, _ uint64) (reviews.Lines, bool) {
	if h.fails < 0 {
		return nil, false
	}
	h.game, h.match, h.moves, h.from = g, game.NewMatch(g, start), moves, from
	return h, true
}

func (h *helper) Line(ctx context.Context, ply int) (l engine.Line, ok bool) {
	h.asked = append(h.asked, ply)
	if ply >= h.fails {
		return l, false
	}
	for _, m := range h.moves[len(h.match.Moves()):ply] {
		if h.match.Play(m) != nil {
			return l, false
		}
	}
	search, err := bots.Searcher(h.game, bots.Options{Megabytes: 1})
	if err != nil {
		return l, false
	}
	return search.Search(ctx, engine.At(h.match), engine.Limit{Nodes: 300}, nil), true
}

func (h *helper) Close() { h.closed++ }

// TestHelper checks that a review does not depend on who searches its positions, nor on
// when a helper fails.
func TestHelper(t *testing.T) {
	want := wait(t, review(t, open(t, live.NewMemory(), "", nil), loa), done).Plies
	for _, fails := range []int{-1, 0, 3, 100} {
		h := &helper{fails: fails}
		s := openWith(t, live.NewMemory(), "", &server{helper: h})
		got := wait(t, review(t, s, loa), done).Plies
		s.queue.Close()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the helper fails at ply %d: %s", fails, diff)
		}
		if own := int(s.searches.Load()); own != len(want)+1-min(max(fails, 0), len(want)+1) {
			t.Errorf("the helper fails at ply %d: %d own searches for %d positions", fails, own, len(want)+1)
		}
		if wantAsked := min(fails, len(want)) + 1; len(h.asked) != wantAsked {
			t.Errorf("the helper fails at ply %d: it is asked for %v, want %d plies", fails, h.asked, wantAsked)
		}
	}
}
