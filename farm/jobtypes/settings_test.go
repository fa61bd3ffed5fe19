package jobtypes_test

import (
	"slices"
	"strings"
	"testing"

	"quintet/farm/jobtypes"
)

// TestSettings checks that each invalid setting is rejected with one clear error.
func TestSettings(t *testing.T) {
	huge := slices.Repeat([]string{"x"}, 3)
	for want, j := range map[string]job{
		`game "go"`:          {kind: jobtypes.SolveName, settings: &jobtypes.SolveSettings{Game: "go", Nodes: 1, Positions: huge}},
		"nodes for each":     {kind: jobtypes.SolveName, settings: &jobtypes.SolveSettings{Game: "othello", Positions: huge}},
		"position 1":         {kind: jobtypes.SolveName, settings: &jobtypes.SolveSettings{Game: "loa", Nodes: 1, Positions: huge}},
		"cells are empty":    {kind: jobtypes.SolveName, settings: &jobtypes.SolveSettings{Game: "othello", Nodes: 1, Positions: []string{"8/8/8/3XO3/3OX3/8/8/8 X"}}},
		"expected a board":   {kind: jobtypes.SolveName, settings: &jobtypes.SolveSettings{Game: "othello", Nodes: 1, Positions: []string{strings.Repeat("XXXXXXXXXX/", 9) + "XXXXXXXXX1 X"}}},
		"limits of":          {kind: jobtypes.ReviewName, settings: &jobtypes.ReviewSettings{Games: []jobtypes.ReviewGame{reviewed(t)}}},
		"no games":           {kind: jobtypes.ReviewName, settings: &jobtypes.ReviewSettings{Depth: 1}},
		"move 1":             {kind: jobtypes.ReviewName, settings: &jobtypes.ReviewSettings{Depth: 1, Games: []jobtypes.ReviewGame{{"chess", "k7/8/8/8/8/8/8/7K w - - 0 1", "a1a1"}}}},
		"does not know jobs": {kind: "mining", settings: map[string]int{}},
	} {
		s := specOf(t, j)
		task, err := jobtypes.All(nil, nil).Task(s)
		if err == nil {
			_, err = task.NewRunner(0)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", j.kind, err, want)
		}
	}
}
