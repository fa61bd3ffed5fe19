package neighbors_test

import (
	"testing"

	"quintet/game"
	"quintet/game/board8"
	"quintet/games/neighbors"
)

// known is the beginning of perft/testdata/known.txt.
var known = []uint64{44, 1896, 79860, 3330140}

// course returns the position as the course's class has it.
func course(p *neighbors.Position) *neighbors.Course { return neighbors.NewCourseAt(p) }

// ends has a position for every way in which a game can stand.
var ends = []struct {
	name, text, moves string
	result            game.Result
	course            string
}{
	{"goes on", "B1B5/8/8/8/8/8/8/W1WW4 W", "c7b6 c7c6 c7d6 c7b7 d7c6 d7d6 d7e6 d7e7", game.Ongoing, "-"},
	{"Black has gathered", "BB6/8/8/8/8/8/8/W1W5 W", "", game.FirstWins, "B"},
	{"White has gathered", "B1B5/8/8/8/8/8/8/WW6 W", "", game.SecondWins, "W"},
	{"both have gathered", "BB6/8/8/8/8/8/8/WW6 B", "", game.Draw, "D"},
	{"one piece left", "B7/8/8/8/8/8/8/W1W5 W", "", game.FirstWins, "B"},
	{"one piece each", "B7/8/8/8/8/8/8/W7 W", "", game.Draw, "D"},
	{"both isolated", "B1B5/8/8/8/8/8/8/W1W5 W", "", game.Draw, "I"},
	{"isolated, the opponent is not", "B1B5/8/8/8/8/8/8/W1WW4 B", "pass", game.Ongoing, "-"},
	{"not isolated, but stuck", "8/8/2WWW3/2WBW3/8/8/8/W6B B", "pass", game.Ongoing, "-"},
	{"diagonal group", "B7/1B6/2B5/8/8/8/8/W1W5 W", "", game.FirstWins, "B"},
}

var plays = []struct {
	name, text, moves, want string
	outcome                 game.Outcome
}{
	{"the document's first move", "1BBBWWW1/W6B/W6B/W6B/B6W/B6W/B6W/1WWWBBB1 B", "d0f2",
		"1BB1WWW1/W6B/W4B1B/W6B/B6W/B6W/B6W/1WWWBBB1 W", game.Outcome{}},
	{"a capture over a piece", "1BBBWWW1/W6B/W6B/W6B/B6W/B6W/B6W/1WWWBBB1 B", "d0f0",
		"1BB1WBW1/W6B/W6B/W6B/B6W/B6W/B6W/1WWWBBB1 W", game.Outcome{}},
	{"suicide: the last but one white piece is taken", "BW6/8/B7/8/8/8/8/7W B", "a0b0",
		"1B6/8/B7/8/8/8/8/7W W", game.Outcome{Result: game.SecondWins, Reason: game.ByRules}},
	{"a capture gathers both", "BW6/8/2B5/8/8/8/8/7W B", "a0b1",
		"1W6/1B6/2B5/8/8/8/8/7W W", game.Outcome{Result: game.FirstWins, Reason: game.ByRules}},
	{"a pass", "B1B5/8/8/8/8/8/8/W1WW4 B", "pass c7b6",
		"B1B5/8/8/8/8/8/1W6/W2W4 B", game.Outcome{}},
	{"three times the same", "B1BB4/8/8/8/8/8/8/W1WW4 B",
		"d0d1 d7d6 d1d0 d6d7 d0d1 d7d6 d1d0 d6d7", "B1BB4/8/8/8/8/8/8/W1WW4 B",
		game.Outcome{Result: game.Draw, Reason: game.Repetition}},
}

var (
	valid   = []string{"d0 b2", "d0 d2", "d0 f2", "d0 f0"}
	invalid = []string{
		"d0 e1", "d0 e2", "d0 b0", "d0 h4", "d0 d0", "a0 b1", "a1 a2", "D0 f2", "d0 F2", "d0 f", "d0 f22",
		"d8 f2", "i0 f2", " ", "d0", "d00 f2", "\xff0 f2",
	}
)

func TestIsolated(t *testing.T) {
	c := neighbors.NewCourseAt(must(t, "B1B5/8/8/8/8/8/8/W1WW4 B"))
	if !c.Isolated('B') || c.Isolated('W') || !c.Isolated('x') {
		t.Errorf("isolated: B %t, W %t", c.Isolated('B'), c.Isolated('W'))
	}
	if got, want := c.Men('B'), board8.Bit(0)|board8.Bit(2); got != want {
		t.Errorf("B stands on %#x, want %#x", got, want)
	}
}
