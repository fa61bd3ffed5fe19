package sitting

import (
	"fmt"

	"quintet/game"
	"quintet/record"
)

// end ends the game where it stands. What was taken back before is no part of a
// game that ended here, so it goes.
func (s *Sitting) end(r game.Result, why record.End) {
	s.at.Next = nil
	promote(s.at)
	s.Record.Result, s.Record.End = r, why
	s.sign()
}

// Resign ends the game as a loss for a side. The error wraps game.ErrOver.
func (s *Sitting) Resign(side game.Side) error {
	if r, _ := s.Result(); r.Over() {
		return fmt.Errorf("resigning: %w", game.ErrOver)
	}
	s.end(game.Win(side.Other()), record.Resigned)
	return nil
}

// Forfeit ends the game as a loss for a side that can no longer play.
func (s *Sitting) Forfeit(side game.Side) { s.end(game.Win(side.Other()), record.Forfeit) }

// HaltRule returns who may halt the game: "" where it cannot be halted.
func (s *Sitting) HaltRule() game.HaltRule {
	o, ok := s.Record.Game.Option("halt")
	if !ok {
		return ""
	}
	if v := s.Record.Setup["halt"]; v != "" {
		return game.HaltRule(v)
	}
	return game.HaltRule(o.Default)
}

// Halt claims the end of the game for a side, or offers it, as the rule of the
// game says, and reports whether the game is over. The error wraps game.ErrOver
// or game.ErrHalt.
func (s *Sitting) Halt(side game.Side) (over bool, err error) {
	if r, _ := s.Result(); r.Over() {
		return true, fmt.Errorf("halting: %w", game.ErrOver)
	}
	over, err = s.match.Halt(side, s.HaltRule())
	if err != nil {
		return false, fmt.Errorf("halting: %w", err)
	}
	if over {
		s.end(s.match.Outcome().Result, record.Halted)
	}
	return over, nil
}

// Draw offers a draw for a side, and reports whether both want it now.
func (s *Sitting) Draw(side game.Side) (agreed bool, err error) {
	if r, _ := s.Result(); r.Over() {
		return false, fmt.Errorf("offering a draw: %w", game.ErrOver)
	}
	s.offered[side] = true
	if s.offered[side.Other()] {
		s.end(game.Draw, record.Agreed)
		return true, nil
	}
	return false, nil
}

// Decline takes the offer of a draw off the table.
func (s *Sitting) Decline() { s.offered = [2]bool{} }

// Offered reports whether a side has offered a draw that was not answered.
func (s *Sitting) Offered(side game.Side) bool { return s.offered[side] }
