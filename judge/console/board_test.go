package console

import (
	"strings"
	"testing"

	"quintet/game"
)

// picture makes a board of letters: B and W are stones, # is a pit, . is empty
// and any other letter a piece, the second side's in upper case.
func picture(rows ...string) game.Board {
	b := game.Board{Rows: make([]string, len(rows)), Cols: make([]string, len(rows))}
	for _, c := range strings.Join(rows, "") {
		switch c {
		case '.':
			b.Cells = append(b.Cells, game.Piece{})
		case '#':
			b.Cells = append(b.Cells, game.Piece{Kind: game.Pit})
		case '1':
			b.Cells = append(b.Cells, game.Piece{Kind: game.Stone, Side: game.First})
		case '2':
			b.Cells = append(b.Cells, game.Piece{Kind: game.Stone, Side: game.Second})
		case 'k', 'p':
			b.Cells = append(b.Cells, game.Piece{Kind: byte(c) - 32, Side: game.First})
		default:
			b.Cells = append(b.Cells, game.Piece{Kind: byte(c), Side: game.Second})
		}
	}
	return b
}

func TestDraw(t *testing.T) {
	empty8 := picture("........", "........", "........", "........", "........", "........", "........", "K......p")
	for _, c := range []struct {
		name  string
		style style
		board game.Board
		want  string
	}{
		{"small", smallBoard, picture("1.", ".2"), "  a b\n0 B .\n1 . W\n"},
		{"stones", stoneBoard, picture("1.", ".2"), "   A B\n 0 B .\n 1 . W\n"},
		{"one stone", stoneBoard, picture("."), "   A\n 0 .\n"},
		{"pits", pitBoard, picture("1#", ".2"), "   A B\n 1 X # \n 2 . O \n"},
		{"frame", framedBoard, empty8, "" +
			"    A   B   C   D   E   F   G   H  \n" +
			"  ---------------------------------\n" +
			"1 |   |   |   |   |   |   |   |   | \n" +
			"  ---------------------------------\n" +
			"2 |   |   |   |   |   |   |   |   | \n" +
			"  ---------------------------------\n" +
			"3 |   |   |   |   |   |   |   |   | \n" +
			"  ---------------------------------\n" +
			"4 |   |   |   |   |   |   |   |   | \n" +
			"  ---------------------------------\n" +
			"5 |   |   |   |   |   |   |   |   | \n" +
			"  ---------------------------------\n" +
			"6 |   |   |   |   |   |   |   |   | \n" +
			"  ---------------------------------\n" +
			"7 |   |   |   |   |   |   |   |   | \n" +
			"  ---------------------------------\n" +
			"8 | K |   |   |   |   |   |   | p | \n" +
			"  ---------------------------------\n"},
	} {
		if got := c.style.draw(c.board); got != c.want {
			t.Errorf("%s: draw =\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// Labels of two digits, and the last column letter.
func TestDrawLargest(t *testing.T) {
	b := picture(strings.Split(strings.Repeat(strings.Repeat(".", 26)+" ", 26), " ")[:26]...)
	lines := strings.Split(pitBoard.draw(b), "\n")
	if want := "   A B C D E F G H I J K L M N O P Q R S T U V W X Y Z"; lines[0] != want {
		t.Errorf("header = %q, want %q", lines[0], want)
	}
	if want := "26" + strings.Repeat(" .", 26) + " "; lines[26] != want {
		t.Errorf("last row = %q, want %q", lines[26], want)
	}
}

func TestColumn(t *testing.T) {
	for letter, want := range map[byte]int{'A': 0, 'Z': 25, 'a': 0, 'z': 25, '[': 26, '`': 31, '@': -1, '#': -30, '{': 26, 0xff: 158} {
		if got := column(letter); got != want {
			t.Errorf("column(%q) = %d, want %d", letter, got, want)
		}
	}
}
