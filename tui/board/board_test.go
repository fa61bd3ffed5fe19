package board_test

import (
	"strings"
	"testing"

	"quintet/game"
	"quintet/games"
	"quintet/tui/board"
	"quintet/tui/paint"
)

// TestEveryCell draws every board in every room of a terminal: the cursor's cell
// can be clicked, all cells can if there is room, and none lies elsewhere.
func TestEveryCell(t *testing.T) {
	for _, name := range games.Names() {
		g, err := games.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []string{"1", "4", "8", "19", "26"} {
			p, err := g.Start(game.Setup{"size": size})
			if err != nil {
				continue // not a size of this game
			}
			for _, room := range [][2]int{{30, 12}, {56, 21}, {80, 24}, {120, 40}} {
				for _, flip := range []bool{false, true} {
					clickable(t, board.Picture{Board: p.Board(), Active: true, Flip: flip}, room[0], room[1])
				}
			}
		}
	}
}

func clickable(t *testing.T, pic board.Picture, w, h int) {
	t.Helper()
	n := len(pic.Board.Cells)
	for _, cursor := range []int{0, n / 2, n - 1} {
		pic.Cursor = game.Cell(cursor)
		c := paint.New(w, h)
		pic.Draw(c, c.Whole(), paint.UnicodeSigns())
		seen := map[game.Cell]bool{}
		for y := range h {
			for x := range w {
				if click, ok := c.At(x, y).(board.Click); ok {
					seen[click.Cell] = true
				}
			}
		}
		rows, cols := len(pic.Board.Rows), len(pic.Board.Cols)
		if !seen[pic.Cursor] || 2*cols+4 <= w && rows+1 <= h && len(seen) != n {
			t.Fatalf("%d by %d in %d by %d, cursor %d: %d cells can be clicked\n%s", rows, cols, w, h, cursor, len(seen), c.Plain())
		}
	}
}

// TestShapes checks that sides and marks differ in their signs, not only in their
// colours, in Unicode and in ASCII.
func TestShapes(t *testing.T) {
	for _, signs := range []*paint.Signs{paint.UnicodeSigns(), paint.ASCIISigns()} {
		for _, kind := range []byte{game.Stone, 'K', 'Q', 'P', 'Z'} {
			first, second := signs.Piece(game.Piece{Kind: kind, Side: game.First}, game.First), signs.Piece(game.Piece{Kind: kind, Side: game.Second}, game.First)
			if first == second || first == "" {
				t.Errorf("%c: %q and %q", kind, first, second)
			}
		}
		stone := game.Piece{Kind: game.Stone, Side: game.First}
		if dark, light := signs.Piece(stone, game.First), signs.Piece(stone, game.Second); dark == light {
			t.Errorf("a stone is %q, whether it is dark or light", dark)
		}
		seen := map[string]board.Mark{}
		for _, mark := range []board.Mark{{}, {Last: true}, {Selected: true}, {Target: true}, {Threat: true}, {Hint: true}, {Group: "A"}} {
			b := game.Board{Rows: []string{"1"}, Cols: []string{"a"}, Cells: []game.Piece{{Kind: game.Stone}}}
			c := paint.New(20, 4)
			pic := board.Picture{Board: b, Marks: map[game.Cell]board.Mark{0: mark}}
			pic.Draw(c, paint.Rect{W: 12, H: 4}, signs)
			text := strings.TrimSpace(c.Plain())
			if other, taken := seen[text]; taken {
				t.Errorf("%+v and %+v look the same:\n%s", mark, other, text)
			}
			seen[text] = mark
		}
	}
}
