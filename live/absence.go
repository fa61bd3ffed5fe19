package live

import (
	"fmt"

	"quintet/game"
)

// A player whose opponent has gone away may end the game on the opponent's turn: claim the
// win, or call the game off. The absence is measured in service time, so that outages do not
// count.

// ownMoves is how many moves of a side a game is estimated to have, to compare clocks with
// increments to those without.
const ownMoves = 40

// absenceLimits are the absences that a clock allows, by the estimated time of each side.
// Games of days a turn have none: their clock ends them.
var absenceLimits = [...]struct{ below, limit int64 }{ // seconds
	{3 * 60, 30},
	{10 * 60, 60},
	{30 * 60, 2 * 60},
}

const (
	longAbsence = 5 * 60 // seconds that slower clocks allow

	// unbegunLimit is the absence, in milliseconds, after which a game without a clock and
	// with fewer than two moves may be called off.
	unbegunLimit = 10 * 60 * 1000

	// UntimedTurn is the length of a turn, in milliseconds, after which the other side may
	// end a game without a clock. Presence does not matter.
	UntimedTurn = 7 * day * 1000
)

// AbsenceLimit returns for how many milliseconds of service time a player may be away until
// the opponent may claim the win. ok is false if presence does not matter: without a clock,
// and with days for each turn.
func (c TimeControl) AbsenceLimit() (limit int64, ok bool) {
	if c.none() || c.Days > 0 {
		return 0, false
	}
	estimate := c.Main + ownMoves*(c.Increment+c.Delay)
	for _, a := range absenceLimits {
		if estimate < a.below {
			return a.limit * 1000, true
		}
	}
	return longAbsence * 1000, true
}

// Claimable returns in how many milliseconds the opponent of a side may claim the win and
// call the game off, if it is the side's turn by then and nothing else happens; -1 for
// never. The side has been away for away milliseconds, 0 if it is here.
func (t *Table) Claimable(s game.Side, away, now int64) (win, off int64) {
	clock := t.settings.Clock
	limit, timed := clock.AbsenceLimit()
	switch {
	case t.State() != Live || t.players[s].Engine != "" || clock.Days > 0:
		return -1, -1
	case timed && (t.settings.Rated || t.settings.Tournament != "") && t.Ply() >= 2:
		return max(limit-away, 0), -1 // leaving such a game loses it
	case timed:
		win = max(limit-away, 0)
		return win, win
	}
	win = max(UntimedTurn-(now-t.turned), 0)
	if t.Turn() != s {
		win = UntimedTurn
	}
	if t.Ply() < len(t.settings.Moves)+2 {
		return win, min(win, max(unbegunLimit-away, 0))
	}
	return win, win
}

// decideAbsence decides ClaimWin and CallOff.
func (t *Table) decideAbsence(c Command, e *Event) error {
	other := c.Side.Other()
	switch {
	case !t.seated():
		return t.refuseAs(CodeNothing, "away.nobody", "you have no opponent yet: wait for one, or cancel the game (resign)")
	case t.players[other].Engine != "":
		return t.refuseAs(CodeNothing, "away.engine", "engines do not go away: play a move or resign")
	case t.Turn() != other:
		return t.refuseAs(CodeTurn, "away.turn", "it is your turn: move first")
	}
	wait, off := t.Claimable(other, c.Away, e.At)
	if e.Kind = Abandoned; c.Do == CallOff {
		e.Kind, wait = CalledOff, off
	}
	switch {
	case wait < 0 && t.settings.Clock.Days == 0:
		return t.refuseAs(CodeNothing, "away.rated", "this game is rated and has begun: claim the win instead")
	case wait < 0:
		return t.refuseAs(CodeNothing, "away.days", "the clock gives days for each turn and ends the game after them: please wait")
	case wait > 0 && c.Away == 0 && t.settings.Clock != (TimeControl{}):
		return t.refuseAs(CodeNothing, "away.here", "the %s side is here: wait for its move", other)
	case wait > 0:
		return t.refuseAs(CodeNothing, "away.early", "it is too early: wait another %s", span(wait))
	}
	return nil
}

// MissesAt returns the service time from which the side to move has missed a game of a tournament: it is a person who
// has not made a move yet. ok is false if it cannot miss the game.
func (t *Table) MissesAt() (at int64, ok bool) {
	turn := t.Turn()
	limit, timed := t.settings.Clock.AbsenceLimit()
	if t.settings.Tournament == "" || t.State() != Live || !timed || t.players[turn].Engine != "" || t.lastPlyOf(turn) >= 0 {
		return 0, false
	}
	return t.turned + limit, true
}

// decideMiss calls off a game that the side to move has missed.
func (t *Table) decideMiss(e *Event) error {
	if at, ok := t.MissesAt(); !ok || e.At < at {
		return t.refuse(CodeInvalid, "the %s side may still come", t.Turn())
	}
	other := t.Turn().Other()
	e.Kind, e.Side = CalledOff, (*Seat)(&other)
	return nil
}

// Missed returns the side that missed the game: it was to move at the end, and had never moved.
func (t *Table) Missed() (s game.Side, ok bool) {
	switch t.ending.Reason {
	case ReasonAborted, ReasonTime, ReasonAbandonment:
		s = t.Turn()
		return s, t.lastPlyOf(s) < 0
	}
	return 0, false
}

// span writes milliseconds for people, rounded up.
func span(ms int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{day * 1000, "days"}, {60 * 60 * 1000, "hours"}, {60 * 1000, "minutes"}} {
		if ms > 2*u.size {
			return fmt.Sprintf("%d %s", (ms+u.size-1)/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d seconds", (ms+999)/1000)
}
