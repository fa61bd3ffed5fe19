package reversi

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"quintet/engine"
	"quintet/game"
	"quintet/record/ggf"
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
	board := bytes.Repeat([]byte{ggf.Empty}, size*size)
	h := size / 2
	board[(h-1)*size+h-1], board[h*size+h] = ggf.White, ggf.White
	board[(h-1)*size+h], board[h*size+h-1] = ggf.Black, ggf.Black
	return ggf.Position(g, board, size, game.First)
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
