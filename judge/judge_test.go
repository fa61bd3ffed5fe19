package judge_test

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"quintet/judge"
	"quintet/judge/console"
	"quintet/judge/dialogue"
	"quintet/judge/run"
	"quintet/judge/suite"
)

// played is a runner that is a program of package dialogue.
type played struct{ p dialogue.Program }

func (p played) Run(_ context.Context, lines []string, enough int) run.Outcome {
	c := p.p.Play(lines, "")
	out := run.Outcome{Output: c.Output(), Ending: run.Waiting}
	switch {
	case c.Over:
		out.Ending = run.Exited
	case c.Cut || enough > 0 && len(out.Output) > enough+64<<10:
		out.Ending = run.OutputExceeded
	}
	return out
}

// TestMutants measures the judge: it catches every mutant, names nine of ten, and half of
// the games that show them have at most twelve moves. It tests one mutant of twelve,
// or all with QUINTET_MUTANTS=all, which takes some minutes.
func TestMutants(t *testing.T) {
	step := 12
	if os.Getenv("QUINTET_MUTANTS") != "" {
		step = 1
	}
	var all, named, early, runs int
	var lengths []int
	for _, game := range dialogue.Games() {
		right, err := dialogue.New(game, 0)
		if err != nil {
			t.Fatal(err)
		}
		games := suite.Games(right, suite.Options{AnySpace: true})
		// On boards with an odd number of rows, such as 19, this one does not differ.
		unseen := func(m dialogue.Mutant) bool { return m.Name == "full-at-turn-end" }
		for i, m := range slices.DeleteFunc(dialogue.Mutants(game), unseen) {
			if i%step > 0 {
				continue
			}
			v, err := judge.Judge(t.Context(), game, played{m.Of(right)}, judge.Options{Games: games, Profile: judge.Strict(game)})
			if err != nil {
				t.Fatal(err)
			}
			all++
			early += map[bool]int{true: 1}[v.Early]
			runs = max(runs, v.Runs)
			if v.OK() {
				t.Errorf("%s: %s is accepted", game, m.Name)
				continue
			}
			if slices.Contains(v.Mutants, m.Name) && len(v.Mutants) == 1 {
				named++
			} else {
				t.Logf("%s: %s is taken for %q (%s: %s)", game, m.Name, v.Mutants, v.Verdict, v.Rule)
			}
			n := 0
			for _, c := range v.Input {
				if c == '\n' {
					n++
				}
			}
			lengths = append(lengths, n)
		}
	}
	slices.Sort(lengths)
	t.Logf("%d mutants, %d named, shortest games: median %d, longest %d, %d stopped early, at most %d runs",
		all, named, lengths[len(lengths)/2], lengths[len(lengths)-1], early, runs)
	if runs > 300 {
		t.Errorf("a verdict took %d runs, want 300 at most", runs)
	}
	if named*10 < all*9 {
		t.Errorf("%d of %d mutants are named, want nine of ten", named, all)
	}
	if m := lengths[len(lengths)/2]; m > 12 {
		t.Errorf("the median game has %d lines, want at most 12", m)
	}
}

// ours is a runner that is one of our console programs.
type ours struct {
	game string
	size int
}

func (o ours) Run(ctx context.Context, lines []string, _ int) run.Outcome {
	var w bytes.Buffer
	out := run.Outcome{Ending: run.Exited}
	if err := console.Run(ctx, o.game, console.Options{Size: o.size}, strings.NewReader(strings.Join(append(lines, ""), "\n")), &w); err != nil {
		out.Ending = run.Waiting // the input has ended
	}
	out.Output = w.String()
	return out
}

// TestRight checks that the five console programs are accepted, with every seed and any
// input.
func TestRight(t *testing.T) {
	const seeds = 2
	for _, game := range dialogue.Games() {
		for seed := range uint64(seeds) {
			size := 0
			if game == "othello" || game == "connect6" {
				size = int(cmp.Or(seed*4, 6))
			}
			v, err := judge.Judge(t.Context(), game, ours{game, size}, judge.Options{Seed: seed, Size: size, Unspecified: true})
			if err != nil || !v.OK() {
				t.Errorf("%s %d: %v %+v", game, size, err, v)
			}
		}
	}
}
