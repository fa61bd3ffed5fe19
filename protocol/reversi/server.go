package reversi

import (
	"strconv"
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
	return g.Start(game.Setup{"size": strconv.Itoa(size), "start": ggf.StandardStart})
}

// searchPosition returns the root of a search. Othello has no repetition.
func searchPosition(m *game.Match) engine.Position {
	return engine.Position{Position: m.Position()}
}

// upper returns a move in upper case, with the given word for a pass.
func upper(p game.Position, m game.Move, pass string) string {
	if m == game.Pass || m == 0 {
		return pass
	}
	return strings.ToUpper(p.Format(m))
}
