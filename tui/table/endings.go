package table

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"quintet/game"
	"quintet/record"
)

// Tags that store the state of the table in the record.
const (
	backTag  = "TakenBack"   // number of moves taken back at the end of the main line
	clockTag = "TimeControl" // in the syntax of ParseControl
)

// writeTags stores in the record what Resume needs.
func (t *Table) writeTags() {
	for s, name := range t.Seats {
		if name != Person || t.Record.Players[s] == "" {
			t.Record.Players[s] = name // keep a person's own name
		}
	}
	t.Record.SetTag(clockTag, "")
	if t.Clock.Control.On() {
		t.Record.SetTag(clockTag, t.Clock.Control.String())
	}
	back := 0
	for n := t.at; len(n.Next) > 0; n = n.Next[0] {
		back++
	}
	text := ""
	if back > 0 {
		text = strconv.Itoa(back)
	}
	t.Record.SetTag(backTag, text)
}

// ControlOf returns the time control stored in a record; none if it is missing or
// invalid.
func ControlOf(r *record.Record) Control {
	c, err := ParseControl(r.Tag(clockTag))
	if err != nil {
		return Control{}
	}
	return c
}

// Begin starts the clock of the side to move.
func (t *Table) Begin(now time.Time) { t.resume(now) }

// end ends the game at the current position and removes taken-back moves from the
// record.
func (t *Table) end(result game.Result, why record.End, now time.Time) error {
	if t.Over() {
		return ErrOver
	}
	for len(t.at.Next) > 0 {
		t.at.Next[0].Remove()
	}
	t.Clock.Stop(now)
	t.Record.Result, t.Record.End = result, why
	t.writeTags()
	return nil
}

// Resign ends the game as a loss for a side.
func (t *Table) Resign(s game.Side, now time.Time) error {
	return t.end(game.Win(s.Other()), record.Resigned, now)
}

// Agree ends the game as a draw by agreement.
func (t *Table) Agree(now time.Time) error { return t.end(game.Draw, record.Agreed, now) }

// Flag ends the game if a side has run out of time, and reports whether it did.
func (t *Table) Flag(now time.Time) bool {
	side, flagged := t.Clock.Flagged(now)
	return flagged && t.end(game.Win(side.Other()), record.OnTime, now) == nil
}

// HaltRule returns the halt rule of the game; game.HaltNone if the game has no halt.
func (t *Table) HaltRule() game.HaltRule {
	option, ok := t.Game().Option("halt")
	if _, stops := t.Position().(game.Stopper); !ok || !stops {
		return game.HaltNone
	}
	if rule, chosen := t.Record.Setup["halt"]; chosen {
		return game.HaltRule(rule)
	}
	return game.HaltRule(option.Default)
}

// Halt halts the game for a side; the pieces decide. Where both sides must agree,
// agreed is the other side's consent.
func (t *Table) Halt(s game.Side, agreed bool, now time.Time) error {
	switch rule := t.HaltRule(); {
	case rule == game.HaltNone:
		return fmt.Errorf("%w: %s cannot be halted", game.ErrHalt, t.Game().Title)
	case rule == game.HaltAgreed && !agreed:
		return fmt.Errorf("%w: both sides must agree", game.ErrHalt)
	case rule == game.HaltClaim && s != t.Turn():
		return fmt.Errorf("%w: only the side to move can", game.ErrHalt)
	}
	return t.end(game.StoppedResult(t.Position()), record.Halted, now)
}

// Sit assigns a seat to a person or an engine.
func (t *Table) Sit(s game.Side, name string) {
	t.Seats[s], t.Record.Players[s] = name, name
	t.writeTags()
}

// Swap swaps the players' sides.
func (t *Table) Swap() {
	t.Seats[0], t.Seats[1] = t.Seats[1], t.Seats[0]
	players := &t.Record.Players
	players[0], players[1] = players[1], players[0]
	t.writeTags()
}

// Pause pauses or resumes the game.
func (t *Table) Pause(now time.Time) {
	t.Paused = !t.Paused
	t.resume(now)
}

// Sides returns the sides that persons play.
func (t *Table) Sides() (sides []game.Side) {
	for _, s := range []game.Side{game.First, game.Second} {
		if t.Seats[s] == Person {
			sides = append(sides, s)
		}
	}
	return sides
}

// ErrNobody is the error of actions that need a person.
var ErrNobody = errors.New("no person plays: take over a side first")

// Asker returns the side that a person acts for: the side to move if a person plays
// it, else the other.
func (t *Table) Asker() (game.Side, error) {
	sides := t.Sides()
	switch {
	case len(sides) == 0:
		return 0, ErrNobody
	case len(sides) == 2:
		return t.Turn(), nil
	}
	return sides[0], nil
}
