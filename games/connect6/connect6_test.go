package connect6_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"quintet/game"
	"quintet/games/connect6"
)

func must(t *testing.T, text string) *connect6.Position {
	t.Helper()
	p, err := connect6.Game.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*connect6.Position)
}

func TestStart(t *testing.T) {
	for size := -2; size <= 28; size++ {
		p, err := connect6.Start(size)
		if good := size >= 1 && size <= 26; (err == nil) != good {
			t.Fatalf("size %d: %v", size, err)
		}
		if err == nil && (p.Size() != size || p.Left() != 1 || p.Turn() != game.First) {
			t.Errorf("size %d starts with %s", size, p)
		}
	}
	for _, setup := range []game.Setup{{"size": "x"}, {"size": "27"}, {"size": "0"}, {"pits": "a1"}} {
		if p, err := connect6.Game.Start(setup); err == nil {
			t.Errorf("%v starts with %s", setup, p)
		}
	}
	if _, err := connect6.Game.New(game.Setup{"size": "x"}); err == nil {
		t.Error("New accepts the size x")
	}
}

// TestTurns follows the turns: one stone, then two each.
func TestTurns(t *testing.T) {
	p := must(t, "3/3/3 B 1")
	for _, want := range []string{"B2/3/3 W 2", "BW1/3/3 W 1", "BWW/3/3 B 2", "BWW/B2/3 B 1", "BWW/BB1/3 W 2"} {
		p.Play(p.Moves(nil)[0])
		if p.String() != want {
			t.Errorf("%s, want %s", p, want)
		}
	}
}

// TestEnds has a position for every way in which a game can stand. A move
// marked with * is played first.
func TestEnds(t *testing.T) {
	const rest = "/8/8/8/8/8/8/8"
	for _, test := range []struct {
		name, text, move string
		result           game.Result
	}{
		{"goes on", "BBBBB3" + rest + " B 1", "A1", game.Ongoing},
		{"six in a row", "BBBBB3" + rest + " B 1", "F0", game.FirstWins},
		{"six with the first stone of a turn", "BBBBB3" + rest + " B 2", "F0", game.FirstWins},
		{"six by filling a gap", "BB1BBB2" + rest + " B 2", "C0", game.FirstWins},
		{"seven in a row", "BBB1BBB1" + rest + " B 2", "D0", game.FirstWins},
		{"six in a column", "7W/7W/7W/7W/7W/8/8/8 W 2", "H5", game.SecondWins},
		{"six on a falling diagonal", "8/1W6/2W5/8/4W3/5W2/6W1/8 W 1", "D3", game.SecondWins},
		{"six on a rising diagonal", "7B/6B1/5B2/4B3/3B4/8/8/8 B 1", "C5", game.FirstWins},
		{"five and a stone of the other", "BBBBBW2" + rest + " W 1", "G0", game.Ongoing},
		{"not around the edge", "5BBB/BBB5/8/8/8/8/8/8 B 2", "D1", game.Ongoing},
		{"the opponent's six does not come from a stone of one's own", "WWWWW3" + rest + " B 1", "F0", game.Ongoing},
		{"a full board", "BW/W1 B 2", "B1", game.Draw},
		{"one cell", "1 B 1", "A0", game.Draw},
		{"six with the last cell", "BBBBB1/WWBWWW/BBWBBB/WWBWWW/BBWBBB/WWBWWW B 1", "F0", game.FirstWins},
	} {
		p := must(t, test.text)
		m, err := p.Parse(test.move)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if p.Result().Over() {
			t.Errorf("%s: %s is over before the move", test.name, p)
		}
		p.Play(m)
		if p.Result() != test.result {
			t.Errorf("%s: %s, %s, want %s", test.name, p, p.Result(), test.result)
		}
	}
}

// TestSmallBoards plays to the end on boards too small for a win.
func TestSmallBoards(t *testing.T) {
	r := rand.NewPCG(1, 1)
	for size := 1; size < connect6.Six; size++ {
		p, err := connect6.Start(size)
		if err != nil {
			t.Fatal(err)
		}
		plies := 0
		for ; !p.Result().Over(); plies++ {
			p.Play(p.Sample(r))
		}
		if p.Result() != game.Draw || plies != size*size {
			t.Errorf("size %d: %s after %d plies", size, p.Result(), plies)
		}
	}
}

// TestAgainstPlain compares results with a search of the whole board for six
// in a line, by coordinates.
func TestAgainstPlain(t *testing.T) {
	r := rand.NewPCG(1, 1)
	for i := range 300 {
		p, err := connect6.Start(6 + i%15)
		if err != nil {
			t.Fatal(err)
		}
		for !p.Result().Over() {
			mover := p.Turn()
			p.Play(p.Sample(r))
			want := game.Ongoing
			if plainSix(p.Board(), mover) {
				want = game.Win(mover)
			} else if p.Count() == 0 && len(p.Moves(nil)) == 0 {
				want = game.Draw
			}
			if p.Result() != want {
				t.Fatalf("%s: %s, want %s", p, p.Result(), want)
			}
		}
	}
}

func plainSix(b game.Board, s game.Side) bool {
	size, own := len(b.Rows), game.Piece{Kind: game.Stone, Side: s}
	for i := range b.Cells {
		for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
			n := 0
			for r, c := i/size, i%size; r < size && c >= 0 && c < size && b.At(r, c) == own; n++ {
				r, c = r+d[0], c+d[1]
			}
			if n >= 6 {
				return true
			}
		}
	}
	return false
}

func TestReadErrors(t *testing.T) {
	six := "BBBBBB/WWWWWW/6/6/6/6"
	for text, want := range map[string]string{
		"":                   "board is missing",
		"3/3/3":              "side to move (B or W) is missing",
		"3/3/3 B":            "stones left in the turn (1 or 2) is missing",
		"3/3/3 B 1 1":        `"1" is left over`,
		"3/3/3 b 1":          `side to move "b": expected B or W`,
		"3/3/3 B 0":          `stones left "0": expected 1 or 2`,
		"3/3/3 B 3":          `stones left "3": expected 1 or 2`,
		"3/3/3 B two":        `stones left "two": expected 1 or 2`,
		"3/3/4 B 1":          "row 3",
		"3/3/X2 B 1":         "row 3",
		six + " B 1":         "both sides have six in a line",
		"27 B 1":             "row 1",
		"/ B 1":              "row 1",
		"3/3/3/3 B 1":        "4 rows of 3 cells: expected 3 rows",
		"99999999999999 B 1": "row 1",
	} {
		if p, err := connect6.Game.Read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Read(%q) = %v, %v, want an error with %q", text, p, err, want)
		}
	}
}

func TestReadResults(t *testing.T) {
	for text, want := range map[string]game.Result{
		"BBBBBB/6/6/6/6/6 W 2": game.FirstWins,
		"6/WWWWWW/6/6/6/6 W 1": game.SecondWins,
		"BW/WB W 1":            game.Draw,
		"6/6/6/6/6/6 W 1":      game.Ongoing,
	} {
		if p := must(t, text); p.Result() != want || p.String() != text {
			t.Errorf("%s is read as %s, %s, want %s", text, p, p.Result(), want)
		}
	}
}

func TestParse(t *testing.T) {
	p := must(t, "19"+strings.Repeat("/19", 18)+" B 1")
	for _, s := range []string{"J9", "j9"} {
		if m, err := p.Parse(s); err != nil || p.Format(m) != "J9" {
			t.Errorf("Parse(%q) = %v, %v", s, m, err)
		}
	}
	for s, want := range map[string]string{
		"T0": `move: cell "T0": outside of the board of 19 by 19, expected from A0 to S18`, "A19": `move: cell "A19": outside of the board of 19 by 19, expected from A0 to S18`,
		"J09": `move: cell "J09": expected from A0 to S18`, "": `move: cell "": expected from A0 to S18`,
		"pass": `move "pass": not a legal move: there is no pass in Connect6`,
	} {
		if m, err := p.Parse(s); err == nil || err.Error() != want {
			t.Errorf("Parse(%q) = %v, %v, want the error %s", s, m, err, want)
		}
	}
	q := must(t, "B1/1W B 1")
	for _, s := range []string{"A0", "B1"} {
		if m, err := q.Parse(s); !errors.Is(err, game.ErrIllegal) {
			t.Errorf("Parse(%q) = %v, %v, want %v", s, m, err, game.ErrIllegal)
		}
	}
	if m, err := must(t, "BBBBBB/6/6/6/6/6 W 2").Parse("A1"); !errors.Is(err, game.ErrIllegal) {
		t.Errorf("Parse after the end = %v, %v, want %v", m, err, game.ErrIllegal)
	}
}

func TestBoard(t *testing.T) {
	b := must(t, "B1/1W W 2").Board()
	if b.At(0, 0) != (game.Piece{Kind: game.Stone}) || b.At(1, 1).Side != game.Second || b.At(0, 1).Kind != game.Empty ||
		!b.Points || b.Rows[1] != "1" || b.Cols[1] != "B" || b.Note != "White places 2" {
		t.Errorf("the board is %+v", b)
	}
}
