package judge

import (
	"context"
	"slices"
	"time"

	"quintet/judge/dialogue"
	"quintet/judge/suite"
)

// maxShrinkRuns limits the runs spent on shrinking one game.
const maxShrinkRuns = 120

// maxSlowRuns limits these runs if the program uses up its time or memory.
const maxSlowRuns = 1

// shrinker shortens a game that shows a mistake.
type shrinker struct {
	*judgement
	best    played
	mutants []dialogue.Mutant // the mistake, if known
	space   bool              // the mistake is in white space
	runs    int               // runs left
	began   time.Time
	why     string // why it stopped early; "" if it did not
}

// shortest returns the shortest game found that shows the mistake: it ends at the mistake
// and omits irrelevant lines. For a known mistake, shortest also tries the stored games.
func (j *judgement) shortest(ctx context.Context, p played, ms []dialogue.Mutant) played {
	out := j.heard(j.right, p)
	want := j.right.Play(p.lines, out.Output)
	s := &shrinker{judgement: j, best: p, mutants: ms, space: onlySpace(want.Output(), out.Output), runs: maxShrinkRuns, began: j.left.Now()}
	if p.hangs() { // every run takes equally long
		s.runs = maxSlowRuns
	}
	fails := func(lines []string) bool { return s.fails(ctx, lines) }
	turn, _ := want.At(compare(want, out).at)
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
	j.left.Time -= j.left.Now().Sub(s.began)
	if s.why != "" {
		j.early = append(j.early, s.why)
	}
	return s.best
}

// fails reports whether a game shows the mistake, and keeps it if so. It returns false
// once the budget is used up.
func (s *shrinker) fails(ctx context.Context, lines []string) bool {
	if s.why != "" || ctx.Err() != nil {
		return false
	}
	if s.why = s.spent(); s.why != "" {
		return false
	}
	q, ok := s.again(ctx, played{lines: lines, once: true}, forAdapted)
	if s.runs--; !ok {
		s.why = earlyGame
		return false
	}
	want, out := q.want, s.heard(s.right, q)
	if s.right.Machines(lines) {
		want = s.right.Play(lines, out.Output)
	}
	bad := !want.Open && compare(want, out).kind != same && (len(s.mutants) == 0 || s.fits(withMutants(s.right, s.mutants), q)) &&
		(s.space || !onlySpace(want.Output(), out.Output))
	if bad {
		s.best = q
	}
	return bad
}

// spent names the part of the budget that is used up, or "". It expects a run to take as
// long as that of the game did.
func (s *shrinker) spent() string {
	left := s.left.Time - s.left.Now().Sub(s.began)
	switch {
	case s.runs == 0:
		return earlyGame
	case left < s.best.out.Elapsed:
		return earlyTime
	}
	return ""
}
