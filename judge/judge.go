// Package judge grades programs of the course against the specification: it plays games
// with a program, compares its output byte by byte with the right dialogue, and names the
// rule that the program breaks, with the shortest game that shows it.
//
// Start with [Judge]. A [Runner] runs the program; a [Verdict] is the result; a [Profile]
// says which alternatives to accept where the course's documents leave a question open.
// [ReadCourse] reads a profile from a file, with the compiler and the limits. Package run
// executes programs in a sandbox, dialogue has the right dialogues and the known mistakes,
// suite has the games to play, class tests member functions, batch grades many submissions,
// and report presents verdicts.
//
// Verdicts are reproducible: the same deterministic program, seed and profile get the same
// verdict.
package judge

import (
	"cmp"
	"context"
	"maps"
	"strings"

	"quintet/judge/dialogue"
	"quintet/judge/marks"
	"quintet/judge/run"
	"quintet/judge/suite"
)

// Runner runs the judged program on lines of input, until it has printed enough bytes or
// reaches a limit.
type Runner interface {
	Run(ctx context.Context, lines []string, enough int) run.Outcome
}

// Options configure Judge. The zero value means the default suite and profile.
type Options struct {
	Size        int
	Seed        uint64
	Unspecified bool         // also send input whose answer the specification does not define
	Profile     Profile      // nil is the default
	Lenient     bool         // differences in white space are only warnings
	Games       []suite.Game // replace those of the suite, if not nil
	Budget      Budget       // work spent on explaining mistakes
	Other       *Resized     // the program on a board of another size, if not nil
	Rubric      marks.Rubric // points of each feature; nil is the DefaultRubric

	hung bool // it used up its time or memory on its usual board
}

// maxFindings limits the mistakes found in one program.
const maxFindings = 4

// Judge judges a program for a game. It fails for an unknown game or size, or if the
// context is cancelled.
func Judge(ctx context.Context, name string, r Runner, o Options) (Verdict, error) {
	_, v, err := judged(ctx, name, r, o)
	return v, err
}

func judged(ctx context.Context, name string, r Runner, o Options) (*judgement, Verdict, error) {
	right, err := dialogue.New(name, o.Size)
	if err != nil {
		return nil, Verdict{}, err //nolint:wrapcheck // it says what would be right
	}
	j := &judgement{runner: r, options: o, spec: right, variant: o.Profile.variant(right, nil), games: o.Games, left: o.Budget.orDefaults(), hearers: map[string]*dialogue.Hearer{}, known: map[string]played{}}
	if j.games == nil {
		j.games = suite.Games(right, suite.Options{Seed: o.Seed, Unspecified: o.Unspecified, AnySpace: o.Profile.anySpace()})
	}
	j.right = j.variant.Program
	j.play(ctx)
	j.finish(ctx)
	j.examineAll(ctx)
	if err := cmp.Or(ctx.Err(), j.resize(ctx), ctx.Err()); err != nil {
		return nil, Verdict{}, err //nolint:wrapcheck // the caller's own
	}
	return j, j.verdict(), nil
}

// judgement is the state of judging one program.
type judgement struct {
	runner   Runner
	options  Options
	spec     dialogue.Program  // our choices
	variant  variant           // the alternatives that the program seems to follow
	right    dialogue.Program  // the variant with the mistakes found so far
	adopted  []dialogue.Mutant // the mistakes found so far
	games    []suite.Game
	hearers  map[string]*dialogue.Hearer // by the prompt
	known    map[string]played           // by the lines, so that no game is played twice
	record   []played
	played   []played // those of the suite, once each
	findings []finding
	adapted  []played // games that suit the program, if the suite's do not
	score    scorer
	other    Verdict // on the board of another size
	others   scorer  // there
	runs     int
	left     Budget   // of the work on explaining mistakes
	early    []string // what of it stopped early, in sentences
}

// played is a finished game.
type played struct {
	lines []string
	out   run.Outcome
	want  dialogue.Conversation // the expected dialogue, if no machine moves
	heard map[heardBy]string    // the output without accepted differences
	read  []string              // the lines as the program reads them, if it counts rows otherwise

	enough  int  // bytes of output before it may wait for input
	once    bool // not to be remembered
	adapted bool // to the program's mistakes
}

// meant returns the lines as the program reads them.
func (p played) meant() []string {
	if p.read != nil {
		return p.read
	}
	return p.lines
}

// heardBy is the key of played.heard.
type heardBy struct {
	tolerates dialogue.Tolerance
	prompt    string
}

// play plays the games until there are too many mistakes.
func (j *judgement) play(ctx context.Context) {
	for _, g := range j.games {
		if ctx.Err() != nil {
			return
		}
		p := j.run(ctx, played{lines: g.Lines})
		j.played = append(j.played, p)
		// A known mistake need not show in every game.
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

// run plays a game, or takes its outcome from an earlier run. Machines' moves are random, so their games are
// played again.
func (j *judgement) run(ctx context.Context, p played) played {
	machines := j.right.Machines(p.lines)
	if p.enough = 2 << 20; !machines { // a long game
		p.want = j.right.Play(p.meant(), "")
		p.enough = p.want.Len()
	}
	key := strings.Join(p.lines, "\n")
	if old, ok := j.known[key]; ok && !machines && old.serves(p.enough) {
		p.out, p.heard = old.out, old.heard
		return p
	}
	j.runs++
	p.out, p.heard = j.runner.Run(ctx, p.lines, p.enough), map[heardBy]string{}
	if !p.once {
		j.known[key] = p
	}
	return p
}

// serves reports whether the outcome would be the same if more or less output was enough.
func (p played) serves(enough int) bool {
	return p.enough == enough || !p.out.EOF && (p.out.Ending == run.Exited || p.out.Ending == run.Waiting && len(p.out.Output) >= enough)
}

// again plays a game besides those of the suite, unless that takes the budget below what is kept for others.
func (j *judgement) again(ctx context.Context, p played, kept int) (played, bool) {
	if j.left.Runs <= kept || ctx.Err() != nil {
		return p, false
	}
	before := j.runs
	p = j.run(ctx, p)
	j.left.Runs -= j.runs - before
	return p, true
}

// heard returns the outcome of a game without the differences that the right program's settings accept.
func (j *judgement) heard(program dialogue.Program, p played) run.Outcome {
	by := heardBy{program.Tolerates, program.Words.Prompt}
	if by.tolerates == 0 {
		return p.out
	}
	text, known := p.heard[by]
	if !known {
		if j.hearers[by.prompt] == nil {
			j.hearers[by.prompt] = program.Hearer()
		}
		text = j.hearers[by.prompt].Hear(p.out.Output, by.tolerates)
		p.heard[by] = text
	}
	out := p.out
	out.Output = text
	return out
}

// wentRight reports whether the last game was right.
func (j *judgement) wentRight(p played) bool {
	if j.right.Machines(p.lines) {
		return j.fits(j.right, p)
	}
	return compare(p.want, j.heard(j.right, p)).kind == same
}

// fits reports whether a game has the output of a reference program.
func (j *judgement) fits(program dialogue.Program, p played) bool {
	out := j.heard(program, p)
	want, agrees := program.Follow(p.lines, out.Output)
	j.left.Bytes -= want.Len()
	return agrees && compare(want, out).kind == same
}

// refit looks for a variant that, with the mistakes found so far, explains all games. It
// changes one choice at a time, as long as that explains more of the last game.
func (j *judgement) refit() bool {
	v := j.closest(j.variant, j.adopted, j.record[len(j.record)-1])
	q := withMutants(v.Program, j.adopted)
	if !j.explains(q) {
		return false
	}
	j.variant, j.right = v, q
	return true
}

// closest returns the accepted variant that, with some mistakes, explains the longest beginning of
// a game. It changes one choice at a time, so it can miss a better one.
func (j *judgement) closest(v variant, ms []dialogue.Mutant, last played) variant {
	prefix := func(v variant) int {
		q := withMutants(v.Program, ms)
		out := j.heard(q, last)
		want, agrees := q.Follow(last.lines, out.Output)
		j.left.Bytes -= want.Len()
		d := compare(want, out)
		if agrees && d.kind == same {
			return 1 << 40
		}
		return d.at
	}
	for most := prefix(v); ; {
		best := v
		for _, w := range j.options.Profile.near(j.spec, v) {
			if n := prefix(w); n > most {
				best, most = w, n
			}
		}
		if len(best.chosen) == 0 || maps.Equal(best.chosen, v.chosen) {
			return v
		}
		v = best
	}
}

// explains reports whether a reference program reproduces all games so far. It compares
// the last game first, because that one went wrong, unless it is long.
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
