package formats_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/game"
	"quintet/judge/console"
	"quintet/lab/recordtest"
	"quintet/record"
	"quintet/record/formats"
)

// TestCourseTranscripts reads every transcript of the console tests: the output, and the
// input if no machine played. The record of either, as console input, prints the same
// boards.
func TestCourseTranscripts(t *testing.T) {
	files, err := filepath.Glob("../../judge/console/testdata/transcripts/*.out")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d transcripts, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			printed, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			typed, err := os.ReadFile(strings.TrimSuffix(file, ".out") + ".in")
			if err != nil {
				t.Fatal(err)
			}
			list, format, _, err := formats.Read(printed, formats.Hint{})
			if err != nil || format != "console" {
				t.Fatalf("read as %s: %v", format, err)
			}
			r := list[0]
			if r.Game.Name == "chess" && strings.TrimSpace(string(typed))[0] != '1' {
				return // the machine's moves are only in what was printed
			}
			again, _, _, err := formats.Read(typed, formats.Hint{Format: "console", Game: r.Game.Name, Setup: sizeOnly(r.Setup)})
			if err != nil {
				t.Fatalf("what was typed: %v", err)
			}
			if diff := recordtest.Diff(r, again[0]); diff != "" {
				t.Errorf("what was printed and what was typed differ: %s", diff)
			}
			sameBoards(t, printed, r)
		})
	}
}

// sizeOnly leaves out the pits, which are typed.
func sizeOnly(s game.Setup) game.Setup {
	if s["size"] == "" {
		return nil
	}
	return game.Setup{"size": s["size"]}
}

// sameBoards plays a record in the console program and compares the boards with
// those that were printed before.
func sameBoards(t *testing.T, printed []byte, r *record.Record) {
	t.Helper()
	text, _, err := formats.Write("console", []*record.Record{r})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = console.Run(context.Background(), r.Game.Name, console.Options{Size: len(r.Start.Board().Rows)}, bytes.NewReader(text), &out)
	if err != nil && !errors.Is(err, console.ErrInputEnded) {
		t.Fatal(err)
	}
	want, err := console.Frames(string(printed))
	if err != nil {
		t.Fatal(err)
	}
	got, err := console.Frames(out.String())
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d boards, %v, want %d", len(got), err, len(want))
	}
	for i := range want {
		if !bytes.Equal(got[i].Cells, want[i].Cells) {
			t.Errorf("board %d differs", i+1)
		}
	}
}

// TestConsoleErrors lists transcripts and inputs that cannot become a record.
func TestConsoleErrors(t *testing.T) {
	const start = "   A B C D\n 1 . . . . \n 2 . X O . \n 3 . O X . \n 4 . . . . \n"
	for _, test := range []struct{ name, text, want string }{
		{"nothing follows", start + "Player X's turn: c1\nRound 2:\n" + start, "line 8, column 1: the board is as it was, and Black could move: expected a move"},
		{"no such move", start + strings.Replace(start, "1 . .", "1 X .", 1), "line 6, column 1: no move of Black leads from the board before to this one"},
		{"not the beginning", strings.Replace(start, "1 . .", "1 X .", 1), "line 1, column 1: the first board is not that of a new game of othello"},
		{"a board breaks off", start[:35], "line 3, column 1: the text ends within a board"},
		{"another size", start + "   A B\n 1 . X\n 2 . .\n", "line 6, column 1: a board of 2 rows: expected the size of the first one"},
		{"a wrong result", start + "Game over:\n" + "Player X wins!\n", "line 1, column 1: the result after this board is given as first wins, but it is ongoing"},
	} {
		_, _, _, err := formats.Read([]byte(test.text), formats.Hint{})
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}

// TestUnechoedCapture ends a game of chess whose input is not echoed: the last
// move is known if only one can have led to the result.
func TestUnechoedCapture(t *testing.T) {
	for moves, want := range map[string]string{
		"1 e7 e5 f2 f4 d8 h4 a2 a3 h4 e1":             "e2e4 f7f5 d1h5 a7a6 h5e8",           // Qxe8 from h5
		"1 e7 e5 f2 f4 d8 h4 a2 a3 Z0 Z0":             "e2e4 f7f5 d1h5 a7a6",                // a draw, which the capture would not be
		"1 e7 e5 f2 f4 e5 f4 a2 a3 d8 h4 a3 a4 Z0 Z0": "e2e4 f7f5 e4f5 a7a6 d1h5 a6a5 h5e8", // White is ahead either way, which is said
	} {
		var out bytes.Buffer
		if err := console.Run(context.Background(), "chess", console.Options{}, strings.NewReader(moves), &out); err != nil {
			t.Fatal(err)
		}
		list, _, _, err := formats.Read(out.Bytes(), formats.Hint{})
		got := "not told"
		if err == nil {
			got = list[0].Moves()
		}
		if got != want {
			t.Errorf("%s: %s (%v), want %s", moves, got, err, want)
		}
	}
}
