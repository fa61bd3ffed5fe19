package suite

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"quintet/judge/dialogue"
)

// findGames looks for a short game for each mutant of a program among a number of random
// games. Mutants that behave like the program in all of them get none.
func findGames(p dialogue.Program, seed uint64, games int) (list []Game) {
	r := rand.New(rand.NewPCG(seed, 2))
	ks := kinds(p)
	var pool []Game
	for i := range games {
		pool = append(pool, ks[i%len(ks)].play(p, r))
	}
	pool = append(pool, rareGames(p, r)...)
	s := &searcher{right: p, pool: pool}
	for _, m := range dialogue.Mutants(p.Game) {
		if g, ok := s.shortest(m); ok {
			list = append(list, g)
		}
	}
	return append(list, s.distinguishing(list)...)
}

// rareGames returns games that random play rarely produces: both sides connected at once,
// and the handmade ones.
func rareGames(p dialogue.Program, r *rand.Rand) (list []Game) {
	if p.Game == "loa" || p.Game == "neighbors" {
		for tries := 0; tries < 6000 && len(list) < 4; tries++ {
			k := kindsOf(p)[[3]int{0, 6, 7}[tries%3]]
			k.noise = 0
			g := k.play(p, r)
			turns := p.Play(g.Lines, "").Turns
			if slices.Contains(turns[len(turns)-1].Why, "connects both") {
				list = append(list, g)
			}
		}
	}
	return slices.Concat(list, byHand[p.Game], sized(p))
}

// searcher looks for games in which mutants differ from the right program.
type searcher struct {
	right dialogue.Program
	pool  []Game
	found []Game
}

// maxShrunk limits the games per mutant that are shrunk.
const maxShrunk = 4

// shortest returns the shortest game found for a mutant. Games with machines show a mistake
// only by chance, so they are a last resort.
func (s *searcher) shortest(m dialogue.Mutant) (best Game, ok bool) {
	wrong := m.Of(s.right)
	cuts := s.cuts(wrong, false)
	if len(cuts) == 0 {
		cuts = s.cuts(wrong, true)
	}
	slices.SortStableFunc(cuts, func(a, b []string) int { return len(a) - len(b) })
	for _, lines := range cuts[:min(len(cuts), maxShrunk)] {
		lines = Shrink(lines, func(l []string) bool { return s.differ(wrong, l) })
		if !ok || len(lines) < len(best.Lines) {
			best, ok = Game{m.Name, lines}, true
		}
	}
	if ok {
		s.found = append(s.found, best)
	}
	return best, ok
}

// cuts returns games that show a mutant, with or without machines.
func (s *searcher) cuts(wrong dialogue.Program, machines bool) (cuts [][]string) {
	for _, g := range slices.Concat(s.found, s.pool) {
		if s.right.Machines(g.Lines) != machines {
			continue
		}
		if lines := s.cut(wrong, g.Lines); lines != nil {
			cuts = append(cuts, lines)
		}
		if len(cuts) > 0 && len(cuts[len(cuts)-1]) < 2 || len(cuts) > 60 {
			break
		}
	}
	return cuts
}

// distinguishing returns games that distinguish mutants that behave alike in all games of
// a list.
func (s *searcher) distinguishing(list []Game) (more []Game) {
	alike := map[string][]dialogue.Mutant{}
	for _, m := range dialogue.Mutants(s.right.Game) {
		sum, q := fnv.New64a(), m.Of(s.right)
		for _, g := range list {
			_, _ = sum.Write([]byte(q.Play(g.Lines, "").Output() + "\x00"))
		}
		alike[string(sum.Sum(nil))] = append(alike[string(sum.Sum(nil))], m)
	}
	for _, m := range dialogue.Mutants(s.right.Game) {
		for _, group := range alike {
			if len(group) > 1 && group[0].Name == m.Name {
				t := &searcher{right: m.Of(s.right), pool: s.pool}
				if g, ok := t.shortest(group[1]); ok {
					more = append(more, g)
				}
			}
		}
	}
	return more
}

// cut returns the game up to the answer after which the two programs differ, or nil.
func (s *searcher) cut(wrong dialogue.Program, lines []string) []string {
	heard := wrong.Play(lines, "")
	text := heard.Output()
	want := s.right.Play(lines, text)
	right := want.Output()
	if text == right && heard.Over == want.Over {
		return nil
	}
	n := 0
	for n < len(text) && n < len(right) && text[n] == right[n] {
		n++
	}
	turn, _ := want.At(n)
	if m, _ := heard.At(n); n >= len(right) && m > turn {
		turn = m
	}
	if short := lines[:min(turn, len(lines))]; s.differ(wrong, short) {
		return slices.Clone(short)
	}
	return slices.Clone(lines)
}

func (s *searcher) differ(wrong dialogue.Program, lines []string) bool {
	heard := wrong.Play(lines, "")
	text := heard.Output()
	want := s.right.Play(lines, text)
	return !want.Open && (want.Over != heard.Over || want.Output() != text)
}

// text formats games for a file: a line with the name, then the input lines.
func text(list []Game) string {
	var w strings.Builder
	for _, g := range list {
		w.WriteString("# " + g.Name + "\n")
		for _, line := range g.Lines {
			w.WriteString(line + "\n")
		}
	}
	return w.String()
}
