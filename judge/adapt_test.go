package judge_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"quintet/judge"
	"quintet/judge/dialogue"
	"quintet/judge/run"
	"quintet/judge/suite"
)

// TestIndependence checks that mistakes cost points of their own features, and that features that they
// hide or break for a while keep theirs.
func TestIndependence(t *testing.T) {
	for _, test := range []struct {
		game   string
		faults string
		lost   string // the features that lose points
	}{
		{"neighbors", "counts-own", "distance robustness"},
		{"loa", "last-row", "robustness"},
		{"loa", "second-first no-jump-own", "turns moves"},
		{"othello", "rows-from-zero", "robustness"},
		{"othello", "no-diagonals", "moves"},
		{"othello", "one-pass-ends", "passes"},
		{"othello", "pass-other", "passes"},
		{"othello", "flips-one-line", "board"},
		{"neighbors", "no-pass", "passes"},
		{"neighbors", "any-direction", "moves"},
		{"neighbors", "rows-columns", "robustness"},
		{"neighbors", "keeps-source", "board"},
		{"loa", "count-twice", "result"},
		{"chess", "pawn-back", "pieces"},
		{"chess", "king-two", "pieces"},
		{"connect6", "on-stones", "moves"},
		{"othello", "one-case", "robustness"},
		{"othello", "no-swap", "turns"},
		{"chess", "king-straight", "pieces"},
		{"chess", "no-stop", "result machine"},
	} {
		p, err := dialogue.New(test.game, map[string]int{"othello": 6, "connect6": 7}[test.game])
		if err != nil {
			t.Fatal(err)
		}
		games := slices.DeleteFunc(suite.Games(p, suite.Options{}), func(g suite.Game) bool { return len(g.Lines) > 60 })
		q := p
		for _, f := range strings.Fields(test.faults) {
			q = q.With(dialogue.Fault(f))
		}
		var lost []string
		for _, f := range pointsOf(t, p, played{q}, games).Features {
			if f.Points < f.Of*0.9 {
				lost = append(lost, f.Name)
			}
			if (f.Points < f.Of-1e-6) != (f.Why != "") {
				t.Errorf("%s, %s: %+v", test.game, test.faults, f)
			}
		}
		if want := strings.Fields(test.lost); !slices.Equal(lost, want) {
			t.Errorf("%s, %s: loses points of %v, want %v", test.game, test.faults, lost, want)
		}
	}
}

// hanging is a runner whose program hangs after a number of runs.
type hanging struct {
	played
	after, runs int
}

func (h *hanging) Run(ctx context.Context, lines []string, enough int) run.Outcome {
	if h.runs++; h.runs > h.after {
		return run.Outcome{Ending: run.TimedOut}
	}
	return h.played.Run(ctx, lines, enough)
}

// TestAdaptedHangs judges a program that hangs in the games that are adapted to it: the first such game is the last.
func TestAdaptedHangs(t *testing.T) {
	p, err := dialogue.New("loa", 0)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	games := slices.DeleteFunc(suite.Games(p, suite.Options{}), func(g suite.Game) bool {
		key := strings.Join(g.Lines, "\n")
		again := known[key] // is not played again
		known[key] = true
		return again || len(g.Lines) > 60
	})
	h := &hanging{played{p.With("second-first")}, len(games), 0}
	pointsOf(t, p, h, games)
	if more := h.runs - h.after; more != 1 {
		t.Errorf("%d games beside the suite, want 1", more)
	}
}

// endless is a runner whose program makes the last move of a game and then goes on for ever.
type endless struct{ played }

func (e endless) Run(ctx context.Context, lines []string, enough int) run.Outcome {
	out := e.played.Run(ctx, lines, enough)
	if strings.HasSuffix(out.Output, "wins!\n") || strings.HasSuffix(out.Output, "game!\n") {
		out.Output, out.Ending = out.Output[:strings.LastIndex(out.Output, "move: ")+len("move: ")], run.TimedOut
	}
	return out
}

// TestEndless checks that a program that hangs after the last move loses no points for moves and boards.
func TestEndless(t *testing.T) {
	p, err := dialogue.New("loa", 0)
	if err != nil {
		t.Fatal(err)
	}
	games := slices.DeleteFunc(suite.Games(p, suite.Options{}), func(g suite.Game) bool { return len(g.Lines) > 60 })
	for _, f := range pointsOf(t, p, endless{played{p}}, games).Features {
		if lost := f.Points < f.Of; lost != (f.Name == "result" || f.Name == "robustness") {
			t.Errorf("%+v", f)
		}
	}
}

// TestMachine takes points of the machine, and no others, from a program whose machine prints its moves wrongly, though
// the mistake has a name.
func TestMachine(t *testing.T) {
	p, err := dialogue.New("chess", 0)
	if err != nil {
		t.Fatal(err)
	}
	games := slices.DeleteFunc(suite.Games(p, suite.Options{}), func(g suite.Game) bool { return len(g.Lines) > 6 && !p.Machines(g.Lines) })
	for _, fault := range []dialogue.Fault{"machine-rows", "machine-small", "machine-turned", "machine-white"} {
		v, err := judge.Judge(t.Context(), "chess", played{p.With(fault)}, judge.Options{Games: games})
		if err != nil || !slices.Equal(v.Mutants, []string{string(fault)}) {
			t.Errorf("%s: %v, taken for %v: %s", fault, err, v.Mutants, v.Rule)
		}
		for _, f := range v.Features {
			if (f.Points < f.Of/2) != (f.Name == "machine") {
				t.Errorf("%s: %v of %v points for %s", fault, f.Points, f.Of, f.Name)
			}
		}
	}
}
