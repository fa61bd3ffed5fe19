package jobtypes_test

import (
	"slices"
	"strings"
	"testing"

	"quintet/bots"
	"quintet/farm/jobtypes"
	"quintet/farm/match"
	"quintet/lab/train"
)

// TestSettings checks that each invalid setting is rejected with one clear error.
func TestSettings(t *testing.T) {
	huge := slices.Repeat([]string{"x"}, 3)
	for want, j := range map[string]job{
		"batches":                        {kind: jobtypes.SelfPlayName, settings: &jobtypes.SelfPlaySettings{SelfPlay: bots.SelfPlay{Game: "loa", Nodes: 5, Games: 23}, Batch: 1 << 30}},
		"at most 5":                      {kind: jobtypes.SelfPlayName, settings: &jobtypes.SelfPlaySettings{SelfPlay: bots.SelfPlay{Game: "loa", Nodes: 5, Games: 1 << 40}, Batch: 1}},
		"at least one game":              {kind: jobtypes.SelfPlayName, settings: &jobtypes.SelfPlaySettings{SelfPlay: bots.SelfPlay{Game: "loa"}, Batch: 1}},
		"no trainer":                     {kind: jobtypes.SelfPlayName, settings: &jobtypes.SelfPlaySettings{SelfPlay: bots.SelfPlay{Game: "connect6", Nodes: 1, Games: 1}, Batch: 1}},
		"else none":                      {kind: jobtypes.SelfPlayName, settings: &jobtypes.SelfPlaySettings{SelfPlay: bots.SelfPlay{Game: "loa", Nodes: 1, Games: 1, Given: true}, Batch: 1}},
		"reading weights":                {jobtypes.SelfPlayName, &jobtypes.SelfPlaySettings{SelfPlay: bots.SelfPlay{Game: "loa", Nodes: 1, Games: 1, Given: true}, Batch: 1}, []byte("x")},
		"have some,":                     {jobtypes.SelfPlayName, selfPlay(), []byte("x")},
		"neither a depth":                {kind: jobtypes.SelfPlayName, settings: &jobtypes.SelfPlaySettings{SelfPlay: bots.SelfPlay{Game: "loa", Depth: 1, Games: 1}, Batch: 1}},
		"expected 8x8, a d":              {kind: jobtypes.SelfPlayName, settings: &jobtypes.SelfPlaySettings{SelfPlay: bots.SelfPlay{Game: "othello", Boards: "8x8", Depth: 9, Exact: 6, Games: 1, Given: true}, Batch: 1}},
		"and 1 to 16 empty":              {kind: jobtypes.SelfPlayName, settings: &jobtypes.SelfPlaySettings{SelfPlay: bots.SelfPlay{Game: "othello", Boards: "8x8", Depth: 8, Games: 1, Given: true}, Batch: 1}},
		"weights of the pla":             {kind: jobtypes.SelfPlayName, settings: &jobtypes.SelfPlaySettings{SelfPlay: bots.SelfPlay{Game: "othello", Boards: "8x8", Depth: 8, Exact: 6, Games: 1}, Batch: 1}},
		"exact from 17":                  {kind: jobtypes.SelfPlayName, settings: &jobtypes.SelfPlaySettings{SelfPlay: bots.SelfPlay{Game: "othello", Boards: "8x8", Depth: 8, Exact: 17, Games: 1, Given: true}, Batch: 1}},
		"and neither a depth nor boards": {kind: jobtypes.SelfPlayName, settings: &jobtypes.SelfPlaySettings{SelfPlay: bots.SelfPlay{Game: "loa", Nodes: 1, Exact: 3, Games: 1}, Batch: 1}},
		"have none":                      {jobtypes.PuzzlesName, &jobtypes.PuzzlesSettings{Game: "chess", Seed: 1, Count: 1}, []byte("x")},
		"puzzles from":                   {kind: jobtypes.PuzzlesName, settings: &jobtypes.PuzzlesSettings{Game: "othello"}},
		`game "go"`:                      {kind: jobtypes.PuzzlesName, settings: &jobtypes.PuzzlesSettings{Game: "go", Count: 1}},
		"nodes for each":                 {kind: jobtypes.SolveName, settings: &jobtypes.SolveSettings{Game: "othello", Positions: huge}},
		"position 1":                     {kind: jobtypes.SolveName, settings: &jobtypes.SolveSettings{Game: "loa", Nodes: 1, Positions: huge}},
		"cells are empty":                {kind: jobtypes.SolveName, settings: &jobtypes.SolveSettings{Game: "othello", Nodes: 1, Positions: []string{"8/8/8/3XO3/3OX3/8/8/8 X"}}},
		"expected a board":               {kind: jobtypes.SolveName, settings: &jobtypes.SolveSettings{Game: "othello", Nodes: 1, Positions: []string{strings.Repeat("XXXXXXXXXX/", 9) + "XXXXXXXXX1 X"}}},
		"limits of":                      {kind: jobtypes.ReviewName, settings: &jobtypes.ReviewSettings{Games: []jobtypes.ReviewGame{reviewed(t)}}},
		"no games":                       {kind: jobtypes.ReviewName, settings: &jobtypes.ReviewSettings{Depth: 1}},
		"a table of":                     {kind: jobtypes.SearchName, settings: &jobtypes.SearchSettings{Game: reviewed(t), Nodes: 1, Table: 1 << 20}},
		"expected 0 to 4":                {kind: jobtypes.SearchName, settings: &jobtypes.SearchSettings{Game: reviewed(t), Nodes: 1, Table: 1, First: 5}},
		"move 1":                         {kind: jobtypes.ReviewName, settings: &jobtypes.ReviewSettings{Depth: 1, Games: []jobtypes.ReviewGame{{"chess", "k7/8/8/8/8/8/8/7K w - - 0 1", "a1a1"}}}},
		"does not know jobs":             {kind: "mining", settings: map[string]int{}},
	} {
		s := specOf(t, j)
		task, err := jobtypes.All(match.Kind(nil, nil)).Task(s)
		if err == nil {
			_, err = task.NewRunner(j.blob, 0)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", j.kind, err, want)
		}
	}
}

// TestOthelloRounds checks that a farm takes the games of the rounds that made the program's weights.
func TestOthelloRounds(t *testing.T) {
	var list []bots.SelfPlay
	for _, r := range train.Rounds() {
		list = append(list, bots.SelfPlay{Game: "othello", Boards: "8x8", Depth: r.Depth, Exact: r.Exact, Games: r.Games, Given: true})
	}
	for _, r := range train.BoardRounds() {
		list = append(list, bots.SelfPlay{Game: "othello", Boards: "any", Nodes: r.Nodes, Games: r.Games, Given: true})
	}
	for _, s := range list {
		settings := jobtypes.NewSelfPlay(s)
		if _, err := jobtypes.SelfPlay(specOf(t, job{kind: jobtypes.SelfPlayName, settings: settings}).Settings); err != nil || settings.Batch < 20 {
			t.Errorf("%+v: batches of %d, %v", s, settings.Batch, err)
		}
	}
}
