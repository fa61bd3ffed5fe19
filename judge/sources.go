package judge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"quintet/judge/dialogue"
	"quintet/judge/marks"
	"quintet/judge/run"
	"quintet/judge/suite"
)

// Resized is the judged program on a board of another size.
type Resized struct {
	Size   int
	Runner Runner // nil if there is no such program
	Why    string // why there is none
}

// otherSizes are the sizes of the second board on which sources with a constant N are judged.
// Othello's has row labels of two digits, which its usual board has not.
// A program whose usual board has the first of them gets the second.
var otherSizes = map[string][2]int{"othello": {10, 8}, "connect6": {7, 10}}

// Sources compiles sources and judges the program. In games with a size N it compiles them
// for another size, too, unless the options name the games. A program with its size built in is judged on its own board.
func Sources(ctx context.Context, name string, files []string, build run.Options, limits run.Limits, o Options) (Verdict, error) {
	build.Size = o.Size
	p, remove, err := compiled(ctx, files, build, limits)
	defer func() { remove() }()
	var refused *run.CompileError
	if errors.As(err, &refused) && refused.FixedSize {
		o.Other, o.Size, build.Size = &Resized{Size: o.Size, Why: refused.Text}, 0, 0
		remove()
		p, remove, err = compiled(ctx, files, build, limits)
	}
	switch {
	case errors.As(err, &refused):
		return Refused(name, o, refused.Text)
	case err != nil:
		return Verdict{}, err
	}
	if sizes, ok := otherSizes[name]; ok && o.Other == nil && o.Games == nil {
		if build.Size = sizes[0]; o.Size == sizes[0] {
			build.Size = sizes[1]
		}
		q, removeOther, err := compiled(ctx, files, build, limits)
		defer removeOther()
		o.Other = &Resized{Size: build.Size, Runner: &q}
		if errors.As(err, &refused) {
			o.Other.Runner, o.Other.Why = nil, refused.Text
		} else if err != nil {
			return Verdict{}, err
		}
	}
	return Judge(ctx, name, &p, o)
}

// compiled compiles sources in a folder of their own, which remove deletes.
func compiled(ctx context.Context, files []string, build run.Options, limits run.Limits) (p run.Program, remove func(), err error) {
	folder, err := build.Sandbox.MkdirTemp(build.Worker)
	if err != nil {
		return p, func() {}, err //nolint:wrapcheck // it says what failed
	}
	remove = func() { _ = os.RemoveAll(folder) } // else the system cleans up its temporary folder
	return build.Program(folder, limits), remove, run.Compile(ctx, folder, files, build)
}

// maxResized limits the games on a board of another size.
const maxResized = 16

// resize judges the program on the other board, with a few of its games.
func (j *judgement) resize(ctx context.Context) error {
	o := j.options.Other
	if o == nil || o.Runner == nil {
		return nil
	}
	p, err := dialogue.New(j.spec.Game, o.Size)
	if err != nil {
		return err //nolint:wrapcheck // it says what would be right
	}
	all := suite.Games(p, suite.Options{Seed: j.options.Seed})
	var games []suite.Game
	for i := range min(maxResized, len(all)) {
		games = append(games, all[i*len(all)/min(maxResized, len(all))])
	}
	k, v, err := judged(ctx, p.Game, o.Runner, Options{
		Size: o.Size, Games: games, Profile: j.options.Profile, Lenient: j.options.Lenient, Budget: Budget{Runs: maxResized + forAdapted, Bytes: 8 << 20, Time: j.options.Budget.Time, Now: j.options.Budget.Now},
		hung: slices.ContainsFunc(j.played, played.hangs),
	})
	if err == nil {
		j.other, j.others = v, k.score
	}
	return err
}

// sizes returns the feature of other sizes: what the program does there, compared with its
// usual board, so that a mistake does not count twice.
func (j *judgement) sizes(f marks.Feature, share float64) marks.Feature {
	o := j.options.Other
	if f.Checks = 1; o.Runner == nil {
		f.Why = fmt.Sprintf("has the size of the board built in: no N can be set to %d", o.Size)
		return f
	}
	f.Points = f.Of * min(1, j.other.Points/max(j.other.Of*share, 1))
	if !j.other.OK() && (len(j.findings) == 0 || j.score.lacks(j.others)) {
		f.Points *= credit(0.9, false)
	}
	if f.Points == f.Of { // the program is right, or wrong on both boards
		f.Right = 1
	} else {
		f.Why, f.Input = fmt.Sprintf("with N = %d: %s", o.Size, j.other.Rule), j.other.Input
	}
	return f
}

// judgeSizes makes a mistake on the other board the verdict, if there is none on the usual one.
func (v *Verdict) judgeSizes(j *judgement) {
	o := j.options.Other
	switch {
	case o == nil || !v.OK():
	case o.Runner == nil:
		v.Verdict, v.Rule = WrongRule, "has the size of the board built in"
		v.Message = fmt.Sprintf("The program is right on its board of %d rows, but no other size can be set: %s.", v.Size, o.Why)
	case !j.other.OK():
		follows, games, runs := v.Follows, v.Games+j.other.Games, v.Runs+j.other.Runs
		*v = j.other
		v.Follows, v.Games, v.Runs = follows, games, runs
		v.Rule = fmt.Sprintf("with N = %d: %s", o.Size, v.Rule)
		v.Message = fmt.Sprintf("The program is right on the usual board, but not with N = %d. %s", o.Size, v.Message)
	}
}
