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

// exact accepts no blank lines, no extra lines and no other letter case.
func exact() judge.Profile {
	return judge.Profile{"blank-lines": {"none", "after-board", "before-result"}, "letter-case": {"exact"}, "extra-output": {"none"}}
}

// altered changes the output of another program.
type altered struct {
	played
	change func(string) string
}

func (a altered) Run(ctx context.Context, lines []string, enough int) run.Outcome {
	out := a.played.Run(ctx, lines, enough)
	out.Output = a.change(out.Output)
	return out
}

// TestTolerance accepts programs with other letter case, blank lines, prompts on lines of their own
// and greetings, unless the profile forbids it. A mistake in addition gets its usual name.
func TestTolerance(t *testing.T) {
	prompt := regexp.MustCompile(`(turn|move): `)
	changes := map[string]func(string) string{
		"letter-case": func(s string) string {
			return strings.NewReplacer("Invalid", "INVALID", "Draw game", "draw Game", "wins", "WINS", "Round", "round", "'s turn", "'s Turn").Replace(s)
		},
		"blank-lines": func(s string) string { return strings.ReplaceAll(prompt.ReplaceAllString(s, "$1: \n"), "!\n", "!\n\n") },
		"extra-output": func(s string) string {
			return "Welcome, have fun!\n" + strings.ReplaceAll(s, "turn: Round", "turn: You typed something.\nRound")
		},
	}
	changes["all"] = func(s string) string {
		return changes["extra-output"](changes["blank-lines"](changes["letter-case"](s)))
	}
	for _, game := range []string{"neighbors", "othello", "connect6", "chess"} {
		p, err := dialogue.New(game, map[string]int{"othello": 4, "connect6": 6}[game])
		if err != nil {
			t.Fatal(err)
		}
		games := suite.Games(p, suite.Options{})[:30]
		var other dialogue.Mutant
		for _, m := range dialogue.Mutants(game) {
			if m.Name == "second-first" {
				other = m
			}
		}
		for name, change := range changes {
			v := judgedWith(t, p, altered{played{p}, change}, games, nil)
			follows := 0
			for _, f := range v.Follows {
				if !f.Default {
					follows++
				}
			}
			if !v.OK() || v.Points != v.Of || follows == 0 {
				t.Errorf("%s, %s: %s, %v points, %d choices: %s\n%s", game, name, v.Verdict, v.Points, follows, v.Message, v.Talk)
			}
			if v := judgedWith(t, p, altered{played{p}, change}, games, exact()); v.OK() {
				t.Errorf("%s, %s: the strict teacher accepts it", game, name)
			}
			if v := judgedWith(t, p, altered{played{other.Of(p)}, change}, games, nil); v.Verdict != judge.WrongRule || v.Rule != other.Description {
				t.Errorf("%s, %s and second-first: %s, %s\n%s", game, name, v.Verdict, v.Rule, v.Talk)
			}
		}
	}
}

func judgedWith(t *testing.T, p dialogue.Program, r judge.Runner, games []suite.Game, profile judge.Profile) judge.Verdict {
	t.Helper()
	v, err := judge.Judge(t.Context(), p.Game, r, judge.Options{Games: games, Size: p.Size, Profile: profile})
	if err != nil {
		t.Fatal(err)
	}
	return v
}
