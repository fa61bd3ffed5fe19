package chess_test

import (
	"errors"
	"strings"
	"testing"

	"quintet/game"
	"quintet/games/chess"
)

func TestRead(t *testing.T) {
	const board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
	for _, text := range []string{
		board + " w", board + " b -", board + " w KQkq - 0 1", board + " b Kq e3 12 34", board + " w - a6",
		"8/8/8/8/8/8/8/7K w", "k7/8/8/8/8/8/8/8 w", "PPPkPPPP/8/8/8/8/8/8/pppKpppp w",
	} {
		fields := strings.Fields(text)
		if got, want := must(t, text).String(), fields[0]+" "+fields[1]+" - - 0 1"; got != want {
			t.Errorf("%s is read as %s, want %s", text, got, want)
		}
	}
}

func TestReadErrors(t *testing.T) {
	const board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
	for _, test := range []struct{ text, want string }{
		{"", "board is missing"},
		{board, "side to move (w or b) is missing"},
		{board + " w - - 0 1 1", `"1" is left over`},
		{board + " x", `side to move "x"`},
		{board + " W", `side to move "W"`},
		{board + " w KK", `castling "KK"`},
		{board + " w qK", `castling "qK"`},
		{board + " w --", `castling "--"`},
		{board + " w - e4", `en passant "e4"`},
		{board + " w - e3e6", `en passant "e3e6"`},
		{board + " w - - -1", `clock "-1"`},
		{board + " w - - 0 one", `clock "one"`},
		{board + " w - - 0 99999999999", `clock "99999999999"`},
		{"8/8/8/8/8/8/8/8 w", "no king"},
		{"8/8/8/8/8/8/8/KK6 w", "White has 2 kings"},
		{"kk6/8/8/8/8/8/8/K7 w", "Black has 2 kings"},
		{"k7/8/8/8/8/8/8/KP6 w", "White has a pawn on b1"},
		{"kp6/8/8/8/8/8/8/K7 w", "Black has a pawn on b8"},
		{"k8/8/8/8/8/8/8/K7 w", "row 1"},
		{"k7/8/8/8/8/8/K7 w", "7 rows of 8 cells: expected 8 rows"},
		{"k6/7/7/7/7/7/K6 w", "board of 7 rows"},
		{"k7/8/8/8/x7/8/8/K7 w", "row 5"},
		{"k7/8/8/8/.7/8/8/K7 w", "row 5"},
	} {
		p, err := chess.Game.Read(test.text)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Read(%q) = %v, %v, want an error with %q", test.text, p, err, test.want)
		}
	}
}

func TestParse(t *testing.T) {
	p := chess.Start()
	for _, s := range []string{"e2e4", "E2E4", "e2E4"} {
		m, err := p.Parse(s)
		if err != nil || p.Format(m) != "e2e4" {
			t.Errorf("Parse(%q) = %v, %v", s, m, err)
		}
	}
	for _, s := range []string{"e2e5", "e7e5", "e4e5", "a1a1", "a1a2", "pass"} {
		if m, err := p.Parse(s); !errors.Is(err, game.ErrIllegal) || !strings.Contains(err.Error(), s) {
			t.Errorf("Parse(%q) = %v, %v, want an error that is %q and names the move", s, m, err, game.ErrIllegal)
		}
	}
	for _, s := range []string{"", "e2", "e2e9", "i2i4", "e2-e4", "e2e4q", "e2 e4", "O-O", "e02e4"} {
		if m, err := p.Parse(s); err == nil || errors.Is(err, game.ErrIllegal) {
			t.Errorf("Parse(%q) = %v, %v, want an error that it is no move", s, m, err)
		}
	}
	over := must(t, "8/8/8/8/8/8/8/7K w")
	if m, err := over.Parse("h1g1"); !errors.Is(err, game.ErrIllegal) {
		t.Errorf("%s: Parse(h1g1) = %v, %v, want %v", over, m, err, game.ErrIllegal)
	}
}

// TestSets compares the sets that engines see with the pieces on the board.
func TestSets(t *testing.T) {
	p := must(t, "rnbqk2r/pp1p1ppp/8/8/8/8/PPPPPPPP/RN2KBNR b")
	for c := range game.Cell(64) {
		piece, pieces := p.At(c), [2]uint64{p.Pieces(game.First), p.Pieces(game.Second)}
		for s := range pieces {
			if got, want := pieces[s]>>c&1 != 0, piece.Kind != game.Empty && piece.Side == game.Side(s); got != want {
				t.Errorf("%v on cell %d: in Men(%d) %t, want %t", piece, c, s, got, want)
			}
		}
		for _, kind := range []byte("KQRBNPx") {
			if got, want := p.Kind(kind)>>c&1 != 0, piece.Kind == kind; got != want {
				t.Errorf("%v on cell %d: in Kind(%c) %t, want %t", piece, c, kind, got, want)
			}
		}
	}
}
