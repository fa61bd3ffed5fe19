package judge_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"quintet/judge"
	"quintet/judge/dialogue"
	"quintet/judge/run"
	"quintet/judge/suite"
)

// refusesAll is a program that refuses every answer, in other words than the specification's.
type refusesAll struct{ p dialogue.Program }

func (r refusesAll) Run(_ context.Context, lines []string, _ int) run.Outcome {
	start := r.p.Play(nil, "").Output()
	return run.Outcome{Output: start + strings.Repeat("Invalid move, try again!\nB's move: ", len(lines)), Ending: run.Waiting}
}

// TestUnknownMistakes judges programs with mistakes that no mutant has: the report says what a student
// did, and a mistake costs only the features that it concerns.
func TestUnknownMistakes(t *testing.T) {
	blanks := regexp.MustCompile(` +\n`)
	change := func(game string, f func(string) string) judge.Runner {
		p, err := dialogue.New(game, map[string]int{"connect6": 7, "othello": 6}[game])
		if err != nil {
			t.Fatal(err)
		}
		return altered{played{p}, f}
	}
	neighbors, _ := dialogue.New("neighbors", 0)
	for name, test := range map[string]struct {
		game   string
		size   int
		runner judge.Runner
		games  []suite.Game
		rule   string
		least  float64
	}{
		"no blanks at the ends of lines": {"chess", 0, change("chess", func(s string) string { return blanks.ReplaceAllString(s, "\n") }), nil, "leaves out the blanks at the end of a line", 94},
		"letters of another size": {"connect6", 7, change("connect6", func(s string) string { return strings.ReplaceAll(s, "F G\n", "F G H I J\n") }),
			[]suite.Game{{Name: "start"}, {Name: "stone", Lines: []string{"A0"}}}, "prints a wrong board", 75},
		"no message for too many pits": {"othello", 6, change("othello", func(s string) string { return strings.ReplaceAll(s, "Too many pits!\n", "") }),
			[]suite.Game{{Name: "pits", Lines: []string{"19", "0"}}}, "asks again without the message Too·many·pits!", 0},
		"refuses in other words": {"neighbors", 0, refusesAll{neighbors}, []suite.Game{{Name: "valid", Lines: []string{"d0 f2"}}}, "refuses the valid move d0 f2", 0},
	} {
		v, err := judge.Judge(t.Context(), test.game, test.runner, judge.Options{Games: test.games, Size: test.size})
		if err != nil || !strings.Contains(v.Rule, test.rule) || v.OK() || v.Points < test.least {
			t.Errorf("%s: %v, %s, %v points, want %s", name, err, v.Rule, v.Points, test.rule)
		}
	}
}
