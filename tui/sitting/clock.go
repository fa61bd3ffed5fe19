package sitting

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"quintet/game"
	"quintet/record"
)

// Clock is the time that each side has for a game, and what every move adds.
// There are no clocks if Base is 0.
type Clock struct{ Base, Increment time.Duration }

// String returns minutes and seconds, "5+3", or "none".
func (c Clock) String() string {
	if c.Base == 0 {
		return "none"
	}
	return fmt.Sprintf("%g+%g", c.Base.Minutes(), c.Increment.Seconds())
}

// ParseClock reads minutes for a game and seconds that each move adds: "5+3",
// "10", or "none".
func ParseClock(text string) (Clock, error) {
	if text == "" || text == "none" {
		return Clock{}, nil
	}
	base, inc, both := strings.Cut(text, "+")
	if !both {
		inc = "0"
	}
	b, err1 := time.ParseDuration(base + "m")
	i, err2 := time.ParseDuration(inc + "s")
	c := Clock{b, i}
	if errors.Join(err1, err2) != nil || b <= 0 || i < 0 || b > 24*time.Hour || i > time.Hour {
		return Clock{}, fmt.Errorf("clock %q: want minutes and seconds a move, such as 5+3, or none", text)
	}
	return c, nil
}

// spent returns what the turn has taken so far.
func (s *Sitting) spent(now time.Time) time.Duration {
	if s.paused {
		return s.before
	}
	return s.before + max(now.Sub(s.began), 0)
}

// Left returns the time that a side has left; 0 if there are no clocks.
func (s *Sitting) Left(side game.Side, now time.Time) time.Duration {
	if s.Terms.Clock.Base == 0 {
		return 0
	}
	left := s.Terms.Clock.Base
	for n, moved := range s.movers() {
		if moved == side && n.Clock != nil {
			left = *n.Clock
			break
		}
	}
	if r, _ := s.Result(); !r.Over() && s.Turn() == side {
		left -= s.spent(now)
	}
	return max(left, 0)
}

// movers goes through the moves so far, the last first, and says who played each.
func (s *Sitting) movers() func(yield func(*record.Node, game.Side) bool) {
	return func(yield func(*record.Node, game.Side) bool) {
		path := s.at.Path()
		p := s.Record.Start.Clone()
		sides := make([]game.Side, len(path))
		for i, n := range path {
			sides[i] = p.Turn()
			p.Play(n.Move)
		}
		for i := len(path) - 1; i >= 0; i-- {
			if !yield(path[i], sides[i]) {
				return
			}
		}
	}
}

// LastTurn returns the moves of the turn that was played last: two where a turn
// is two stones.
func (s *Sitting) LastTurn() (moves []game.Move) {
	var who game.Side
	for n, side := range s.movers() {
		if len(moves) > 0 && side != who {
			break
		}
		who = side
		moves = append(moves, n.Move)
	}
	return moves
}

// Pause stops the clocks, or lets them run again.
func (s *Sitting) Pause(on bool, now time.Time) {
	if on && !s.paused {
		s.before = s.spent(now)
	}
	s.paused, s.began = on, now
}

// Paused reports whether the clocks are stopped.
func (s *Sitting) Paused() bool { return s.paused }

// Flag ends the game if the side to move has no time left, and reports whether
// it did.
func (s *Sitting) Flag(now time.Time) bool {
	side := s.Turn()
	if s.Terms.Clock.Base == 0 || !s.Running() || s.Left(side, now) > 0 {
		return false
	}
	s.end(game.Win(side.Other()), record.OnTime)
	return true
}
