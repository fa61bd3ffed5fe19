package engine_test

import (
	"math/bits"
	"slices"
	"testing"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/games/othello"
	"quintet/lab/enginetest"
)

// TestFingerprint searches with the full Knowledge of the games, so that every reduction,
// extension and pruning takes part.
func TestFingerprint(t *testing.T) {
	for _, test := range []struct {
		name  string
		depth int
		plies []int
	}{
		{"chess", 9, []int{0, 9, 20, 33, 61}}, {"loa", 7, []int{0, 11, 40}}, {"neighbors", 6, []int{0, 12, 30}},
		{"othello", 7, []int{0, 20, 51}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, k := known(t, test.name)
			cases := enginetest.AfterRandomMoves(t, g, nil, engine.Limit{Depth: test.depth}, test.plies...)
			limited := enginetest.AfterRandomMoves(t, g, nil, engine.Limit{Nodes: 3_000}, test.plies[1])
			enginetest.Fingerprint(t, "testdata/"+test.name+".golden", engine.NewAlphaBeta(k, 1, 1), append(cases, limited...))
		})
	}
}

// TestMonteCarloFingerprint grows trees from a seed.
func TestMonteCarloFingerprint(t *testing.T) {
	var cases []enginetest.Case
	for _, name := range []string{"connect6", "loa", "othello"} {
		g, _ := games.ByName(name)
		cases = slices.Concat(cases, enginetest.AfterRandomMoves(t, g, nil, engine.Limit{Nodes: 1_500}, 0, 8))
	}
	enginetest.Fingerprint(t, "testdata/mcts.golden", engine.NewMCTS(5), cases)
}

func known(t testing.TB, name string) (game.Game, engine.Knowledge) {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	if name == "othello" { // its bots have other searches; here it is the game with passes
		return g, engine.Knowledge{Eval: mobility}
	}
	return g, bots.ProfileFor(g).Knowledge()
}

// mobility evaluates Othello by the moves that one side has more than the other.
func mobility(p game.Position) int {
	own, other := p.(*othello.Small).Bitboards(), p.(*othello.Small).Bitboards().Pass()
	return 9 * (bits.OnesCount64(own.Moves) - bits.OnesCount64(other.Moves))
}
