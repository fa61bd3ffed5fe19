package chess_test

import (
	"strings"
	"testing"

	"quintet/game"
	"quintet/games/chess"
)

// courseMove makes a move written as on the course's console, "E7 E5", and
// ends the turn.
func courseMove(t *testing.T, c *chess.Course, from, to string) {
	t.Helper()
	y1, x1, y2, x2 := int(from[1]-'1'), int(from[0]-'A'), int(to[1]-'1'), int(to[0]-'A')
	if !c.IsMoveValid(y1, x1, y2, x2) || !c.Move(y1, x1, y2, x2) {
		t.Fatalf("%s %s was refused", from, to)
	}
	c.NextTurn()
}

// rows writes the board as the course prints it: Black above, in upper case.
func rows(c *chess.Course) string {
	var b strings.Builder
	for y := range 8 {
		for x := range 8 {
			piece, _ := c.Get(y, x)
			switch {
			case piece.Kind == game.Empty:
				b.WriteByte('.')
			case piece.Side == game.First:
				b.WriteByte(piece.Kind | 0x20)
			default:
				b.WriteByte(piece.Kind)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestCourseStart(t *testing.T) {
	c := chess.NewCourse()
	const want = "RNBQKBNR\nPPPPPPPP\n........\n........\n........\n........\npppppppp\nrnbqkbnr\n"
	if got := rows(c); got != want {
		t.Errorf("the board is\n%s, want\n%s", got, want)
	}
	if c.Turn() != game.First || c.State() != chess.Running || c.Result() != game.Ongoing {
		t.Errorf("turn %s, state %d, result %s", c.Turn(), c.State(), c.Result())
	}
	for _, s := range []game.Side{game.First, game.Second} {
		if c.Score(s) != 1128 || c.PieceCount(s) != 16 {
			t.Errorf("the %s side has %d pieces of score %d, want 16 of 1128", s, c.PieceCount(s), c.Score(s))
		}
	}
	if got := c.Board().At(7, 4); got != (game.Piece{Kind: chess.King, Side: game.First}) {
		t.Errorf("the picture has %v on E8, want White's king", got)
	}
}

func TestCourseCells(t *testing.T) {
	c := chess.NewCourse()
	queen := game.Piece{Kind: chess.Queen, Side: game.Second}
	for _, cell := range [][2]int{{-1, 0}, {0, -1}, {8, 0}, {0, 8}, {1 << 40, 3}, {-1 << 62, -1 << 62}} {
		y, x := cell[0], cell[1]
		if piece, ok := c.Get(y, x); ok || piece != (game.Piece{}) {
			t.Errorf("Get(%d, %d) = %v, %t, want nothing", y, x, piece, ok)
		}
		if c.IsEmpty(y, x) || c.Put(y, x, queen) || c.IsMoveValid(y, x, 5, 0) || c.IsMoveValid(6, 0, y, x) || c.Move(6, 0, y, x) {
			t.Errorf("the cell (%d, %d) was taken for one of the board", y, x)
		}
	}
	if !c.IsEmpty(4, 4) || c.IsEmpty(0, 0) {
		t.Error("IsEmpty is wrong on the board")
	}
	if c.Put(4, 4, game.Piece{Kind: 'x'}) || !c.IsEmpty(4, 4) {
		t.Error("a piece of no kind was put")
	}
}

func TestCoursePut(t *testing.T) {
	c := chess.NewCourse()
	for _, kind := range []byte{chess.King, chess.Queen, chess.Rook, chess.Bishop, chess.Knight, chess.Pawn} {
		piece := game.Piece{Kind: kind, Side: game.Second}
		if !c.Put(7, 4, piece) {
			t.Fatalf("%v was refused", piece)
		}
		if got, ok := c.Get(7, 4); !ok || got != piece {
			t.Errorf("Get(7, 4) = %v, %t, want %v", got, ok, piece)
		}
	}
	if c.PieceCount(game.First) != 15 || c.Score(game.First) != 128 || c.PieceCount(game.Second) != 17 || c.Score(game.Second) != 1129 {
		t.Errorf("White %d pieces, %d, Black %d pieces, %d, want 15, 128, 17, 1129",
			c.PieceCount(game.First), c.Score(game.First), c.PieceCount(game.Second), c.Score(game.Second))
	}
	if !c.Put(7, 4, game.Piece{}) || !c.IsEmpty(7, 4) {
		t.Error("the cell was not emptied")
	}
}

func TestCourseMove(t *testing.T) {
	c := chess.NewCourse()
	before := rows(c)
	for _, m := range [][4]int{
		{6, 0, 6, 0}, {4, 4, 3, 4}, {1, 0, 2, 0}, {6, 0, 3, 0}, {6, 0, 5, 1}, {7, 0, 6, 0}, {7, 0, 5, 0}, {7, 2, 5, 4}, {7, 4, 5, 4},
	} {
		if c.IsMoveValid(m[0], m[1], m[2], m[3]) || c.Move(m[0], m[1], m[2], m[3]) {
			t.Errorf("Move(%v) was made", m)
		}
	}
	if rows(c) != before || c.Turn() != game.First {
		t.Errorf("refused moves changed the board to\n%s", rows(c))
	}
	if !c.Move(6, 4, 4, 4) || c.Turn() != game.First {
		t.Error("E7 E5 was refused, or ended the turn")
	}
	if c.Move(4, 4, 2, 4) {
		t.Error("a pawn took two steps again")
	}
	c.NextTurn()
	if c.Turn() != game.Second || !c.Move(1, 3, 3, 3) {
		t.Error("Black's D2 D4 was refused")
	}
}

// TestCourseGame plays to the capture of a king, which stops the game.
func TestCourseGame(t *testing.T) {
	c := chess.NewCourse()
	for _, m := range [][2]string{{"E7", "E5"}, {"D2", "D4"}, {"F8", "B4"}, {"A2", "A3"}, {"B4", "E1"}} {
		courseMove(t, c, m[0], m[1])
	}
	if c.State() != chess.Stopped || c.Result() != game.FirstWins || c.Score(game.Second) != 128 {
		t.Errorf("state %d, result %s, Black's score %d, want stopped, first wins, 128", c.State(), c.Result(), c.Score(game.Second))
	}
	if c.Move(0, 0, 0, 1) || c.Move(1, 0, 2, 0) {
		t.Error("a move was made after the end")
	}
}

func TestCourseStop(t *testing.T) {
	for _, test := range []struct {
		lost game.Side
		want game.Result
	}{{game.First, game.SecondWins}, {game.Second, game.FirstWins}} {
		c := chess.NewCourse()
		if piece, ok := c.Piece(test.lost, 0); !ok || !c.Put(piece.Y, piece.X, game.Piece{}) {
			t.Fatal("the first piece cannot be taken off")
		}
		c.Stop()
		if c.State() != chess.Stopped || c.Result() != test.want {
			t.Errorf("without a piece of the %s side: state %d, %s, want %s", test.lost, c.State(), c.Result(), test.want)
		}
	}
	c := chess.NewCourse()
	c.Stop()
	if c.Result() != game.Draw {
		t.Errorf("stopped at the start: %s, want a draw", c.Result())
	}
}

func TestCoursePieces(t *testing.T) {
	c := chess.NewCourse()
	var labels strings.Builder
	for i := range c.PieceCount(game.Second) {
		piece, ok := c.Piece(game.Second, i)
		if got, _ := c.Get(piece.Y, piece.X); !ok || got != piece.Piece || piece.Piece.Side != game.Second {
			t.Errorf("Piece(%d) = %v, %t, but on its cell is %v", i, piece, ok, got)
		}
		labels.WriteByte(piece.Piece.Kind)
	}
	if want := "RNBQKBNRPPPPPPPP"; labels.String() != want {
		t.Errorf("Black's pieces are %s, want %s", &labels, want)
	}
	for _, i := range []int{-1, 16, 99} {
		if piece, ok := c.Piece(game.First, i); ok {
			t.Errorf("Piece(%d) = %v, want none", i, piece)
		}
	}
}
