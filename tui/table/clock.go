package table

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"quintet/game"
)

// Control is a time control; the zero Control means no clocks.
type Control struct {
	Base      time.Duration // for the game
	Increment time.Duration // added after every move
}

// On reports whether the game has clocks.
func (c Control) On() bool { return c.Base > 0 }

// String returns minutes and seconds, "5+3", or "none".
func (c Control) String() string {
	if !c.On() {
		return "none"
	}
	return strconv.FormatFloat(c.Base.Minutes(), 'f', -1, 64) + "+" + strconv.FormatFloat(c.Increment.Seconds(), 'f', -1, 64)
}

// ParseControl parses the output of String.
func ParseControl(text string) (Control, error) {
	if text == "" || strings.EqualFold(text, "none") {
		return Control{}, nil
	}
	base, inc, _ := strings.Cut(text, "+")
	minutes, err := strconv.ParseFloat(base, 64)
	seconds, err2 := strconv.ParseFloat("0"+inc, 64)
	if err != nil || err2 != nil || !(minutes > 0 && minutes <= 1440) || !(seconds >= 0 && seconds <= 3600) {
		return Control{}, fmt.Errorf("clock %q: give none, or minutes and seconds for each move such as 5+3", text)
	}
	return Control{time.Duration(minutes * float64(time.Minute)), time.Duration(seconds * float64(time.Second))}, nil
}

// Clock is the clocks of both sides.
type Clock struct {
	Control Control
	Left    [2]time.Duration

	side    game.Side // the side whose clock runs
	running bool
	since   time.Time
}

func newClock(c Control) Clock {
	return Clock{Control: c, Left: [2]time.Duration{c.Base, c.Base}}
}

// Start starts the clock of a side and stops the other.
func (c *Clock) Start(s game.Side, now time.Time) {
	c.Stop(now)
	c.side, c.running, c.since = s, c.Control.On(), now
}

// Stop stops the running clock.
func (c *Clock) Stop(now time.Time) {
	if c.running {
		c.Left[c.side] = c.Remaining(c.side, now)
	}
	c.running = false
}

// Running reports whether a clock is running.
func (c *Clock) Running() bool { return c.running }

// Remaining returns the time left of a side, at least 0.
func (c *Clock) Remaining(s game.Side, now time.Time) time.Duration {
	left := c.Left[s]
	if c.running && c.side == s {
		left -= now.Sub(c.since)
	}
	return max(left, 0)
}

// Flagged returns the side that has run out of time.
func (c *Clock) Flagged(now time.Time) (game.Side, bool) {
	return c.side, c.running && c.Remaining(c.side, now) <= 0
}

// press ends a move: it returns the time of the move and adds the increment. ok is
// false without clocks.
func (c *Clock) press(s game.Side, now time.Time) (spent time.Duration, ok bool) {
	if c.running && c.side == s {
		spent = now.Sub(c.since)
	}
	c.Stop(now)
	if c.Control.On() {
		c.Left[s] += c.Control.Increment
	}
	return spent, c.Control.On()
}
