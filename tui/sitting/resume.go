package sitting

import (
	"fmt"
	"strconv"
	"time"

	"quintet/record"
)

// The tags in which a record keeps the terms of its game.
const (
	dateTag  = "Date"
	clockTag = "TimeControl" // Clock.String
	moveTag  = "MoveTime"
	plyTag   = "Ply" // where the game stands, if moves were taken back
)

// sign writes into the record what Resume wants to know.
func (s *Sitting) sign() {
	s.Record.Players = s.Terms.Seats
	s.Record.SetTag(clockTag, "")
	if s.Terms.Clock.Base > 0 {
		s.Record.SetTag(clockTag, s.Terms.Clock.String())
	}
	s.Record.SetTag(moveTag, "")
	if s.Terms.MoveTime > 0 {
		s.Record.SetTag(moveTag, s.Terms.MoveTime.String())
	}
	s.Record.SetTag(plyTag, "")
	if s.match != nil && s.at != s.Record.Last() {
		s.Record.SetTag(plyTag, strconv.Itoa(s.Ply()))
	}
}

// Resume goes on with a game from a file where it was left. Players that a
// record does not name, or names as people, are persons. It is paused if it has
// clocks, so that nobody loses time by opening it.
func Resume(r *record.Record, known func(player string) bool, now time.Time) (*Sitting, error) {
	t := Terms{Seats: r.Players}
	for i, name := range t.Seats {
		if name == "" || !known(name) {
			t.Seats[i] = Person
		}
	}
	if c, err := ParseClock(r.Tag(clockTag)); err == nil {
		t.Clock = c
	}
	if d, err := time.ParseDuration(r.Tag(moveTag)); err == nil && d > 0 {
		t.MoveTime = d
	}
	at := r.Last()
	if n, err := strconv.Atoi(r.Tag(plyTag)); err == nil && n >= 0 && n <= len(r.Main()) {
		for at = r.Root; n > 0; n-- {
			at = at.Next[0]
		}
	}
	s, err := from(r, at, t, now)
	if err != nil {
		return nil, fmt.Errorf("continuing a game: %w", err)
	}
	if t.Clock.Base > 0 {
		s.Pause(true, now)
	}
	return s, nil
}
