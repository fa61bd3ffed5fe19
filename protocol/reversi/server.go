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

// Config configures the servers.
type Config struct {
	Game    game.Game       // Othello
	Start   game.Position   // for its size; the servers begin in the standard position
	Search  engine.Searcher // one search at a time
	Limit   engine.Limit    // of a move, unless the client sets one
	Version string          // of this program
}

// standardStart returns the standard start position of other programs: White on d4
// and e5 on a board of eight rows.
func standardStart(g game.Game, size int) (game.Position, error) {
	board := bytes.Repeat([]byte{ggf.Empty}, size*size)
	h := size / 2
	board[(h-1)*size+h-1], board[h*size+h] = ggf.White, ggf.White
	board[(h-1)*size+h], board[h*size+h-1] = ggf.Black, ggf.Black
	return ggf.Position(g, board, size, game.First)
}

// searchPosition returns the root of a search. Othello has no repetition.
func searchPosition(m *game.Match) engine.Position {
	return engine.Position{Position: m.Position()}
}

// lead returns how many discs a side has more than the other.
func lead(p game.Position, side game.Side) (n int) {
	for _, c := range p.Board().Cells {
		switch {
		case c.Kind != game.Stone:
		case c.Side == side:
			n++
		default:
			n--
		}
	}
	return n
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

// upper returns a move in upper case, with the given word for a pass.
func upper(p game.Position, m game.Move, pass string) string {
	if m == game.Pass || m == 0 {
		return pass
	}
	return strings.ToUpper(p.Format(m))
}
