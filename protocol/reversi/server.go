package reversi

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"quintet/engine"
	"quintet/game"
)

// Config is what the servers offer.
type Config struct {
	Game    game.Game       // Othello
	Start   game.Position   // for its size; the servers begin as other programs do
	Search  engine.Searcher // one search at a time
	Limit   engine.Limit    // of a move for which the client sets none
	Version string          // of this program
}

// standardStart returns the position in which all programs but ours begin:
// White on d4 and e5 of eight rows.
func standardStart(g game.Game, size int) (game.Position, error) {
	board := bytes.Repeat([]byte{empty}, size*size)
	h := size / 2
	board[(h-1)*size+h-1], board[h*size+h] = white, white
	board[(h-1)*size+h], board[h*size+h-1] = black, black
	return readCells(g, board, size, game.First)
}

// readCells makes a position of discs in the letters of its text.
func readCells(g game.Game, cells []byte, size int, turn game.Side) (game.Position, error) {
	text := game.FormatRows(size, size, func(c game.Cell) byte {
		if cells[c] == empty {
			return game.Blank
		}
		return cells[c]
	})
	p, err := g.Read(text + " " + string("XO"[turn]))
	if err != nil {
		return nil, fmt.Errorf("reading a board: %w", err)
	}
	return p, nil
}

// searchPosition returns what a search starts from. Othello has no repetition.
func searchPosition(m *game.Match) engine.Position {
	return engine.Position{Position: m.Position()}
}

// output writes lines and keeps the first error.
type output struct {
	out io.Writer
	err error
}

func (o *output) say(format string, args ...any) {
	if o.err == nil {
		_, o.err = fmt.Fprintf(o.out, format, args...)
	}
}

// upper returns the notation of a move in the two protocols' capital letters,
// with a word for a pass.
func upper(p game.Position, m game.Move, pass string) string {
	if m == game.Pass || m == 0 {
		return pass
	}
	return strings.ToUpper(p.Format(m))
}

// seconds reads a time of at most some weeks, whole or with a fraction.
func seconds(text string) (time.Duration, bool) {
	var s float64
	if _, err := fmt.Sscan(text, &s); err != nil || !(s >= 0 && s < 1e7) {
		return 0, false
	}
	return time.Duration(s * float64(time.Second)), true
}
