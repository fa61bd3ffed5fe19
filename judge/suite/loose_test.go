package suite

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quintet/judge/dialogue"
)

// TestLoose sends games with random white space, on boards of every size: the right program
// prints the same, and answers span lines and share them.
func TestLoose(t *testing.T) {
	for _, name := range dialogue.Games() {
		for size := 1; size <= 26; size++ {
			p, err := dialogue.New(name, size)
			if err != nil {
				continue
			}
			start, valid, invalid := opening(p)
			for answer, want := range map[string]bool{valid: false, invalid: true} {
				said := p.Play(append(slices.Clone(start), answer), "").Output()
				refused := slices.ContainsFunc(dialogue.Refusals(), func(s string) bool { return strings.Contains(said, s) })
				if refused != want {
					t.Errorf("%s %d: %q is refused: %v, want %v", name, size, answer, refused, want)
				}
			}
			r := rand.New(rand.NewPCG(1, uint64(size)))
			g := kindsOf(p)[0].play(p, r)
			lines, several, none := respace(p, g.Lines, r), 0, 0
			plain, other := p.Play(g.Lines, ""), p.Play(lines, "")
			if plain.Output() != other.Output() || plain.Over != other.Over || other.Open {
				t.Errorf("%s %d: %q is another game than %q", name, size, lines, g.Lines)
			}
			for _, turn := range other.Turns[1:] {
				switch {
				case turn.Answers > 1:
					several++
				case turn.Answers == 0:
					none++
				}
			}
			if len(g.Lines) > 50 && (several == 0 || none == 0) {
				t.Errorf("%s %d: %d lines with several answers, %d without one", name, size, several, none)
			}
		}
	}
}
