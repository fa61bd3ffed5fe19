package jobs_test

import (
	"strings"
	"testing"

	"quintet/lab/jobs"
	"quintet/lab/train"
)

// TestSettings checks that each invalid setting is rejected with one clear error.
func TestSettings(t *testing.T) {
	for want, j := range map[string]job{
		"batches":                        {kind: jobs.SelfPlayName, settings: &jobs.SelfPlaySettings{SelfPlay: train.SelfPlay{Game: "loa", Nodes: 5, Games: 23}, Batch: 1 << 30}},
		"at most 5":                      {kind: jobs.SelfPlayName, settings: &jobs.SelfPlaySettings{SelfPlay: train.SelfPlay{Game: "loa", Nodes: 5, Games: 1 << 40}, Batch: 1}},
		"at least one game":              {kind: jobs.SelfPlayName, settings: &jobs.SelfPlaySettings{SelfPlay: train.SelfPlay{Game: "loa"}, Batch: 1}},
		"no trainer":                     {kind: jobs.SelfPlayName, settings: &jobs.SelfPlaySettings{SelfPlay: train.SelfPlay{Game: "connect6", Nodes: 1, Games: 1}, Batch: 1}},
		"needs a blob":                   {kind: jobs.SelfPlayName, settings: &jobs.SelfPlaySettings{SelfPlay: train.SelfPlay{Game: "loa", Nodes: 1, Games: 1, Given: true}, Batch: 1}},
		"reading weights":                {jobs.SelfPlayName, &jobs.SelfPlaySettings{SelfPlay: train.SelfPlay{Game: "loa", Nodes: 1, Games: 1, Given: true}, Batch: 1}, []byte("x")},
		"with these settings":            {jobs.SelfPlayName, selfPlay(), []byte("x")},
		"neither a depth":                {kind: jobs.SelfPlayName, settings: &jobs.SelfPlaySettings{SelfPlay: train.SelfPlay{Game: "loa", Depth: 1, Games: 1}, Batch: 1}},
		"expected 8x8, a d":              {kind: jobs.SelfPlayName, settings: &jobs.SelfPlaySettings{SelfPlay: train.SelfPlay{Game: "othello", Boards: "8x8", Depth: 9, Exact: 6, Games: 1, Given: true}, Batch: 1}},
		"and 1 to 16 empty":              {kind: jobs.SelfPlayName, settings: &jobs.SelfPlaySettings{SelfPlay: train.SelfPlay{Game: "othello", Boards: "8x8", Depth: 8, Games: 1, Given: true}, Batch: 1}},
		"weights of the pla":             {kind: jobs.SelfPlayName, settings: &jobs.SelfPlaySettings{SelfPlay: train.SelfPlay{Game: "othello", Boards: "8x8", Depth: 8, Exact: 6, Games: 1}, Batch: 1}},
		"exact from 17":                  {kind: jobs.SelfPlayName, settings: &jobs.SelfPlaySettings{SelfPlay: train.SelfPlay{Game: "othello", Boards: "8x8", Depth: 8, Exact: 17, Games: 1, Given: true}, Batch: 1}},
		"and neither a depth nor boards": {kind: jobs.SelfPlayName, settings: &jobs.SelfPlaySettings{SelfPlay: train.SelfPlay{Game: "loa", Nodes: 1, Exact: 3, Games: 1}, Batch: 1}},
		"have none":                      {jobs.PuzzlesName, &jobs.PuzzlesSettings{Game: "chess", Seed: 1, Count: 1}, []byte("x")},
		"puzzles from":                   {kind: jobs.PuzzlesName, settings: &jobs.PuzzlesSettings{Game: "othello"}},
		`game "go"`:                      {kind: jobs.PuzzlesName, settings: &jobs.PuzzlesSettings{Game: "go", Count: 1}},
		"does not know jobs":             {kind: "mining", settings: map[string]int{}},
	} {
		s := specOf(t, j)
		task, err := jobs.Types().Task(s)
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
	var list []train.SelfPlay
	for _, r := range train.Rounds() {
		list = append(list, train.SelfPlay{Game: "othello", Boards: "8x8", Depth: r.Depth, Exact: r.Exact, Games: r.Games, Given: true})
	}
	for _, r := range train.BoardRounds() {
		list = append(list, train.SelfPlay{Game: "othello", Boards: "any", Nodes: r.Nodes, Games: r.Games, Given: true})
	}
	for _, s := range list {
		settings := jobs.NewSelfPlay(s)
		if _, err := jobs.SelfPlay(specOf(t, job{kind: jobs.SelfPlayName, settings: settings}).Settings); err != nil || settings.Batch < 20 {
			t.Errorf("%+v: batches of %d, %v", s, settings.Batch, err)
		}
	}
}
