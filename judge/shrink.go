package judge

import (
	"context"
	"slices"
	"time"

	"quintet/judge/dialogue"
	"quintet/judge/run"
	"quintet/judge/suite"
)

// maxShrinkRuns is how many runs of the program are spent on shrinking one game.
const maxShrinkRuns = 120

// maxSlowRuns is how many of these a program gets that uses up its time or memory.
const maxSlowRuns = 2

// shrinker makes a game that shows a mistake shorter.
type shrinker struct {
	*judgement
	best    played
	mutants []dialogue.Mutant // the mistake, if it is known
	space   bool              // the mistake is one of white space
	runs    int               // that are left
	began   time.Time
	why     string // it has stopped early; "" if not
}

// shortest returns the shortest game it finds that shows the mistake: the game
// ends where it goes wrong, and lines that do not matter are left out. Of a known
// mistake the games that are kept for it are tried, too.
func (j *judgement) shortest(ctx context.Context, p played, ms []dialogue.Mutant) played {
	want := j.right.Play(p.lines, p.out.Output)
	s := &shrinker{judgement: j, best: p, mutants: ms, space: onlySpace(want.Output(), p.out.Output), runs: maxShrinkRuns, began: j.left.clock()}
	if p.out.Ending == run.TimedOut || p.out.OutOfMemory { // every run takes as long
		s.runs = maxSlowRuns
	}
	fails := func(lines []string) bool { return s.fails(ctx, lines) }
	turn, _ := want.At(compare(want, p.out).at)
	for _, n := range []int{turn, turn + 1} {
		if n < len(s.best.lines) && fails(p.lines[:n]) {
			break
		}
	}
	for _, g := range j.games {
		if len(g.Lines) < len(s.best.lines) && len(ms) > 0 && ms[0].Name == g.Name {
			fails(g.Lines)
		}
	}
	suite.Shrink(slices.Clone(s.best.lines), fails)
	j.left.time -= j.left.clock().Sub(s.began)
	if s.why != "" {
		j.left.stopped("Shrinking the game that shows the mistake", s.why+": there may be a shorter one")
	}
	return s.best
}

// fails reports whether a game shows the mistake, and keeps it if it does. When
// nothing is left to be spent, no game does.
func (s *shrinker) fails(ctx context.Context, lines []string) bool {
	if s.why != "" || ctx.Err() != nil {
		return false
	}
	if s.why = s.spent(); s.why != "" {
		return false
	}
	s.runs--
	q := s.run(ctx, lines)
	want := q.want
	if s.right.Machines(lines) {
		want = s.right.Play(lines, q.out.Output)
	}
	bad := !want.Open && compare(want, q.out).kind != same && (len(s.mutants) == 0 || s.fits(withMutants(s.right, s.mutants), q)) &&
		(s.space || !onlySpace(want.Output(), q.out.Output))
	if bad {
		s.best = q
	}
	return bad
}

// spent says what is used up, "" if nothing is. A run is expected to take as long
// as that of the game did.
func (s *shrinker) spent() string {
	left := s.left.time - s.left.clock().Sub(s.began)
	switch {
	case s.runs == 0:
		return "as many runs as are allowed have not been enough"
	case s.left.now != nil && left < s.best.out.Elapsed:
		return "its time was over"
	case !s.left.run():
		return "as many runs as are allowed have not been enough"
	}
	return ""
}
