package suite

import (
	"testing"

	"quintet/judge/dialogue"
)

// TestOneAnswerALine checks that programs which read lines are right (D-32): unless a teacher asks for
// more, every line is one answer.
func TestOneAnswerALine(t *testing.T) {
	for _, name := range []string{"neighbors", "othello", "loa", "connect6", "chess"} {
		p, err := dialogue.New(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range Games(p, Options{Seed: 1}) {
			c := p.Play(g.Lines, "")
			for _, turn := range c.Turns[1:] {
				if turn.Answers != 1 && !p.Machines(g.Lines) {
					t.Errorf("%s, %s: %q is %d answers", name, g.Name, turn.Typed, turn.Answers)
				}
			}
		}
	}
}
