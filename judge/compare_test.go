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

// TestEndings judges how a program ends after the right output of a whole game, at a prompt and too
// early; what it does after it has read the end of its input counts only after a whole game.
func TestEndings(t *testing.T) {
	const right = "board\nmove: "
	for _, c := range []struct {
		printed            string
		ending             run.Ending
		eof                bool
		over, prompt, less deviation // after a whole game; at a prompt; when more should come
	}{
		{right, run.Exited, false, same, stopsShort, stopsShort},
		{right, run.Exited, true, same, same, waitsShort},
		{right, run.Waiting, false, waitsAtEnd, same, waitsShort},
		{right, run.Waiting, true, waitsAtEnd, same, waitsShort},
		{right, run.TimedOut, false, runsOn, runsShort, runsShort},
		{right, run.TimedOut, true, runsOn, same, waitsShort},
		{right, run.Crashed, false, crashesAtEnd, crashes, crashes},
		{right, run.Crashed, true, crashesAtEnd, same, waitsShort},
		{right, run.OutputExceeded, false, same, same, differs},
		{right, run.OutputExceeded, true, same, same, waitsShort},
		{right + "x", run.Exited, false, printsOn, printsOn, differs},
		{right + "x", run.Crashed, false, printsOn, crashes, differs},
		{right + "x", run.Exited, true, printsOn, same, differs},
	} {
		out := run.Outcome{Output: c.printed, Ending: c.ending, EOF: c.eof}
		of := func(text string, over bool) deviation {
			turns := []dialogue.Turn{{Pieces: []dialogue.Piece{{Text: text}}}}
			return compare(dialogue.Conversation{Turns: turns, Over: over}, out).kind
		}
		if over, prompt, less := of(right, true), of(right, false), of(right+"more", true); over != c.over || prompt != c.prompt || less != c.less {
			t.Errorf("%q, then it %s, end of input read %t: %d, %d and %d, want %d, %d and %d", c.printed, c.ending, c.eof, over, prompt, less, c.over, c.prompt, c.less)
		}
	}
}

// TestKinds gives the verdict of a game that no known mistake explains.
func TestKinds(t *testing.T) {
	want := dialogue.Conversation{Turns: []dialogue.Turn{{Pieces: []dialogue.Piece{{Text: "a b\nmove: "}}}}}
	for _, c := range []struct {
		kind deviation
		out  run.Outcome
		want string
	}{
		{crashes, run.Outcome{Ending: run.Crashed}, Crashed},
		{crashesAtEnd, run.Outcome{Ending: run.Crashed}, Crashed},
		{runsOn, run.Outcome{Ending: run.TimedOut}, DoesNotStop},
		{runsShort, run.Outcome{Ending: run.TimedOut, Last: 3, Elapsed: 4}, TooSlow},
		{runsShort, run.Outcome{Ending: run.TimedOut, Last: 2, Elapsed: 4}, DoesNotStop},
		{waitsAtEnd, run.Outcome{Ending: run.Waiting}, WaitsForInput},
		{stopsShort, run.Outcome{Ending: run.Failed}, CannotBeStarted},
		{differs, run.Outcome{Output: "x", Ending: run.Crashed}, Crashed},
		{differs, run.Outcome{Output: "x", Ending: run.Crashed, EOF: true}, WrongOutput},
		{differs, run.Outcome{Output: "a  b\nmove:", Ending: run.Exited}, Whitespace},
		{differs, run.Outcome{Output: "a  b\nmove: and more", Ending: run.Exited, EOF: true}, Whitespace},
		{differs, run.Outcome{Output: "x", Ending: run.OutputExceeded}, DoesNotStop},
		{differs, run.Outcome{Output: "x", Ending: run.OutputExceeded, EOF: true}, WrongOutput},
		{printsOn, run.Outcome{Output: "a b\nmove: \n", Ending: run.Exited}, Whitespace},
		{printsOn, run.Outcome{Output: "a b\nmove: x", Ending: run.Exited}, PrintsTooMuch},
		{waitsShort, run.Outcome{Output: "a", Ending: run.Waiting}, WaitsForInput},
		{stopsShort, run.Outcome{Output: "a", Ending: run.Exited}, StopsEarly},
		{differs, run.Outcome{Output: "a c", Ending: run.Exited}, WrongOutput},
	} {
		if got := (finding{played: played{want: want, out: c.out}, diff: difference{kind: c.kind}}).kind(); got != c.want {
			t.Errorf("%d, %+v: %s, want %s", c.kind, c.out, got, c.want)
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
