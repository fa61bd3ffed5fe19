package engine

import (
	"context"
	"math/rand/v2"
	"testing"

	"quintet/game"
)

// skipGames are boards of all games, small enough for minimax.
var skipGames = []struct{ name, setup string }{
	{"neighbors", ""}, {"loa", ""}, {"chess", ""}, {"othello", "size=10 pits=c3"}, {"connect6", "size=5"},
}

// TestSkipLeavesNoTrace searches random positions with all moves, then without some, then
// the positions before them, with one table. Each search must return the value of
// minimax, and searches that skip moves must not change what is known of the root.
func TestSkipLeavesNoTrace(t *testing.T) {
	k := plainKnowledge()
	for _, g := range skipGames {
		r := rand.NewPCG(3, 3)
		for range 4 {
			before, at := start(t, g.name, g.setup, ""), start(t, g.name, g.setup, "")
			for range 4 + game.IntN(r, 12) {
				before.Position = at.Clone()
				at.Play(game.Sample(at, r, nil))
			}
			a := NewAlphaBeta(k, 1, 1)
			a.full = true
			search := func(what string, p Position, depth int) {
				if want, got := minimax(k, p, depth, 0, nil), a.Search(context.Background(), p, Limit{Depth: depth}, nil).Score; got != want {
					t.Errorf("%s %s, %s: %d, want %d", g.name, p, what, got, want)
				}
			}
			search("with all moves", at, 2)
			known := a.table.get(at.Key(), 0)
			for range 3 {
				search("without some moves", withSkip(at, r), 2)
			}
			if got := a.table.get(at.Key(), 0); got != known {
				t.Errorf("%s %s: the table has %+v after moves were skipped, want %+v as before", g.name, at, got, known)
			}
			search("the position before", before, 3)
		}
	}
}

// withSkip returns the position with random moves to skip, all but one at most.
func withSkip(p Position, r *rand.PCG) Position {
	moves := p.Moves(nil)
	rand.New(r).Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	p.Skip = moves[:game.IntN(r, len(moves))]
	return p
}

// TestSkipKey checks that the key depends on which moves are skipped, and on nothing
// else.
func TestSkipKey(t *testing.T) {
	a, b := game.Put(3), game.Put(4)
	keys := map[uint64][]game.Move{}
	for _, skip := range [][]game.Move{nil, {a}, {b}, {a, b}, {a, a}} {
		if same, ok := keys[SkipKey(skip)]; ok {
			t.Errorf("%v and %v have the same key", same, skip)
		}
		keys[SkipKey(skip)] = skip
	}
	if SkipKey([]game.Move{a, b}) != SkipKey([]game.Move{b, a}) || SkipKey(nil) != 0 {
		t.Error("the key depends on the order, or is not 0 for no move")
	}
}

// TestMonteCarloSkips checks that Lines returns every move once, up to the number
// requested.
func TestMonteCarloSkips(t *testing.T) {
	p := start(t, "othello", "", "")
	seen := map[game.Move]bool{}
	for _, line := range Lines(context.Background(), NewMCTS(1), p, Limit{Nodes: 50}, 9) {
		seen[line.Best()] = true
		checkLine(t, p, line)
	}
	if len(seen) != 4 {
		t.Errorf("lines that begin with %v, want each of four moves", seen)
	}
}

// TestMonteCarloDepth limits a search by depth alone, which must end all the same,
// and by nodes as well: the lower limit counts.
func TestMonteCarloDepth(t *testing.T) {
	p := start(t, "othello", "size=4", "")
	for l, want := range map[Limit]uint64{{Depth: 1}: gamesPerPly, {Depth: 1, Nodes: 5_000}: gamesPerPly, {Depth: 3}: 3 * gamesPerPly, {Depth: 3, Nodes: 50}: 50} {
		if line := NewMCTS(1).Search(context.Background(), p, l, nil); line.Nodes != want {
			t.Errorf("%+v: %d games, want %d", l, line.Nodes, want)
		}
	}
}
