package formats_test

import (
	"testing"

	"quintet/lab/recordtest"
	"quintet/record"
	"quintet/record/formats"
)

// fuzz reads anything in a format. What can be read can be written in the text
// format, and says the same when read again.
func fuzz(f *testing.F, format, game string, seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return // the console programs print a board for every word
		}
		list, _, _, err := formats.Read([]byte(text), formats.Hint{Format: format, Game: game})
		if err != nil {
			return
		}
		for _, r := range list {
			written, err := r.Append(nil)
			if err != nil {
				t.Fatal(err)
			}
			again, err := record.Parse(written)
			if err != nil {
				t.Fatalf("%v in\n%s", err, written)
			}
			if diff := recordtest.Diff(r, again[0]); diff != "" {
				t.Fatalf("%s in\n%s", diff, written)
			}
		}
	})
}

func FuzzSGF(f *testing.F) {
	fuzz(f, "sgf", "",
		"(;GM[2]SZ[8]AB[e4]AW[d4][e5]PL[W]RE[B+R]QEND[time]C[\\]]QTAG[a:b];B[f5]BL[1.5](;W[d6]V[3]TE[1])(;W[f4]QMARK[3]))",
		"(;FF[4]EV[connect6.ch.26.1.1];B[j10];W[j9l11])", "(;GM[9];B[b1-h1];W[a5:c5+];B[resign])", "(;GM[511];B[JJ];W[AA])")
}

func FuzzGGF(f *testing.F) {
	fuzz(f, "ggf", "", "2 (;GM[Othello]PB[a]RE[+3:r]BO[8 ---------------------------O*------*O--------------------------- *]B[d3/1.5/2]W[PA];)")
}

func FuzzTranscript(f *testing.F) {
	fuzz(f, "transcript", "othello", "f5d6c3\nF5f6", "1. e3 d3", "c4pae3--")
}

func FuzzConsoleInput(f *testing.F) {
	fuzz(f, "console", "othello", "2 a1 b2 e3 d3", "0\nE3 D3")
}

func FuzzConsoleChess(f *testing.F) {
	fuzz(f, "console", "chess", "1 e7 e5 f2 f4 d8 h4 a2 a3 h4 e1", "1 Z0 Z0")
}

func FuzzConsoleOutput(f *testing.F) {
	fuzz(f, "console", "", "   A B C D\n 1 . . . . \n 2 . X O . \n 3 . O X . \n 4 . . . . \nPlayer X's turn: Round 2:\n   A B C D\n 1 . . X . \n 2 . X X . \n 3 . O X . \n 4 . . . . \n", "   A\n 0 .\nB's turn:    A\n 0 B\nDraw game!")
}

// FuzzRead finds out the format as well.
func FuzzRead(f *testing.F) {
	fuzz(f, "", "", "[Game \"loa\"] a1c1 *", "1. e4 e5", "(;GM[2];B[f5])", "f5d6c3", "  a b c d e f g h\n")
}
