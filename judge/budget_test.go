package judge_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"quintet/internal/lang"
	"quintet/judge"
	"quintet/judge/dialogue"
	"quintet/judge/report"
	"quintet/judge/run"
	"quintet/judge/suite"
)

// counted is a runner that counts its runs and takes a fixed time for each.
type counted struct {
	played
	takes time.Duration
	runs  int
}

func (c *counted) Run(ctx context.Context, lines []string, enough int) run.Outcome {
	c.runs++
	out := c.played.Run(ctx, lines, enough)
	out.Elapsed = c.takes
	return out
}

// TestBudget judges a program whose only fault is a letter of the draw, with less
// and less to spend: the verdict stays, and says what was stopped early.
func TestBudget(t *testing.T) {
	p, err := dialogue.New("neighbors", 0)
	if err != nil {
		t.Fatal(err)
	}
	p.Words.Draw = "Draw Game!\n"
	for _, test := range []struct {
		name   string
		budget judge.Budget
		early  string
		runs   int // maximum, besides the games
	}{
		{"usual", judge.Budget{}, "", 120},
		{"few runs", judge.Budget{Runs: 55}, "The judge stopped looking for a shorter game early, because it had used up its runs.", 5},
		{"little time", judge.Budget{Time: 2 * time.Second}, "The judge stopped looking for a shorter game early, because it had used up its time.", 2},
		{"few dialogues", judge.Budget{Bytes: 1}, "The judge stopped looking for known mistakes early, because the games of this program are long.", 120},
	} {
		r := &counted{played: played{p}, takes: time.Second}
		if test.budget.Time > 0 {
			test.budget.Now = func() time.Time { return time.Unix(int64(r.runs), 0) } // a second for a run
		}
		v, err := judge.Judge(t.Context(), "neighbors", r, judge.Options{Seed: 1, Profile: exact(), Budget: test.budget})
		if err != nil {
			t.Fatal(err)
		}
		if v.Verdict != judge.WrongOutput || !strings.Contains(v.Rule, "wrong letter case: Draw·Game!") {
			t.Errorf("%s: %s: %s", test.name, v.Verdict, v.Rule)
		}
		for _, tag := range lang.Tags()[1:] {
			if l, err := lang.Open(tag); err != nil || test.early != "" && l.Paragraph(test.early) == test.early {
				t.Errorf("%s, %s: %v: %q is English", test.name, tag, err, test.early)
			}
		}
		if got := strings.Join(v.Warnings, " "); got != test.early || v.Early != (test.early != "") || strings.Contains(report.Text(v), "Warning: ") != v.Early {
			t.Errorf("%s: %v, %q, want %q", test.name, v.Early, got, test.early)
		}
		if r.runs > v.Games+test.runs || r.runs != v.Runs {
			t.Errorf("%s: %d runs (%d) for %d games, want at most %d more", test.name, r.runs, v.Runs, v.Games, test.runs)
		}
	}
}

// TestFollow compares Follow with Play, for pairs of mistakes in all games.
func TestFollow(t *testing.T) {
	for _, game := range dialogue.Games() {
		right, err := dialogue.New(game, 0)
		if err != nil {
			t.Fatal(err)
		}
		all, games := dialogue.Mutants(game), suite.Games(right, suite.Options{})
		for i, m := range all {
			p, q := m.Of(right), all[(i*7+1)%len(all)].Of(right)
			g := games[(i*13)%len(games)]
			heard := p.Play(g.Lines, "").Output()
			for _, program := range []dialogue.Program{p, q} {
				whole := program.Play(g.Lines, heard)
				part, agrees := program.Follow(g.Lines, heard)
				text := whole.Output()
				if n := min(len(text), len(heard)); agrees != (text[:n] == heard[:n]) || agrees && part.Output() != text {
					t.Errorf("%s, %s followed by another in %q: %v, %d bytes of %d", game, m.Name, g.Name, agrees, len(part.Output()), len(text))
				}
			}
		}
	}
}
