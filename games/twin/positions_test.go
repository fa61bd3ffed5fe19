package twin

import (
	"strings"
	"testing"
)

// board makes cells of rows.
func board(rows ...string) cells {
	c := newCells(len(rows))
	for y, row := range rows {
		copy(c[y], row)
	}
	return c
}

// chessPosition makes a position of rows in FEN letters, from row 8 down, in
// which every piece has moved.
func chessPosition(white bool, rows ...string) *chess {
	g := &chess{white: white}
	for y, row := range rows {
		for x, b := range []byte(row) {
			if b == '.' {
				continue
			}
			kind := strings.ToUpper(string(rune(b)))[0]
			g.board[y][x] = piece{kind: kind, white: kind == b, moved: true}
		}
	}
	return g
}

func check(t *testing.T, what string, g Game, result int, moves string) {
	t.Helper()
	if got := g.Result(); got != result {
		t.Errorf("%s: result %d, want %d", what, got, result)
	}
	if got := strings.Join(g.Moves(), " "); got != moves {
		t.Errorf("%s: moves %q, want %q", what, got, moves)
	}
}

func TestNeighborsEnds(t *testing.T) {
	rows := []string{
		"B......B", "........", "........", "...W....",
		"........", "........", "........", "W......W",
	}
	check(t, "both isolated", &neighbors{board: board(rows...), player: 'B'}, drawn, "")
	rows[6] = "W......."
	g := &neighbors{board: board(rows...), player: 'B'}
	check(t, "one isolated", g, goingOn, pass)
	g.Play(pass)
	check(t, "after the pass", g, goingOn, "a6a5 a6b5 a6b6 a6b7 a7b6 a7b7")
	rows[0] = "BB......"
	check(t, "one group", &neighbors{board: board(rows...), player: 'W'}, firstWins, "")
}

// The corner pieces of Black have two pieces on every short line, the nearer
// of them White's, so every move would jump over White.
func TestLOAPass(t *testing.T) {
	g := &loa{board: board(
		"BW......", "WW......", "........", "........",
		"........", "........", "......WW", "......WB",
	), player: 'B'}
	check(t, "cornered", g, goingOn, pass)
	g.Play(pass)
	if moves := g.Moves(); g.Turn() != 1 || len(moves) < 2 {
		t.Errorf("side %d has the moves %q after the pass", g.Turn(), moves)
	}
}

func TestOthelloPits(t *testing.T) {
	g, err := New("othello", 4, []string{"b1", "c1", "a2", "d2", "a3", "d3", "b4", "c4"})
	if err != nil {
		t.Fatal(err)
	}
	check(t, "walled start", g, drawn, "")
	if want := ".##.#XO##OX#.##."; g.Cells() != want {
		t.Errorf("cells %q, want %q", g.Cells(), want)
	}
}

func TestConnect6Turns(t *testing.T) {
	g, err := New("connect6", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	turns := ""
	for i, move := range strings.Fields("A0 A2 C2 B0 C0 A4 C4 D0 F0 A6 C6 E0") {
		if g.Result() != goingOn {
			t.Fatalf("over before stone %d", i+1)
		}
		turns += string("BW"[g.Turn()]) + string("012"[g.Left()]) + " "
		g.Play(move)
	}
	if want := "B1 W2 W1 B2 B1 W2 W1 B2 B1 W2 W1 B2 "; turns != want {
		t.Errorf("turns %q, want %q", turns, want)
	}
	check(t, "six in a row", g, firstWins, "")
}

func TestChessPassAndHalt(t *testing.T) {
	// Every piece of the two walled corners is blocked by its own side or is a
	// pawn on its last row.
	top := []string{"KP......", "PP......", "........", "........"}
	bottom := []string{"........", "........", "pp......", "kp......"}
	halted := chessPosition(true, append(top, bottom...)...)
	check(t, "nobody moves, equal scores", halted, drawn, "")
	halted.board[7][7] = piece{kind: 'P', moved: true}
	check(t, "nobody moves, Black ahead", halted, secondWins, "")
	halted.board[7][7] = piece{}
	halted.board[0][7] = piece{kind: 'P', white: true, moved: true}
	check(t, "nobody moves, White ahead", halted, firstWins, "")

	g := chessPosition(true, append(top, bottom...)...)
	g.board[4][7] = piece{kind: 'P', moved: true}
	check(t, "White is stuck", g, goingOn, pass)
	g.Play(pass)
	check(t, "Black has a pawn", g, goingOn, "h4h3")
}

func TestChessKingCaptured(t *testing.T) {
	g, err := New("chess", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, move := range strings.Fields("e2e4 f7f6 d1h5 a7a6 h5e8") {
		g.Play(move)
	}
	check(t, "queen takes king", g, firstWins, "")
	if want := "rnbqQbnr"; !strings.HasPrefix(g.Cells(), want) {
		t.Errorf("cells %q, want them to begin with %q", g.Cells(), want)
	}
}
