// Package randomboard makes set-ups of Othello with random pits.
package randomboard

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"quintet/game"
)

// Setup returns the set-up of a board of a size with a number of pits on random cells; on
// fewer if more do not fit. The four cells in the middle are no pits.
func Setup(size, pits int, r *rand.Rand) game.Setup {
	coords := game.Coords{Rows: size, Cols: size, Base: 1}
	var names []string
	for _, cell := range r.Perm(size * size) {
		row, col := cell/size, cell%size
		middle := (row == size/2 || row == size/2-1) && (col == size/2 || col == size/2-1)
		if len(names) < min(pits, size*size/2) && !middle {
			names = append(names, coords.Name(game.Cell(cell)))
		}
	}
	s := game.Setup{"size": strconv.Itoa(size)}
	if len(names) > 0 {
		s["pits"] = strings.Join(names, ",")
	}
	return s
}
