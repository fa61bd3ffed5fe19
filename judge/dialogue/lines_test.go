package dialogue_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"quintet/judge/dialogue"
)

// TestReadingFaults types answers to Othello in other lines than one each, and
// counts what programs make of them that do not read as cin does: answers that
// are refused, and turns that are played.
func TestReadingFaults(t *testing.T) {
	p, err := dialogue.New("othello", 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		lines          []string
		fault          dialogue.Fault
		refused, turns int
	}{
		{[]string{"0", "D2", "A1"}, "", 1, 1},
		{[]string{"0 D2 A1"}, "", 1, 1},
		{[]string{"0", "D", "2", "A 1"}, "", 1, 1},
		{[]string{"0", "D2", "A1"}, dialogue.ReadsLines, 1, 1},
		{[]string{"0", "D 2", "A1"}, dialogue.ReadsLines, 1, 1},
		{[]string{"0", "D", "2", "A1"}, dialogue.ReadsLines, 3, 0},
		{[]string{"0 D2", "D2 A1", "A1 A1"}, dialogue.ReadsLines, 1, 1},
		{[]string{"0", "", " ", "D2"}, dialogue.ReadsLines, 2, 1},
		{[]string{"0 D2", "D", "2 A1", "A1 A1"}, dialogue.DropsRest, 1, 1},
		{[]string{"0 A1 D2", "D2 A1 A1", "A1"}, dialogue.DropsLine, 3, 1},
		{[]string{"0 D2 A1"}, dialogue.ReadsWords, 1, 1},
		{[]string{"0", "D 2", "A1"}, dialogue.ReadsWords, 3, 0},
		{[]string{"0", "D2D2", "A1x"}, dialogue.ReadsWords, 1, 1},
	} {
		q := p
		if test.fault != "" {
			q = p.With(test.fault)
		}
		said := q.Play(test.lines, "").Output()
		refused, turns := strings.Count(said, "Invalid move!"), strings.Count(said, "Round ")-1
		if refused != test.refused || turns != test.turns {
			t.Errorf("%q, %q: %d refused, %d turns, want %d, %d", test.fault, test.lines, refused, turns, test.refused, test.turns)
		}
	}
}

// TestReadingFaultsEnd sends random input to programs with every reading fault: they must
// terminate.
func TestReadingFaultsEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	faults := []dialogue.Fault{dialogue.ReadsLines, dialogue.DropsRest, dialogue.DropsLine, dialogue.ReadsWords}
	for _, name := range dialogue.Games() {
		p, err := dialogue.New(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 60 {
			lines := babble(r, name, 40)
			lines[r.IntN(len(lines))] = []string{"", " ", "-", "+", "A", "\t1", "A-", "\x00", "é 1"}[r.IntN(9)]
			q := p.With(faults[i%4])
			if i%3 == 0 {
				q = q.With(faults[r.IntN(4)])
			}
			if c := q.Play(lines, ""); c.Output() == "" {
				t.Errorf("%s %q prints nothing", name, q.Faults)
			}
		}
	}
}
