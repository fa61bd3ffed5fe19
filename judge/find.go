package judge

import (
	"context"
	"slices"

	"quintet/judge/dialogue"
	"quintet/judge/suite"
)

// finding is one mistake of a program.
type finding struct {
	played                    // the shortest game that shows it
	Kind    string            // a verdict, such as WrongRule
	Mutants []dialogue.Mutant // the known mistakes that explain it, if any
	diff    difference
	raw     string // its output, with the accepted differences
	seen    scorer // of all games
}

// maxPairedBytes limits the games that are compared with all pairs of mistakes.
const maxPairedBytes = 20_000

// find explains what is wrong in the last game, and reports whether the explanation is
// good enough to continue with other games.
func (j *judgement) find(ctx context.Context, p played) bool {
	ms := j.matching(ctx)
	if len(ms) == 0 { // the accepted variant with the longest right beginning says what is wrong
		j.variant = j.closest(j.variant, j.adopted, j.record[len(j.record)-1])
		j.right = withMutants(j.variant.Program, j.adopted)
	}
	p = j.shortest(ctx, p, ms)
	printed := p.out.Output
	p.out = j.heard(j.right, p)
	p.want = j.right.Play(p.lines, p.out.Output)
	f := finding{played: p, Mutants: ms, diff: compare(p.want, p.out), raw: printed}
	f.Kind = f.kind()
	j.findings = append(j.findings, f)
	if len(ms) == 0 || len(j.findings) == maxFindings {
		return false
	}
	for _, m := range ms {
		j.right = m.Of(j.right)
	}
	j.adopted = append(j.adopted, ms...)
	return true
}

// matching returns the mutant, or the pair of mutants, that reproduces the program's
// output in all games so far. If several do, it plays more games to distinguish them.
func (j *judgement) matching(ctx context.Context) []dialogue.Mutant {
	gallery := dialogue.Mutants(j.right.Game)
	list := j.singles(gallery)
	if last := j.record[len(j.record)-1]; len(list) == 0 && len(last.out.Output) < maxPairedBytes {
		list = j.pairs(gallery)
	}
	if j.left.Bytes <= 0 {
		j.early = append(j.early, earlyNames)
	}
	if len(list) == 0 {
		return nil
	}
	best := j.distinguish(ctx, list)[0]
	if !j.confirmed(ctx, best) {
		return nil
	}
	return best
}

// confirmGames is the number of games in which a candidate is confirmed.
const confirmGames = 5

// confirmed plays games of all lengths in which a candidate differs from the right program
// and reports whether the judged program follows the candidate in four of five: in short
// games different mistakes may look alike.
func (j *judgement) confirmed(ctx context.Context, ms []dialogue.Mutant) bool {
	q, all := withMutants(j.right, ms), append(slices.Clone(j.adopted), ms...)
	var tests []suite.Game
	for _, g := range j.games {
		if !j.right.Machines(g.Lines) && differ(j.right, q, g.Lines) && !q.Play(g.Lines, "").Open {
			tests = append(tests, g)
		}
	}
	n, fit := min(len(tests), confirmGames), 0
	for i := range n {
		p, ok := j.again(ctx, played{lines: tests[i*len(tests)/n].Lines}, forAdapted)
		if !ok {
			return 5*fit >= 4*i
		}
		if j.fits(q, p) || j.fits(withMutants(j.closest(j.variant, all, p).Program, all), p) {
			fit++
		}
	}
	return 5*fit >= 4*n
}

// differ reports whether two programs differ in a game.
func differ(p, q dialogue.Program, lines []string) bool {
	a, b := p.Play(lines, ""), q.Play(lines, "")
	return a.Over != b.Over || a.Output() != b.Output()
}

// singles returns the mistakes that explain all games, in the variant followed so far or else
// in one that is closest with a mistake.
func (j *judgement) singles(gallery []dialogue.Mutant) [][]dialogue.Mutant {
	if list := j.explaining(gallery); len(list) > 0 {
		return list
	}
	for _, m := range gallery {
		if j.left.Bytes <= 0 {
			break
		}
		all := append(slices.Clone(j.adopted), m)
		if v := j.closest(j.variant, all, j.record[len(j.record)-1]); j.explains(withMutants(v.Program, all)) {
			j.variant, j.right = v, withMutants(v.Program, j.adopted)
			return j.explaining(gallery) // others may explain as much
		}
	}
	return nil
}

// explaining returns the mistakes that explain all games in the variant followed so far.
func (j *judgement) explaining(gallery []dialogue.Mutant) (list [][]dialogue.Mutant) {
	q := withMutants(j.variant.Program, j.adopted)
	for _, m := range gallery {
		if j.left.Bytes > 0 && j.explains(m.Of(q)) {
			list = append(list, []dialogue.Mutant{m})
		}
	}
	return list
}

// pairs returns the pairs of a text mistake and another mistake that explain all games.
func (j *judgement) pairs(gallery []dialogue.Mutant) (list [][]dialogue.Mutant) {
	for i, a := range gallery {
		if a.Kind == dialogue.RuleMutant {
			continue
		}
		q := a.Of(j.right)
		for k, b := range gallery {
			if (b.Kind == dialogue.RuleMutant || k > i) && j.left.Bytes > 0 && j.explains(b.Of(q)) {
				list = append(list, []dialogue.Mutant{b, a})
			}
		}
		if len(list) > 0 {
			break
		}
	}
	return list
}

// distinguish plays games until one candidate is left or no game distinguishes the rest.
func (j *judgement) distinguish(ctx context.Context, list [][]dialogue.Mutant) [][]dialogue.Mutant {
	for _, g := range j.games {
		if len(list) < 2 || ctx.Err() != nil {
			break
		}
		if !distinguishes(j.right, list, g) {
			continue
		}
		p, ok := j.again(ctx, played{lines: g.Lines}, forAdapted)
		if !ok {
			j.early = append(j.early, earlyRuns)
			break
		}
		rest := slices.DeleteFunc(slices.Clone(list), func(ms []dialogue.Mutant) bool { return !j.fits(withMutants(j.right, ms), p) })
		if len(rest) > 0 {
			list = rest
		}
	}
	return list
}

func withMutants(p dialogue.Program, ms []dialogue.Mutant) dialogue.Program {
	for _, m := range ms {
		p = m.Of(p)
	}
	return p
}

// distinguishes reports whether any two candidates differ in a game.
func distinguishes(right dialogue.Program, list [][]dialogue.Mutant, g suite.Game) bool {
	first := withMutants(right, list[0]).Play(g.Lines, "")
	for _, ms := range list[1:] {
		c := withMutants(right, ms).Play(g.Lines, "")
		if c.Over != first.Over || c.Output() != first.Output() {
			return true
		}
	}
	return false
}
