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

// TestLongGameCut stops a right game between machines after every byte of two rounds, as
// the limit of the output does. A wrong byte in place of the last one is a mistake.
func TestLongGameCut(t *testing.T) {
	right, err := dialogue.New("chess", 0)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{"3"}
	q := right.With("king-is-no-end")
	chooses := q // other moves than q would, because those depend on what has been printed
	chooses.Words.Round = "The " + q.Words.Round
	game := strings.ReplaceAll(chooses.Play(lines, "").Output(), "The ", "")
	from := strings.Index(game, "Round 9:")
	to := strings.Index(game, "Round 11:")
	if from < 0 || to < 0 {
		t.Fatalf("the game has only %d bytes", len(game))
	}
	for n := from; n < to; n++ {
		for _, c := range []struct {
			heard string
			want  bool
		}{{game[:n], true}, {game[:n-1] + "~", false}} {
			want, agrees := q.Follow(lines, c.heard)
			got := compare(want, run.Outcome{Output: c.heard, Ending: run.OutputExceeded}).kind
			if (agrees && got == same) != c.want {
				t.Fatalf("agrees %v, deviation %v, want %v, after %q", agrees, got, c.want, c.heard[max(n-40, 0):])
			}
		}
	}
}
