// Package table implements a game in progress: its record, the players, the clocks,
// and all actions: move, take back, resign, halt, draw, pause. Its record can be
// saved at any time, and Resume restores a table from it.
//
// Start with [New] or [Resume]. A table is independent of screens and engines; time
// is an argument.
package table

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"quintet/game"
	"quintet/record"
)

// Person is the seat name of a human player.
const Person = "person"

// Table is a game being played or reviewed. It is not safe for concurrent use.
type Table struct {
	Record *record.Record
	Seats  [2]string // by side: Person or the name of an engine
	Clock  Clock
	Paused bool

	at    *record.Node // the position on the board
	match *game.Match  // at the position
}

// New returns a table with a new game.
func New(g game.Game, s game.Setup, seats [2]string, c Control) (*Table, error) {
	r, err := record.New(g, s)
	if err != nil {
		return nil, fmt.Errorf("setting up %s: %w", g.Name, err)
	}
	return Begin(r, seats, c)
}

// Begin returns a table with a game that begins where a record without moves does. The table keeps
// the record.
func Begin(r *record.Record, seats [2]string, c Control) (*Table, error) {
	t, err := Resume(r, seats, c)
	if err == nil {
		t.writeTags()
	}
	return t, err
}

// Resume returns a table that continues a recorded game where it was saved, including
// the clocks. It does not modify the record.
func Resume(r *record.Record, seats [2]string, c Control) (*Table, error) {
	t := &Table{Record: r, Seats: seats, Clock: newClock(c)}
	at := r.Last()
	if back, err := strconv.Atoi(r.Tag(backTag)); err == nil {
		for ; back > 0 && at.Parent != nil; back-- {
			at = at.Parent
		}
	}
	if err := t.Go(at); err != nil {
		return nil, err
	}
	return t, nil
}

// At returns the node of the current position.
func (t *Table) At() *record.Node { return t.at }

// Match returns the match up to the current position. Callers must not modify it.
func (t *Table) Match() *game.Match { return t.match }

// Game returns the game.
func (t *Table) Game() game.Game { return t.Record.Game }

// Position returns a copy of the current position.
func (t *Table) Position() game.Position { return t.match.Position() }

// Turn returns the side to move.
func (t *Table) Turn() game.Side { return t.match.Position().Turn() }

// Ply returns the number of moves up to the current position.
func (t *Table) Ply() int { return len(t.match.Moves()) }

// Go moves to a node of the record.
func (t *Table) Go(n *record.Node) error {
	m, err := t.Record.Match(n)
	if err != nil {
		return fmt.Errorf("going to a move: %w", err)
	}
	t.at, t.match = n, m
	t.setClocks(n)
	return nil
}

// setClocks stops the clocks at what they had at a node of a match.
func (t *Table) setClocks(n *record.Node) {
	t.Clock = newClock(t.Clock.Control)
	p := t.Record.Start.Clone()
	for _, n := range n.Path() {
		if n.Clock != nil {
			t.Clock.Left[p.Turn()] = *n.Clock
		}
		p.Play(n.Move)
	}
}

// Outcome returns the outcome at the current position: that of the record at its end,
// else that of the rules.
func (t *Table) Outcome() (game.Result, record.End) {
	if t.at == t.Record.Last() && t.Record.Result.Over() {
		return t.Record.Result, t.Record.End
	}
	o := t.match.Outcome()
	return o.Result, record.End(o.Reason)
}

// Over reports whether the game is over at the current position.
func (t *Table) Over() bool {
	result, _ := t.Outcome()
	return result.Over()
}

// ErrOver is the error of actions after the end of the game.
var ErrOver = errors.New("the game is over: take back a move, or start another game")

// Play plays a move. Its line becomes the main line.
func (t *Table) Play(mv game.Move, now time.Time) error {
	if t.Over() {
		return ErrOver
	}
	side := t.Turn()
	spent, clocked := t.Clock.press(side, now)
	n, err := t.Record.Play(t.at, mv)
	if err != nil {
		return fmt.Errorf("playing: %w", err)
	}
	n.Promote()
	if clocked {
		left := t.Clock.Left[side].Round(time.Millisecond)
		spent = spent.Round(time.Millisecond)
		n.Clock, n.Spent = &left, &spent
	}
	if err := t.match.Play(mv); err != nil {
		return fmt.Errorf("playing: %w", err)
	}
	t.at = n
	t.UpdateResult()
	t.Clock.Start(t.Turn(), now)
	if t.Over() {
		t.Clock.Stop(now)
	}
	t.writeTags()
	return nil
}

// UpdateResult sets the record's result from its main line.
func (t *Table) UpdateResult() {
	t.Record.Result, t.Record.End = game.Ongoing, record.NotOver
	if m, err := t.Record.Match(t.Record.Last()); err == nil {
		o := m.Outcome()
		t.Record.Result, t.Record.End = o.Result, record.End(o.Reason)
	}
}

// Branch adds a move as a variation and moves to it.
func (t *Table) Branch(mv game.Move) error {
	if len(t.match.Legal()) == 0 {
		return ErrOver
	}
	n, err := t.Record.Play(t.at, mv)
	if err != nil {
		return fmt.Errorf("trying a move: %w", err)
	}
	return t.Go(n)
}

// Back takes back moves until it is a person's turn, or one move if no person plays.
// It reports whether it changed anything.
func (t *Table) Back(now time.Time) bool {
	if result, end := t.Outcome(); result.Over() && end != record.ByRules && end != record.Repetition {
		t.UpdateResult() // undo a resignation, a halt or a loss on time
		t.resume(now)
		if t.Seats[t.Turn()] == Person {
			return true
		}
	}
	return t.walk(now, func() *record.Node { return t.at.Parent })
}

// Forward replays what the last Back took back.
func (t *Table) Forward(now time.Time) bool {
	return t.walk(now, func() *record.Node {
		if len(t.at.Next) == 0 {
			return nil
		}
		return t.at.Next[0]
	})
}

func (t *Table) walk(now time.Time, next func() *record.Node) bool {
	moved := false
	for n := next(); n != nil; n = next() {
		if t.Go(n) != nil {
			break
		}
		moved = true
		if t.Seats[t.Turn()] == Person || !slices.Contains(t.Seats[:], Person) {
			break
		}
	}
	if moved {
		t.resume(now)
	}
	return moved
}

// resume starts the clock of the side to move unless the game is over.
func (t *Table) resume(now time.Time) {
	t.Clock.Start(t.Turn(), now)
	if t.Over() || t.Paused {
		t.Clock.Stop(now)
	}
	t.writeTags()
}
