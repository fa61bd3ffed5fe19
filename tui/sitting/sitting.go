// Package sitting is a game being played at one board: a record, who sits on
// either side, clocks, taking back, and what ends a game beside its rules.
//
// Start with New, or with Resume for a game from a file. A Sitting shows nothing
// and starts nothing; the time is an argument. The package promises that its
// record can be saved after every call, and that Resume goes on from that.
package sitting

import (
	"fmt"
	"time"

	"quintet/game"
	"quintet/record"
)

// Person is the name of a player who sits at this terminal.
const Person = "person"

// Terms are how a game is played, beside its set-up.
type Terms struct {
	Seats    [2]string // the players of First and Second, by name
	Clock    Clock
	MoveTime time.Duration // of an engine in a game without clocks
}

// Sitting is a game being played. It is not safe for concurrent use.
type Sitting struct {
	Record *record.Record
	Terms  Terms

	at      *record.Node // the position on the board
	match   *game.Match  // at it
	offered [2]bool      // who wants to halt, or a draw, at this position

	paused bool
	began  time.Time     // of the turn, or of its part since a pause
	before time.Duration // what the turn took before the pause
}

// New begins a game.
func New(g game.Game, s game.Setup, t Terms, now time.Time) (*Sitting, error) {
	r, err := record.New(g, s)
	if err != nil {
		return nil, fmt.Errorf("setting up %s: %w", g.Name, err)
	}
	r.SetTag(dateTag, now.Format("2006.01.02"))
	return from(r, r.Root, t, now)
}

// Over goes on from a node of a record: what follows there stays as a line that
// can be stepped into.
func Over(r *record.Record, at *record.Node, t Terms, now time.Time) (*Sitting, error) {
	return from(r, at, t, now)
}

func from(r *record.Record, at *record.Node, t Terms, now time.Time) (*Sitting, error) {
	s := &Sitting{Record: r, Terms: t}
	if err := s.visit(at, now); err != nil {
		return nil, err
	}
	s.sign()
	return s, nil
}

// visit puts the position of a node on the board.
func (s *Sitting) visit(at *record.Node, now time.Time) error {
	m, err := s.Record.Match(at)
	if err != nil {
		return fmt.Errorf("going to a move: %w", err)
	}
	s.at, s.match, s.offered = at, m, [2]bool{}
	s.began, s.before = now, 0
	return nil
}

// Node returns where the game stands in its record.
func (s *Sitting) Node() *record.Node { return s.at }

// Match returns a match of the moves so far, for players to look at. It is a new
// one for each position: nothing changes it.
func (s *Sitting) Match() *game.Match { return s.match }

// Position returns a copy of the position on the board.
func (s *Sitting) Position() game.Position { return s.match.Position() }

// Turn returns the side to move.
func (s *Sitting) Turn() game.Side { return s.match.Position().Turn() }

// Ply returns the number of plies that were played.
func (s *Sitting) Ply() int { return len(s.match.Moves()) }

// Result returns how the game stands on the board, and why it ended.
func (s *Sitting) Result() (game.Result, record.End) {
	if o := s.match.Outcome(); o.Result.Over() {
		return o.Result, record.End(o.Reason)
	}
	if s.at == s.Record.Last() {
		return s.Record.Result, s.Record.End
	}
	return game.Ongoing, record.NotOver
}

// Running reports whether somebody is to move and no pause is made.
func (s *Sitting) Running() bool {
	r, _ := s.Result()
	return !r.Over() && !s.paused
}

// Legal returns the moves that may be played on the board.
func (s *Sitting) Legal() []game.Move {
	if r, _ := s.Result(); r.Over() {
		return nil
	}
	return s.match.Legal()
}

// Play plays a move for the side to move. If another one was played here before
// it was taken back, that stays in the record as a variation. The error wraps
// game.ErrOver or game.ErrIllegal.
func (s *Sitting) Play(mv game.Move, now time.Time) error {
	if r, _ := s.Result(); r.Over() {
		return fmt.Errorf("playing: %w", game.ErrOver)
	}
	side, spent := s.Turn(), s.spent(now)
	left := s.Left(side, now)
	known := len(s.at.Next)
	n, err := s.Record.Play(s.at, mv)
	if err != nil {
		return fmt.Errorf("playing: %w", err)
	}
	if fresh := len(s.at.Next) > known; fresh || n.Spent == nil {
		n.Spent = &spent
		if s.Terms.Clock.Base > 0 {
			left += s.Terms.Clock.Increment
			n.Clock = &left
		}
	}
	promote(n)
	if err := s.visit(n, now); err != nil {
		return err
	}
	return s.settle()
}

// promote makes the line through a node the main line.
func promote(n *record.Node) {
	for ; n.Parent != nil; n = n.Parent {
		n.Promote()
	}
}

// settle makes the record's result that of the end of its main line.
func (s *Sitting) settle() error {
	s.sign()
	m, err := s.Record.Match(s.Record.Last())
	if err != nil {
		return fmt.Errorf("replaying the game: %w", err)
	}
	o := m.Outcome()
	s.Record.Result, s.Record.End = o.Result, record.End(o.Reason)
	return nil
}

// Undo takes moves back until a side is to move that a person plays: one move,
// or one and the engine's answer. The moves stay in the record. It reports
// whether there was one.
func (s *Sitting) Undo(now time.Time) bool {
	if s.clearEnd() {
		s.began, s.before = now, 0
		return true
	}
	at := s.at.Parent
	for ; at != nil && at.Parent != nil && s.anyone() && !s.person(at); at = at.Parent {
	}
	if at == nil || s.visit(at, now) != nil {
		return false
	}
	if !s.person(at) { // the engine is to move there: it must not play what was taken back at once
		s.Pause(true, now)
	}
	s.sign()
	return true
}

// clearEnd takes back an ending that no move made, such as a resignation.
func (s *Sitting) clearEnd() bool {
	r, _ := s.Result()
	if !r.Over() || s.match.Outcome().Result.Over() {
		return false
	}
	s.Record.Result, s.Record.End = game.Ongoing, record.NotOver
	return true
}

// person reports whether a person is to move at a node.
func (s *Sitting) person(at *record.Node) bool {
	m, err := s.Record.Match(at)
	return err == nil && s.Terms.Seats[m.Position().Turn()] == Person
}

// anyone reports whether a person plays at all.
func (s *Sitting) anyone() bool { return s.Terms.Seats[0] == Person || s.Terms.Seats[1] == Person }

// Redo plays again what was taken back, as far as a person is to move.
func (s *Sitting) Redo(now time.Time) bool {
	if len(s.at.Next) == 0 {
		return false
	}
	at := s.at.Next[0]
	for ; len(at.Next) > 0 && s.anyone() && !s.person(at); at = at.Next[0] {
	}
	if s.visit(at, now) != nil {
		return false
	}
	s.Pause(false, now)
	s.sign()
	return true
}

// Swap lets the players change sides.
func (s *Sitting) Swap() {
	s.Terms.Seats[0], s.Terms.Seats[1] = s.Terms.Seats[1], s.Terms.Seats[0]
	s.sign()
}

// Seat gives a side to a player.
func (s *Sitting) Seat(side game.Side, name string) {
	s.Terms.Seats[side] = name
	s.sign()
}
