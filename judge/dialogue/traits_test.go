package dialogue

import (
	"slices"
	"strings"
	"testing"
)

// TestCommon names wrong decisions by what no right one has.
func TestCommon(t *testing.T) {
	for _, test := range []struct{ wrong, right, want string }{
		{"upward, by white; downward, by white", "upward, by black", "only moves by white go wrong"},
		{"upward, along a diagonal, by white; upward, along a diagonal, by black", "upward, by black; along a diagonal, by white", "only moves both upward and along a diagonal go wrong"},
		{"upward, along a diagonal, by white; upward, along a diagonal, by black", "upward, along a diagonal, by white", ""},
		{"upward, by white; downward, by black", "by black", ""},
		{"upward, by white", "by black", ""}, // one move says nothing
		{"upward, by white; downward, by white", "", ""},
	} {
		p, err := New("loa", 0)
		if err != nil {
			t.Fatal(err)
		}
		e := p.Examiner("")
		for right, moves := range map[bool]string{false: test.wrong, true: test.right} {
			for move := range strings.SplitSeq(moves, "; ") {
				if move != "" {
					e.decided(Refusing, strings.Split(move, ", "), right)
				}
			}
		}
		if got := e.Common(Refusing); got != test.want {
			t.Errorf("%s: %q, want %q", test.wrong, got, test.want)
		}
	}
}

// TestTraits lists what is special about moves.
func TestTraits(t *testing.T) {
	for _, test := range []struct{ game, line, want string }{
		{"neighbors", "d0 f2", "downward, rightward, along a diagonal, from the first row, from the edge of the board, of a piece with a neighbour to the left, of a piece with a neighbour to the right, by black"},
		{"loa", "a1 a7", "downward, along a row or column, over a piece of the same side, from the first column, from the edge of the board, to the last row, to the first column, to the edge of the board, by black"},
		{"chess", "G8 F6", "with a knight, upward, leftward, from the last row, from the edge of the board, by white"},
		{"othello", "E3", "turning discs left, turning discs in one direction, by black"},
		{"connect6", "A0", "to the first row, to the first column, to the edge of the board, by black"},
		{"loa", "a1", ""},
		{"loa", "z9 a1", ""},
	} {
		p, err := New(test.game, map[string]int{"othello": 6}[test.game])
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.traits(position{cells: p.start()}, test.line), ", "); got != test.want {
			t.Errorf("%s, %s: %s, want %s", test.game, test.line, got, test.want)
		}
	}
}

// TestMisplaced judges a program that takes another piece away, too, whenever it captures.
func TestMisplaced(t *testing.T) {
	p, err := New("loa", 0)
	if err != nil {
		t.Fatal(err)
	}
	right := p.Play([]string{"a2 c2", "c0 b1"}, "").Output()
	e := p.Examiner("")
	at := strings.LastIndex(right, "2 . . B") // the piece that black has moved
	for _, wrong := range []string{right[:at] + "2 . . ." + right[at+7:], right} {
		if !slices.ContainsFunc(e.Examine([]string{"a2 c2", "c0 b1"}, wrong), func(o Observation) bool { return o.Feature == "board" }) {
			t.Fatal("no board was checked")
		}
	}
	if got := e.Common(Showing); got != "another piece disappears" {
		t.Errorf("%q", got)
	}
}

// TestOwnRefusal judges a program that refuses a move in its own words and shows the board again: it accepts nothing,
// whoever asks next decides that.
func TestOwnRefusal(t *testing.T) {
	p, err := New("loa", 0)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{"a2 h7"}
	right := p.Play(lines, "").Output()
	board, _, _ := strings.Cut(right, "B's move")
	for next, refused := range map[string]bool{"B": true, "W": false} {
		wrong := board + "B's move: No.\n" + board + next + "'s move: "
		for _, o := range p.Examiner("").Examine(lines, wrong) {
			if o.Case.Answer == "refuses" && o.OK != refused {
				t.Errorf("%s moves next: %s refuses the move: %v", next, o.Feature, o.OK)
			}
		}
	}
}
