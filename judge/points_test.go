package judge_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quintet/judge"
	"quintet/judge/dialogue"
	"quintet/judge/marks"
	"quintet/judge/run"
	"quintet/judge/suite"
)

// pointsOf judges a program without spending anything on names of mistakes.
func pointsOf(t *testing.T, p dialogue.Program, r judge.Runner, games []suite.Game) judge.Verdict {
	t.Helper()
	v, err := judge.Judge(t.Context(), p.Game, r, judge.Options{Games: games, Size: p.Size, Budget: judge.Budget{Bytes: 1, Runs: 50}})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// refuser is a program whose functions are empty: it shows the board and refuses every answer.
type refuser struct{ p dialogue.Program }

func (r refuser) Run(_ context.Context, lines []string, _ int) run.Outcome {
	start := r.p.Play(lines[:min(len(lines), 1)], "")
	text := start.Turns[0].Output()
	prompt := text[strings.LastIndexByte(text, '\n')+1:]
	return run.Outcome{Output: text + strings.Repeat(r.p.Words.Invalid+prompt, len(lines)), Ending: run.Waiting}
}

// TestPoints checks what single mistakes cost: a program with empty functions and one that
// prints nothing get no points, a trailing blank costs a few, a missing direction less than
// half, and the heart of a game more than a text.
func TestPoints(t *testing.T) {
	for _, test := range []struct {
		game, mutant string
		least, most  float64
	}{
		{"neighbors", "", 100, 100}, {"loa", "", 100, 100}, {"othello", "", 100, 100}, {"connect6", "", 100, 100}, {"chess", "", 100, 100},
		{"neighbors", "empty", 0, 0}, {"connect6", "empty", 0, 0}, {"loa", "silent", 0, 0}, {"othello", "silent", 0, 0},
		{"othello", "trailing-blank", 93, 99}, {"loa", "crlf", 93, 99}, {"othello", "no-upward", 60, 92}, {"othello", "no-diagonals", 50, 92},
		{"neighbors", "any-length", 60, 90}, {"neighbors", "four-connected", 70, 96}, {"chess", "pawn-leaps", 70, 96}, {"connect6", "no-rising", 70, 96},
		{"chess", "stays", 70, 99}, {"othello", "pits-any", 70, 98}, {"loa", "no-colon", 89, 97},
	} {
		size := 0
		if test.game == "connect6" || test.game == "othello" {
			size = 6
		}
		p, err := dialogue.New(test.game, size)
		if err != nil {
			t.Fatal(err)
		}
		games := suite.Games(p, suite.Options{})
		var r judge.Runner = played{p}
		switch test.mutant {
		case "":
		case "empty":
			r = refuser{p}
		case "silent":
			r = silent{}
		default:
			for _, m := range dialogue.Mutants(test.game) {
				if m.Name == test.mutant {
					r = played{m.Of(p)}
				}
			}
		}
		v := pointsOf(t, p, r, games)
		if v.Points < test.least-1e-6 || v.Points > test.most+1e-6 || math.Abs(v.Of-100) > 1e-6 {
			t.Errorf("%s, %s: %.1f of %.1f points, want %v to %v: %+v", test.game, test.mutant, v.Points, v.Of, test.least, test.most, v.Features)
		}
	}
}

// TestPointsOfRefused checks that the maximum for a program that does not compile is exactly that of its assignment.
func TestPointsOfRefused(t *testing.T) {
	rubric := marks.Rubric{"a": 1, "b": 2, "c": 4, "d": 7, "e": 11, "f": 11, "g": 13}.Scaled(10)
	for range 50 { // sums of floats depend on the order
		if v, err := judge.Refused("loa", judge.Options{Rubric: rubric}, ""); err != nil || v.Of != 10 {
			t.Fatalf("of %v points, %v; want 10", v.Of, err)
		}
	}
}

type silent struct{}

func (silent) Run(context.Context, []string, int) run.Outcome { return run.Outcome{Ending: run.Exited} }

// broken has, for each feature of a game, mutants that lack it.
var broken = map[string][]string{
	"neighbors": {
		"start-turned", "loses-turn no-swap second-first", "any-length shorter longer", "any-direction own-target enemy-piece", "keeps-source",
		"no-pass pass-loses silent-pass", "four-connected winner-swapped single-apart", "any-case", "no-colon invalid-silent header-case",
	},
	"connect6": {
		"no-first-board", "one-each three-each second-first", "on-stones", "five-wins seven-wins no-vertical winner-swapped",
		"any-case", "no-colon invalid-silent header-case",
	},
	"chess": {
		"royals-swapped", "loses-turn second-first", "king-two rook-jumps pawn-slants pawn-back", "own-target enemy-piece", "keeps-source",
		"counts-pieces stop-loses king-is-no-end", "one-case", "no-colon invalid-silent header-case",
	},
}

// TestOrder breaks up to six features and checks that the order of the points agrees with the
// number of those that work.
func TestOrder(t *testing.T) {
	for game, features := range broken {
		r := rand.New(rand.NewPCG(1, 1)) // for each game, because the order of a map changes
		p, err := dialogue.New(game, map[string]int{"connect6": 7}[game])
		if err != nil {
			t.Fatal(err)
		}
		games := slices.DeleteFunc(suite.Games(p, suite.Options{}), func(g suite.Game) bool { return len(g.Lines) > 80 })
		mutants := map[string]dialogue.Mutant{}
		for _, m := range dialogue.Mutants(game) {
			mutants[m.Name] = m
		}
		var wrong, points []float64
		for i := range 42 {
			q, n := p, i%min(7, len(features)+1)
			for _, k := range r.Perm(len(features))[:n] {
				words := strings.Fields(features[k])
				q = mutants[words[r.IntN(len(words))]].Of(q)
			}
			wrong = append(wrong, -float64(n))
			points = append(points, pointsOf(t, p, played{q}, games).Points)
		}
		if got := tau(wrong, points); got < leastTau {
			t.Errorf("%s: Kendall's tau is %.2f, want %v", game, got, leastTau)
		} else {
			t.Logf("%s: Kendall's tau is %.2f", game, got)
		}
	}
}

// leastTau is the least agreement of two orders.
const leastTau = 0.78

// tau returns Kendall's tau-b of two lists.
func tau(x, y []float64) float64 {
	both, tiesX, tiesY, sum := 0.0, 0.0, 0.0, 0.0
	for i := range x {
		for k := range i {
			a, b := x[i]-x[k], y[i]-y[k]
			switch {
			case a == 0 && b == 0:
			case a == 0:
				tiesX++
			case b == 0:
				tiesY++
			default:
				both++
				sum += math.Copysign(1, a*b)
			}
		}
	}
	return sum / math.Sqrt((both+tiesX)*(both+tiesY))
}

// TestBothSizes takes no points of sizes from a program with the same mistake on both boards, though few checks show it.
func TestBothSizes(t *testing.T) {
	var boards []dialogue.Program
	for _, size := range []int{4, 6} {
		p, err := dialogue.New("othello", size)
		if err != nil {
			t.Fatal(err)
		}
		boards = append(boards, p.With("pass-no-round"))
	}
	v, err := judge.Judge(t.Context(), "othello", played{boards[0]}, judge.Options{Size: 4, Other: &judge.Resized{Size: 6, Runner: played{boards[1]}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range v.Features {
		if (f.Points < f.Of*0.9) != (f.Name == "texts") {
			t.Errorf("%.1f of %.1f points for %s: %s", f.Points, f.Of, f.Name, f.Why)
		}
	}
}

// TestBuiltInSize takes the points of sizes from a program that has no other board, or a wrong
// one, and does not accept it.
func TestBuiltInSize(t *testing.T) {
	p, err := dialogue.New("othello", 4)
	q, err2 := dialogue.New("othello", 6)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for name, test := range map[string]struct {
		other       judge.Resized
		verdict     string
		least, most float64
	}{
		"right":    {judge.Resized{Size: 6, Runner: played{q}}, judge.Accepted, 100, 100},
		"built in": {judge.Resized{Size: 6, Why: "no constant N"}, judge.WrongRule, 89, 91},
		"wrong":    {judge.Resized{Size: 6, Runner: played{p}}, "", 89, 99},
	} {
		v, err := judge.Judge(t.Context(), "othello", played{p}, judge.Options{Size: 4, Other: &test.other})
		if err != nil || v.Verdict == judge.CompileError || v.OK() != (test.verdict == judge.Accepted) || v.Points < test.least || v.Points > test.most {
			t.Errorf("%s: %v, %s: %s, %v points", name, err, v.Verdict, v.Rule, v.Points)
		}
	}
}
