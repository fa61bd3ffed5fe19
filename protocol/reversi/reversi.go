// Package reversi implements the two protocols of Othello programs: GTP, the Go Text
// Protocol as such programs use it, and NBoard, the protocol of the program of that
// name. [ServeGTP] and [ServeNBoard] offer a search to other programs; [GTP] and
// [NBoard] are players backed by external programs.
//
// GTP version 2 is Farnebäck's draft of 2002; its use for Othello follows the
// behaviour of GRhino and Edax. Welty describes NBoard's protocol, version 2, with
// NTest (Protocol.htm).
//
// Neither supports pits. All other programs begin with White on d4 and e5, where the
// course's Othello has Black. The boards are mirror images: the players mirror
// columns in both directions, and the servers begin in the standard position.
package reversi

import (
	"errors"
	"fmt"

	"quintet/game"
	"quintet/record/ggf"
)

// CheckGTP returns an error if GTP cannot express a position: it supports only
// Othello without pits.
func CheckGTP(g game.Game, p game.Position) error {
	if g.Name != "othello" {
		return fmt.Errorf("%s: gtp and nboard are for Othello here: use ugi", g.Name)
	}
	for _, cell := range p.Board().Cells {
		if cell.Kind == game.Pit {
			return errors.New("pits: gtp and nboard cannot express them: use ugi")
		}
	}
	return nil
}

// CheckNBoard returns an error if NBoard cannot express a position: its moves have
// two characters.
func CheckNBoard(g game.Game, p game.Position) error {
	if err := CheckGTP(g, p); err != nil {
		return err
	}
	if rows := ggf.Size(p); rows > 8 {
		return fmt.Errorf("board of %d rows: nboard supports only 4, 6 or 8: use gtp or ugi", rows)
	}
	return nil
}
