package live

import (
	"fmt"

	"quintet/game"
)

// MovePause is for how many milliseconds pages show a move before they show an engine's
// reply to it. An engine replies within milliseconds, and its moves would hide the player's.
// The clock of the player does not run meanwhile. The pause follows from the times of the
// events alone, so that clients cannot lengthen it.
const MovePause = 500

// maxPause is the longest pause before a turn: an engine's turn has two moves at most
// in Connect6.
const maxPause = 2 * MovePause

// shownAt returns when pages show a move of a side that is made at a service time.
func (t *Table) shownAt(by game.Side, at int64) int64 {
	if t.players[by].Engine == "" || t.players[by.Other()].Engine != "" {
		return at
	}
	return max(at, min(t.shown+MovePause, at+maxPause))
}

// pauseAfter returns the pause after a move of a side that is made at a service time.
func (t *Table) pauseAfter(by game.Side, at int64) int64 {
	if !t.clock.running {
		return 0
	}
	return t.shownAt(by, at) - at
}

// pause adds the pause after a move to the free time of the turn.
func (t *Table) pause(e Event) error {
	if e.Pause < 0 || e.Pause > maxPause {
		return fmt.Errorf("a pause of %d ms: expected 0 to %d", e.Pause, maxPause)
	}
	t.clock.free += e.Pause
	return nil
}
