package live

import (
	"errors"
	"fmt"

	"quintet/game"
)

// TimeControl is a time control. The zero TimeControl is no clock.
type TimeControl struct {
	Main      int64 `json:"main,omitempty"`      // seconds for the game, 1 to 86,400
	Increment int64 `json:"increment,omitempty"` // seconds added after each turn, 0 to 3,600
	Delay     int64 `json:"delay,omitempty"`     // seconds of each turn that are free, 0 to 3,600
	Days      int64 `json:"days,omitempty"`      // days for each turn, 1 to 60; excludes all others
}

const day = 24 * 60 * 60

func (c TimeControl) none() bool { return c == TimeControl{} }

// Check returns an error if the control is invalid.
func (c TimeControl) Check() error {
	switch {
	case c.none():
		return nil
	case c.Days != 0 && (c.Main != 0 || c.Increment != 0 || c.Delay != 0):
		return errors.New("the clock has either days, or main time with an increment or a delay")
	case c.Days != 0:
		return within("days", c.Days, 1, 60)
	}
	return errors.Join(
		within("main", c.Main, 1, day),
		within("increment", c.Increment, 0, 3600),
		within("delay", c.Delay, 0, 3600),
	)
}

func within(name string, n, low, high int64) error {
	if n < low || n > high {
		return fmt.Errorf("the clock's %s must be %d to %d, not %d", name, low, high, n)
	}
	return nil
}

func (c TimeControl) start() clock {
	ms := c.Main * 1000
	if c.Days > 0 {
		ms = c.Days * day * 1000
	}
	return clock{control: c, left: [2]int64{ms, ms}, free: c.Delay * 1000}
}

// MaxLag is the maximum lag compensation of a move, in milliseconds.
const MaxLag = 200

// lagCredit returns the lag compensation for a move's network latency.
func lagCredit(lag int64) int64 { return min(max(lag, 0), MaxLag) }

// clock is the time of both sides, in milliseconds. Only events change it; in between,
// the time left is computed.
type clock struct {
	control TimeControl
	left    [2]int64
	free    int64   // left of the turn's delay
	since   int64   // service time up to which the turn is charged
	berserk [2]bool // sides without an increment and a delay
	running bool
}

// charge charges the side to move for the time since the last charge, less a credit: the lag
// compensation and the grace.
func (c *clock) charge(turn game.Side, now, credit int64) {
	if !c.running {
		return
	}
	spent := max(now-c.since-credit, 0)
	free := min(spent, c.free)
	c.free -= free
	c.left[turn] = max(c.left[turn]-(spent-free), 0)
	c.since = max(now, c.since)
}

// pass starts the turn of the other side and adds the increment. A turn during which
// the clock did not run earns none.
func (c *clock) pass(from game.Side) {
	if c.control.none() || !c.running {
		return
	}
	if !c.berserk[from] {
		c.left[from] += c.control.Increment * 1000
	}
	if c.control.Days > 0 {
		c.left[from] = c.control.Days * day * 1000
	}
	c.free = c.control.Delay * 1000
	if c.berserk[from.Other()] {
		c.free = 0
	}
}
