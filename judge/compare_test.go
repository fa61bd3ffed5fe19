package judge

import (
	"strings"
	"testing"

	"quintet/judge/dialogue"
	"quintet/judge/run"
)

// TestLongGame accepts a program that was stopped in the middle of a long, right game
// between machines, and rejects one that is stuck.
func TestLongGame(t *testing.T) {
	long := strings.Repeat("x", longGame)
	for _, c := range []struct {
		name    string
		endless bool
		printed string
		ending  run.Ending
		want    deviation
	}{
		{"too much was printed", true, long, run.OutputExceeded, same},
		{"the time was over", true, long, run.TimedOut, same},
		{"stuck after a few moves", true, "xxx", run.TimedOut, runsShort},
		{"another text, then too much", true, long[:9] + "y" + long, run.OutputExceeded, differs},
		{"no machines", false, long, run.TimedOut, runsShort},
	} {
		want := dialogue.Conversation{Turns: []dialogue.Turn{{Pieces: []dialogue.Piece{{Text: long + "more"}}}}, Endless: c.endless}
		if got := compare(want, run.Outcome{Output: c.printed, Ending: c.ending}).kind; got != c.want {
			t.Errorf("%s: deviation %v, want %v", c.name, got, c.want)
		}
	}
}
