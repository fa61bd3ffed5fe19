package live

import (
	"errors"
	"fmt"

	"quintet/game"
)

// Control is how much time the sides have. The zero Control is no clock.
type Control struct {
	Main      int64 `json:"main,omitempty"`      // seconds for the game, 1 to 86,400
	Increment int64 `json:"increment,omitempty"` // seconds added after each turn, 0 to 3,600
	Delay     int64 `json:"delay,omitempty"`     // seconds of each turn that cost nothing, 0 to 3,600
	Days      int64 `json:"days,omitempty"`      // in place of all others: days for each turn, 1 to 60
}

const day = 24 * 60 * 60

func (c Control) none() bool { return c == Control{} }

// Check returns an error that says what would be right, if there is no such
// control.
func (c Control) Check() error {
	switch {
	case c.none():
		return nil
	case c.Days != 0 && (c.Main != 0 || c.Increment != 0 || c.Delay != 0):
		return errors.New("a clock with days and something else: want days alone, or main with increment or delay")
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
		return fmt.Errorf("clock, %s %d: want %d to %d", name, n, low, high)
	}
	return nil
}

func (c Control) start() clock {
	ms := c.Main * 1000
	if c.Days > 0 {
		ms = c.Days * day * 1000
	}
	return clock{control: c, left: [2]int64{ms, ms}, spare: c.Delay * 1000}
}

// MaxLag is the most that a move is credited for the way it took, in
// milliseconds.
const MaxLag = 200

// credit is how much of a way costs nothing.
func credit(lag int64) int64 { return min(max(lag, 0), MaxLag) }

// clock is the time of both sides, in milliseconds. It changes only when events
// do: between them, what is left is worked out.
type clock struct {
	control Control
	left    [2]int64
	spare   int64 // of the turn's delay
	since   int64 // the service time up to which the turn is paid
	running bool
}

// charge lets the side to move pay for the time since it last did, but for lag
// milliseconds of it.
func (c *clock) charge(turn game.Side, now, lag int64) {
	if !c.running {
		return
	}
	spent := max(now-c.since-credit(lag), 0)
	free := min(spent, c.spare)
	c.spare -= free
	c.left[turn] = max(c.left[turn]-(spent-free), 0)
	c.since = max(now, c.since)
}

// pass begins the turn of the other side. While the clock does not run, a turn costs
// nothing, and brings nothing.
func (c *clock) pass(from game.Side) {
	if c.control.none() || !c.running {
		return
	}
	c.left[from] += c.control.Increment * 1000
	if c.control.Days > 0 {
		c.left[from] = c.control.Days * day * 1000
	}
	c.spare = c.control.Delay * 1000
}

// heed takes over that a side was given the increment for a turn that cost nothing, if
// the event of its move says so: the rule was so once, and games go on by what
// their logs say.
func (c *clock) heed(from game.Side, says *[2]int64) {
	given := c.left
	given[from] += c.control.Increment * 1000
	if !c.running && says != nil && *says == given {
		c.left = given
	}
}
