// Package judge grades programs of the course against the specification: it
// plays games with a program, compares its output byte by byte with the right
// dialogue, and names the rule that the program breaks, with the shortest game
// that shows it.
//
// Start with [Judge]. A [Runner] runs the program; a [Verdict] is the result; a
// [Profile] says which alternatives to accept where the course's documents leave
// a question open, and [ReadCourse] reads one from a file, with the compiler and
// the limits. Below: run executes programs in a sandbox, dialogue knows the right
// dialogues and the known mistakes, suite the games to play, class tests member
// functions. Package batch, above, grades many submissions.
//
// The same program, seed and profile get the same verdict, if the program itself
// is deterministic.
package judge

import (
	"context"

	"quintet/judge/dialogue"
	"quintet/judge/run"
	"quintet/judge/suite"
)

// Runner runs the judged program on typed lines; it is given time to print
// enough bytes.
type Runner interface {
	Run(ctx context.Context, lines []string, enough int) run.Outcome
}

// Options are the choices of a judgement. The zero value is the default suite
// with the default profile.
type Options struct {
	Size        int
	Seed        uint64
	Unspecified bool    // type what the specification leaves open, too
	Profile     Profile // nil is the default
	Lenient     bool    // white space is a warning only
	Progress    func(done, all int)
	Games       []suite.Game // instead of those of the suite, if not nil
	Budget      Budget       // what is spent on explaining mistakes
}

// maxFindings is how many mistakes of one program are looked for.
const maxFindings = 4

// Judge judges a program for a game. The error is one of the game's name or
// size, or that of the context.
func Judge(ctx context.Context, name string, r Runner, o Options) (Verdict, error) {
	right, err := dialogue.New(name, o.Size)
	if err != nil {
		return Verdict{}, err //nolint:wrapcheck // it says what would be right
	}
	j := &judgement{runner: r, options: o, variants: o.Profile.Variants(right), games: o.Games, left: o.Budget.spending()}
	if j.games == nil {
		j.games = suite.Games(right, suite.Options{Seed: o.Seed, Unspecified: o.Unspecified})
	}
	j.variant = j.variants[0]
	j.right = j.variant.Program
	j.play(ctx)
	if err := ctx.Err(); err != nil {
		return Verdict{}, err //nolint:wrapcheck // the caller's own
	}
	return j.verdict(), nil
}

// judgement is one program being judged.
type judgement struct {
	runner   Runner
	options  Options
	variants []Variant
	variant  Variant           // the alternatives that the program follows, as far as known
	right    dialogue.Program  // it, with the mistakes that have been found
	adopted  []dialogue.Mutant // these mistakes
	games    []suite.Game
	record   []played
	findings []Finding
	runs     int
	left     spending
}

// played is a game that was played.
type played struct {
	lines []string
	out   run.Outcome
	want  dialogue.Conversation // what was wanted then, where no machine moves
}

// play plays the games until too much is wrong.
func (j *judgement) play(ctx context.Context) {
	for i, g := range j.games {
		if ctx.Err() != nil {
			return
		}
		if j.options.Progress != nil {
			j.options.Progress(i, len(j.games))
		}
		p := j.run(ctx, g.Lines)
		// A mistake that was found need not show in every game.
		if len(j.adopted) > 0 && j.fits(j.variant.Program, p) {
			continue
		}
		j.record = append(j.record, p)
		if j.wentRight(p) || j.refit() {
			continue
		}
		if !j.find(ctx, p) {
			return
		}
	}
}

func (j *judgement) run(ctx context.Context, lines []string) played {
	j.runs++
	if j.right.Machines(lines) {
		const long = 2 << 20 // as many bytes as a long game has
		return played{lines: lines, out: j.runner.Run(ctx, lines, long)}
	}
	want := j.right.Play(lines, "")
	return played{lines, j.runner.Run(ctx, lines, len(want.Output())), want}
}

// wentRight reports whether a game that was just played went right.
func (j *judgement) wentRight(p played) bool {
	if j.right.Machines(p.lines) {
		return j.fits(j.right, p)
	}
	return compare(p.want, p.out).kind == same
}

// fits reports whether a game went as it goes with a program.
func (j *judgement) fits(program dialogue.Program, p played) bool {
	want, agrees := program.Follow(p.lines, p.out.Output)
	j.left.bytes -= want.Len()
	return agrees && compare(want, p.out).kind == same
}

// refit looks for a variant that explains all games so far, with the mistakes
// that have been found.
func (j *judgement) refit() bool {
	for _, v := range j.variants {
		if q := withMutants(v.Program, j.adopted); j.explains(q) {
			j.variant, j.right = v, q
			return true
		}
	}
	return false
}

// explains reports whether all games so far went as they go with a program. The
// last is looked at first, as it is the one that went wrong, unless it is long.
func (j *judgement) explains(q dialogue.Program) bool {
	last := len(j.record) - 1
	long := len(j.record[last].out.Output) > maxPairedBytes
	if !long && !j.fits(q, j.record[last]) {
		return false
	}
	for _, p := range j.record[:last] {
		if !j.fits(q, p) {
			return false
		}
	}
	return !long || j.fits(q, j.record[last])
}
