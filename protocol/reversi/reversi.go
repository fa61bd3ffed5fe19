// Package reversi speaks the two protocols of Othello programs: GTP, the Go
// Text Protocol as such programs use it, and NBoard, that of the program of
// the same name. [ServeGTP] and [ServeNBoard] offer a search to others;
// [GTP] and [NBoard] are players that are other programs.
//
// GTP version 2 is Farnebäck's draft of 2002; what Othello programs make of it
// is taken from how GRhino and Edax behave. NBoard's protocol, version 2, is
// described by Welty with NTest (Protocol.htm).
//
// Neither knows pits, and all such programs begin with White on d4 and e5 where
// the course's Othello has Black there. The boards are mirror images: the
// players here mirror columns on the way out and in, and the servers begin as
// other programs do.
package reversi

import (
	"errors"
	"fmt"

	"quintet/game"
	"quintet/record/ggf"
)

// CheckGTP says why GTP cannot tell a position, if so: Othello programs know
// Othello, and no pits.
func CheckGTP(g game.Game, p game.Position) error {
	if g.Name != "othello" {
		return fmt.Errorf("%s: gtp and nboard are for Othello here, want ugi", g.Name)
	}
	for _, cell := range p.Board().Cells {
		if cell.Kind == game.Pit {
			return errors.New("pits: gtp and nboard cannot tell them, want ugi")
		}
	}
	return nil
}

// CheckNBoard says why NBoard cannot tell a position, if so: its moves have two
// characters.
func CheckNBoard(g game.Game, p game.Position) error {
	if err := CheckGTP(g, p); err != nil {
		return err
	}
	if rows := ggf.Size(p); rows > 8 {
		return fmt.Errorf("board of %d rows: nboard can only tell 4, 6 or 8, want gtp or ugi", rows)
	}
	return nil
}
