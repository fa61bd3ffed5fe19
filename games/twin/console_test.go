package twin

import (
	"strings"
	"testing"
)

// TestDialogue looks at the end of what a program prints for inputs that the
// recorded runs may lack.
func TestDialogue(t *testing.T) {
	const (
		pits   = "Enter number of pits: "
		mode   = "Choose game mode (1, 2, 3): "
		x      = "Player X's turn: "
		b      = "B's turn: "
		again  = "Invalid move. Enter again!\n"
		white  = "White's turn: "
		border = "  ---------------------------------\n"
	)
	for _, c := range []struct {
		name string
		size int
		in   string
		end  string
		exit int
	}{
		{"loa", 9, "", "", exitRefused},
		{"go", 0, "", "", exitRefused},
		{"neighbors", 0, "a1", "7 . W W W B B B .\nB's move: ", exitEnd},
		{"neighbors", 0, "a10 d0 d0 A1", "\nB's move: Invalid move. Try again!\nB's move: Invalid move. Try again!\nB's move: ", exitEnd},
		{"othello", 4, "9 x 1\n-\n2147483648", pits + "Too many pits!\n" + pits + pits + pits, exitEnd},
		{"othello", 4, "-3", " 4 . . . . \n" + x, exitEnd},
		{"othello", 4, "2 b2 ax b1\nA1 a1 [1 a0", "Enter position for pit 1: Invalid position!\n" +
			"Enter position for pit 1: Enter position for pit 1: Enter position for pit 2: Invalid position!\n" +
			"Enter position for pit 2: Invalid position!\nEnter position for pit 2: Invalid position!\n" +
			"Enter position for pit 2: ", exitEnd},
		{"othello", 4, "0 hello d3\n#2 \xff1 A1", " 4 . . . . \n" + x + x + "Invalid move!\n" + x + "Invalid move!\n" + x + "Invalid move!\n" + x, exitEnd},
		{"connect6", 2, "hello A0\na0 A-1 B2 A", " 1 . .\n" + b + again + b + again + b + again + b + again + b, exitEnd},
		{"connect6", 1, "A0", " 0 B\nDraw game!\n", exitDone},
		{"chess", 0, "", mode, exitEnd},
		{"chess", 0, "-", mode, exitEnd},
		{"chess", 0, "2", mode, exitUnknown},
		{"chess", 0, "one", mode, exitUnknown},
		{"chess", 0, "1 z0z0 Z0A1 Z0", "Round 1:\n", exitEnd},
		{"chess", 0, "1 z0z0 Z0A1 Z0", border + white + "invalid input!\n" + white + "invalid input!\n" + white, exitEnd},
		{"chess", 0, "1 Z-0 Z+00", border + white + "Draw game!\n", exitDone},
		{"chess", 0, "1 e2 e E7\nI7 I6", border + white + "invalid input!\n" + white + "invalid input!\n" + white, exitEnd},
	} {
		out, exit := Console(c.name, c.size, c.in)
		found := strings.HasSuffix(out, c.end)
		if c.end == "Round 1:\n" {
			found = strings.HasPrefix(out, mode+c.end)
		}
		if !found || exit != c.exit {
			t.Errorf("%s %q: exit %d, want %d; the output\n%s\nshould end with\n%s", c.name, c.in, exit, c.exit, out, c.end)
		}
	}
}

// A pawn that captures sideways has made its first move, and has lost its
// double step.
func TestChessDoubleStep(t *testing.T) {
	out, exit := Console("chess", 0, "1 b7b5 a2a4 b5a4 h2h4 a4a2 Z0Z0")
	if !strings.HasSuffix(out, "White's turn: invalid input!\nWhite's turn: White wins!\n") || exit != exitDone {
		t.Errorf("exit %d, the output\n%s", exit, out)
	}
}
