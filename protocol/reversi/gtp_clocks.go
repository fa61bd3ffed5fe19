package reversi

import (
	"context"
	"errors"
	"strconv"
	"time"

	"quintet/engine"
	"quintet/game"
	"quintet/record/ggf"
)

// gtpClocks implements GTP time control: main time, then periods with a number of
// moves each (Canadian overtime).
type gtpClocks struct {
	set          bool
	main, period time.Duration
	stones       int // moves per period; 0 if there are no periods
	sides        [2]gtpClock
}

// gtpClock is the clock of one side.
type gtpClock struct {
	left   time.Duration
	stones int // moves to make in the rest of the period; 0 during main time
}

// restart resets the clocks.
func (c *gtpClocks) restart() {
	c.sides = [2]gtpClock{{left: c.main}, {left: c.main}}
}

// limit returns the limit of a move, or other if no time was set.
func (c *gtpClocks) limit(s game.Side, other engine.Limit) engine.Limit {
	side := c.sides[s]
	switch {
	case !c.set:
		return other
	case side.stones > 0:
		return engine.Limit{Time: withReserve(side.left / time.Duration(side.stones))}
	case side.left > 0 || c.stones == 0:
		return engine.Limit{Clock: engine.Clock{Left: max(side.left, time.Millisecond)}}
	}
	return engine.Limit{Time: withReserve(c.period / time.Duration(c.stones))}
}

// withReserve subtracts a reserve for overhead outside the search.
func withReserve(t time.Duration) time.Duration {
	return max(t-max(t/20, 15*time.Millisecond), t/2, time.Millisecond)
}

// spend subtracts the time of a move, until the controller sends time_left.
func (c *gtpClocks) spend(s game.Side, t time.Duration) {
	side := &c.sides[s]
	side.left -= t
	switch {
	case side.stones > 1:
		side.stones--
	case side.stones == 1, side.left <= 0 && c.stones > 0:
		*side = gtpClock{left: c.period, stones: c.stones}
	}
}

func (g *gtpServer) timeSettings(_ context.Context, args []string) (string, error) {
	main, ok1 := ggf.Seconds(args[0])
	period, ok2 := ggf.Seconds(args[1])
	stones, err := strconv.Atoi(args[2])
	if !ok1 || !ok2 || err != nil || stones < 0 {
		return "", errors.New("syntax error: expected seconds for the game, seconds of a period and moves in it")
	}
	// In GTP a period for zero moves means no time limit.
	g.clocks = gtpClocks{set: stones > 0 || period == 0 && main > 0, main: main, period: period, stones: stones}
	g.clocks.restart()
	return "", nil
}

func (g *gtpServer) timeLeft(_ context.Context, args []string) (string, error) {
	side, err := gtpColour(args[0])
	if err != nil {
		return "", err
	}
	left, ok := ggf.Seconds(args[1])
	stones, err := strconv.Atoi(args[2])
	if !ok || err != nil || stones < 0 {
		return "", errors.New("syntax error: expected a color, seconds and moves to be made in them")
	}
	g.clocks.set = true
	g.clocks.sides[side] = gtpClock{left: left, stones: stones}
	return "", nil
}
