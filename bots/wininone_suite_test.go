package bots_test

import (
	"context"
	"testing"

	"quintet/engine"
)

// TestForcedGathering takes positions from engine games in which exactly one move wins
// within a number of plies and none wins sooner, as a full search confirms. The move and
// the win must be proved within a number of nodes, and by Monte Carlo tree search within as many
// simulations, perhaps by another move or in more plies.
func TestForcedGathering(t *testing.T) {
	budget := map[int]uint64{1: 10, 3: 3_000, 5: 30_000}
	for _, test := range []struct {
		game     string
		plies    int
		position string
		best     string
	}{
		{"loa", 1, "5B2/8/5B1B/2BB1W2/W1WW1W2/2BBWBW1/W6B/1W6 W", "a4b5"},
		{"loa", 1, "1WWWB3/1BBBW1B1/1WW1WB2/B2WWW2/4B1B1/8/5W2/8 W", "f6d4"},
		{"loa", 1, "4W3/1B3W2/5W2/4W3/WBWWBB2/2WBW3/B3B1B1/8 W", "a4b5"},
		{"loa", 3, "6B1/8/BB1B4/1B2BW2/3WWW2/B3W1W1/3BBB2/4WWW1 W", "e7h7"},
		{"loa", 3, "6W1/8/8/3W4/WWBWBB2/2WWBB2/1BBB4/1WB5 B", "c6a4"},
		{"loa", 3, "5W2/W3B3/3BWWW1/1W1W1BBB/3BBB2/1WWWB3/8/8 B", "e1c1"},
		{"loa", 5, "3W2BB/3BBBW1/W3B1WW/1W2BB2/2B5/4WB2/4WW2/5WW1 B", "e1d2"},
		{"loa", 5, "5W2/4B3/4BB2/3BB1W1/3WW1W1/1WB2B2/8/8 B", "c5c4"},
		{"loa", 5, "1WW5/1WW5/2WWW2B/1BB5/B2B1B2/B2BB3/B1BWB1W1/2W2W2 B", "h2h3"},
		{"neighbors", 1, "5W2/W5W1/W2B4/3BWBB1/2BBB3/3W4/WWW1B3/4W3 B", "e6g4"},
		{"neighbors", 1, "3W4/8/2B1B3/2W5/1BBW4/1BW1W2W/5W2/8 B", "c2d3"},
		{"neighbors", 1, "3W4/4W1W1/8/1BW2W2/BWB5/BB2B3/8/8 B", "a5d5"},
		{"neighbors", 3, "6W1/1WB3W1/1WWW1WW1/8/2B1B3/BBBBB2W/B2B3W/8 B", "c1g5"},
		{"neighbors", 3, "3B4/1W3B1B/WW6/1W4B1/4BWB1/BBWBW3/2W5/4BB2 W", "f4b4"},
		{"neighbors", 3, "8/W7/W1BB1WW1/1B3W2/1BB1WB1W/2WWB2W/3B4/W2WBB2 B", "d2d3"},
		{"neighbors", 5, "3B4/7B/1WW2B1B/2WB4/2BWW2B/B2W1W2/B3WB1W/8 W", "b2d2"},
		{"neighbors", 5, "6W1/1WW5/4WW2/1B1BWB2/3WB3/3BB3/4B3/WW2W3 B", "e5e1"},
		{"neighbors", 5, "8/1W2B3/1W3BBB/3WWB1B/2B1B3/1WWW2W1/2WB3W/4W3 B", "d6d2"},
	} {
		g, k := find(t, test.game)
		p, err := g.Read(test.position)
		if err != nil {
			t.Fatal(err)
		}
		best, err := p.Parse(test.best)
		if err != nil {
			t.Fatal(err)
		}
		if !winsBy(p, best, test.plies) || wins(p, test.plies-2) {
			t.Errorf("%s: %s: %s does not win in %d plies, or another sooner", test.game, p, test.best, test.plies)
			continue
		}
		at := engine.Position{Position: p, Repeat: g.Repeat}
		line := engine.NewAlphaBeta(k, 4, 1).Search(context.Background(), at, engine.Limit{Nodes: budget[test.plies]}, nil)
		if line.Best() != best || line.Score != engine.Won-test.plies {
			t.Errorf("%s: %s: %s, score %d after %d nodes, want %s, %d", test.game, p, p.Format(line.Best()), line.Score, line.Nodes,
				test.best, engine.Won-test.plies)
		}
	}
}
