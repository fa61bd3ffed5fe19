package suite

import (
	"hash/fnv"
	"slices"
	"strings"

	"quintet/judge/dialogue"
)

// searcher looks for games in which mutants differ from the right program.
type searcher struct {
	right dialogue.Program
	pool  []Game
	found []Game
}

// maxShrunk is how many games that show a mutant are made as short as they go.
const maxShrunk = 4

// shortest returns the shortest game that it finds for a mutant. Where machines move,
// a program shows its mistake by chance: such a game is taken if there is no other.
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

// cuts returns games that show a mutant, with machines or without.
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

// distinguishing returns games that tell mutants from each other which behave alike in
// all games of a list.
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

// cut returns the game up to the answer after which the two differ; nil if
// they do not.
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

// Shrink returns a shorter list of lines that still fails, by leaving out runs
// of lines as long as that succeeds (delta debugging, after Zeller and
// Hildebrandt, 2002).
func Shrink(lines []string, fails func([]string) bool) []string {
	for size := max(len(lines)/2, 1); ; {
		shorter := false
		for at := 0; at+size <= len(lines); {
			rest := slices.Concat(lines[:at], lines[at+size:])
			if fails(rest) {
				lines, shorter = rest, true
				continue
			}
			at += max(size/2, 1)
		}
		if size == 1 && !shorter {
			return lines
		}
		if !shorter {
			size /= 2
		}
		size = min(max(size, 1), max(len(lines), 1))
	}
}

// text is how games are kept in files: a line with a name, then what is typed.
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

func parse(text string) (list []Game) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "# "); ok {
			list = append(list, Game{Name: name, Lines: []string{}})
			continue
		}
		last := &list[len(list)-1]
		last.Lines = append(last.Lines, line)
	}
	return list
}
