package othello_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/game"
	"quintet/games/othello"
	"quintet/lab/gametest"
)

func must(t *testing.T, text string) game.Position {
	t.Helper()
	p, err := othello.Game.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestStart(t *testing.T) {
	for setup, want := range map[string]string{
		"":                     "8/8/8/3XO3/3OX3/8/8/8 X",
		"size=4":               "4/1XO1/1OX1/4 X",
		"size=10":              "10/10/10/10/4XO4/4OX4/10/10/10/10 X",
		"size=4 pits=b1,c1,a2": "1##1/#XO1/1OX1/4 X",
		"size=10 pits=J10,a1":  "#9/10/10/10/4XO4/4OX4/10/10/10/9# X",
	} {
		if got := gametest.Start(t, othello.Game, setup).String(); got != want {
			t.Errorf("%q starts at %s, want %s", setup, got, want)
		}
	}
}

func TestSetupErrors(t *testing.T) {
	for setup, want := range map[string]string{
		"size=7":                                 `size "7": expected an even number from 4 to 26`,
		"size=28":                                `size "28": expected an even number from 4 to 26`,
		"size=-2":                                `size "-2": expected an even number from 4 to 26`,
		"size=2":                                 `size "2": expected an even number from 4 to 26`,
		"size=eight":                             `size "eight": expected an even number from 4 to 26`,
		"pits=i1":                                `pits "i1": cell "i1": outside of the board of 8 by 8, expected from a1 to h8`,
		"pits=a1,":                               `pits "a1,": cell "": expected from a1 to h8`,
		"pits=a1,d4":                             `pits "a1,d4": a disc starts on d4: choose empty cells`,
		"pits=a1,b2,A1":                          `pits "a1,b2,A1": A1 is given twice`,
		"komi=7":                                 `othello has no option "komi": expected size, pits or start`,
		"size=4 pits=a5":                         `pits "a5": cell "a5": outside of the board of 4 by 4, expected from a1 to d4`,
		"size=4 pits=a1,b1,c1,d1,a2,d2,a3,d3,a4": "9 pits: at most 8 are allowed, half of the board",
	} {
		s, err := game.ParseSetup(setup)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := othello.Game.Start(s); err == nil || err.Error() != want {
			t.Errorf("%q: %v, %v, want the error %s", setup, p, err, want)
		}
	}
	if p, err := othello.Game.New(game.Setup{"size": "5"}); err == nil {
		t.Errorf("New with an odd size made %s", p)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "board is missing",
		"4/1XO1/1OX1/4":            "side to move (X or O) is missing",
		"4/1XO1/1OX1/4 X X":        `"X" is left over`,
		"4/1XO1/1OX1/4 x":          `side to move "x": expected X or O`,
		"4/1XO1/1OX1/4 #":          `side to move "#": expected X or O`,
		"2/2 X":                    "board of 2 rows: expected an even number from 4 to 26",
		"5/5/5/5/5 X":              "board of 5 rows: expected an even number from 4 to 26",
		"4/1XO1/1OX1/5 X":          "row 4",
		"4/1XB1/1OX1/4 X":          "row 2",
		strings.Repeat("/", 28):    "side to move (X or O) is missing",
		"9999999999/8/8/8 X":       "row 1",
		"4/1XO1/1OX1/4/4/4/4/40 X": `row 8 of the board, "40"`,
	} {
		if p, err := othello.Game.Read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read(%q) = %v, %v, want an error with %q", text, p, err, want)
		}
	}
}

func TestParse(t *testing.T) {
	p := gametest.Start(t, othello.Game, "")
	for _, s := range []string{"e3", "E3"} {
		if m, err := p.Parse(s); err != nil || p.Format(m) != "e3" {
			t.Errorf("Parse(%q) = %v, %v", s, m, err)
		}
	}
	for _, s := range []string{"a1", "d4", "d3", "pass"} {
		if m, err := p.Parse(s); !errors.Is(err, game.ErrIllegal) {
			t.Errorf("Parse(%q) = %v, %v, want %v", s, m, err, game.ErrIllegal)
		}
	}
	for _, s := range []string{"", "i9", "a0", "d03", "d3d4"} {
		if m, err := p.Parse(s); err == nil || errors.Is(err, game.ErrIllegal) {
			t.Errorf("Parse(%q) = %v, %v, want an error that it is no move", s, m, err)
		}
	}
}

// TestEnds has a position for every state of a game.
func TestEnds(t *testing.T) {
	for _, test := range []struct {
		name, text, moves string
		result            game.Result
	}{
		{"goes on", "4/1XO1/1OX1/4 X", "c1 d2 a3 b4", game.Ongoing},
		{"must pass", "XXXX/XXXX/XXXX/XXO1 O", "pass", game.Ongoing},
		{"then plays", "XXXX/XXXX/XXXX/XXO1 X", "d4", game.Ongoing},
		{"full board, black has more", "XXXX/XXXX/XXOO/OOOO X", "", game.FirstWins},
		{"full board, white has more", "XXXX/XXOO/OOOO/OOOO X", "", game.SecondWins},
		{"full board, equal", "XXXX/XXXX/OOOO/OOOO O", "", game.Draw},
		{"empty cells without a legal move", "X3/4/4/3O X", "", game.Draw},
		{"a side without discs", "4/1XX1/1XX1/4 O", "", game.FirstWins},
		{"no discs at all", "4/4/4/4 X", "", game.Draw},
		{"pits all around", "1##1/#XO#/#OX#/1##1 X", "", game.Draw},
		{"a pit breaks the line", "X#O1/4/4/4 X", "", game.Draw},
		{"no pit in the line", "XOO1/4/4/4 X", "d1", game.Ongoing},
		{"large, goes on", "9X/10/10/10/4XO4/4OX4/10/10/10/10 X", "f4 g5 d6 e7", game.Ongoing},
		{"large, must pass", "XO8/10/10/10/10/10/10/10/10/10 O", "pass", game.Ongoing},
		{"large, over", "10/10/10/10/4XX4/10/10/10/10/10 O", "", game.FirstWins},
		{"large, a pit breaks the line", "XO#7/10/10/10/10/10/10/10/10/O9 X", "", game.SecondWins},
	} {
		p := must(t, test.text)
		var moves []string
		for _, m := range p.Moves(nil) {
			moves = append(moves, p.Format(m))
		}
		if got := strings.Join(moves, " "); got != test.moves || p.Result() != test.result {
			t.Errorf("%s, %s: moves %q, %s, want %q, %s", test.name, test.text, got, p.Result(), test.moves, test.result)
		}
	}
}

// TestPlay shows lines turned over in all eight directions, a pass, and a
// double pass.
func TestPlay(t *testing.T) {
	for _, test := range []struct{ name, text, moves, want string }{
		{"eight ways", "X2X2X1/1O1O1O2/2OOO3/XOO1OOX1/2OOO3/1O1O1O2/X2X2X1/8 X", "d4",
			"X2X2X1/1X1X1X2/2XXX3/XXXXXXX1/2XXX3/1X1X1X2/X2X2X1/8 O"},
		{"a pass", "XXXX/XXXX/XXXX/XXO1 O", "pass d4", "XXXX/XXXX/XXXX/XXXX O"},
		{"a large pass", "XO8/10/10/10/10/10/10/10/10/10 O", "pass c1", "XXX7/10/10/10/10/10/10/10/10/10 O"},
		{"the longest line", "26" + strings.Repeat("/26", 12) + "/X" + strings.Repeat("O", 24) + "1" + strings.Repeat("/26", 12) + " X", "z14",
			"26" + strings.Repeat("/26", 12) + "/" + strings.Repeat("X", 26) + strings.Repeat("/26", 12) + " O"},
	} {
		m := game.NewMatch(othello.Game, must(t, test.text))
		for _, s := range strings.Fields(test.moves) {
			if err := m.PlayText(s); err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
		}
		if got := m.Position().String(); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestPerft counts trees as game/perft/testdata/known.txt has them; package perft
// counts the rest of that table.
func TestPerft(t *testing.T) {
	for setup, want := range map[string][]uint64{
		"":                                    {4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288},
		"size=4":                              {4, 12, 44, 128, 424, 1256, 3624, 9116, 20044, 36540},
		"pits=a1,a2,b1,b2,g5,g6,g7,f7":        {4, 12, 52, 215, 1140, 6255},
		"size=6 pits=a1,a2,b1,b2,b5,e5,e2":    {4, 8, 20, 58, 232, 920},
		"size=4 pits=b1,c1,a2,d2,a3,d3,b4,c4": {1, 1, 1},
	} {
		p := gametest.Start(t, othello.Game, setup).(*othello.Small)
		var got []uint64
		for depth := range want {
			got = append(got, p.Perft(depth+1))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", setup, diff)
		}
	}
}

func TestBoard(t *testing.T) {
	b := must(t, "#3/1XO1/1OX1/2X1 O").Board()
	want := game.Board{
		Rows: []string{"1", "2", "3", "4"}, Cols: []string{"a", "b", "c", "d"},
		Cells: make([]game.Piece, 16), Note: "Black 3, White 2",
	}
	want.Cells[0].Kind = game.Pit
	black, white := game.Piece{Kind: game.Stone}, game.Piece{Kind: game.Stone, Side: game.Second}
	want.Cells[5], want.Cells[6], want.Cells[9], want.Cells[10], want.Cells[14] = black, white, white, black, black
	if diff := cmp.Diff(want, b); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDiscs(t *testing.T) {
	for _, turn := range []string{"X", "O"} {
		p := must(t, "1XO1/4/4/O3 "+turn).(*othello.Small)
		if x, o := p.Discs(game.First), p.Discs(game.Second); x != 1<<1 || o != 1<<2|1<<24 || p.Size() != 4 {
			t.Errorf("%s to move: X on %#x, O on %#x", turn, x, o)
		}
	}
	if n := must(t, strings.Repeat("10/", 9)+"10 X").(*othello.Large).Size(); n != 10 {
		t.Errorf("size %d, want 10", n)
	}
}
