package loa_test

import (
	"quintet/game"
	"quintet/games/loa"
)

// known is the beginning of perft/testdata/known.txt.
var known = []uint64{36, 1244, 44952, 1563208}

// course returns the position as the course's class has it.
func course(p *loa.Position) *loa.Course { return loa.NewCourseAt(p) }

// ends has a position for every way in which a game can stand.
var ends = []struct {
	name, text, moves string
	result            game.Result
	course            string
}{
	{"goes on", "B6B/8/8/8/8/8/8/W6W B", "a0c0 a0a2 a0c2 h0f0 h0f2 h0h2", game.Ongoing, "-"},
	{"Black has gathered", "BB6/8/8/8/8/8/8/W1W5 W", "", game.FirstWins, "B"},
	{"White has gathered", "B1B5/8/8/8/8/8/8/WW6 W", "", game.SecondWins, "W"},
	{"both have gathered", "BB6/8/8/8/8/8/8/WW6 B", "", game.Draw, "D"},
	{"one piece left", "B7/8/8/8/8/8/8/W1W5 W", "", game.FirstWins, "B"},
	{"must pass", "BW6/WW6/8/8/8/8/6WW/6WB B", "pass", game.Ongoing, "-"},
	{"both stuck", "BBBBBBBB/WWWWWWWW/BBBBBBBB/WWWWWWWW/BBBBBBBB/WWWWWWWW/BBBBBBBB/WWWWWWWW B", "", game.Draw, "-"},
	{"one piece each", "B7/8/8/8/8/8/8/W7 W", "", game.Draw, "D"},
}

var plays = []struct {
	name, text, moves, want string
	outcome                 game.Outcome
}{
	{"the document's first move", "1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B", "a1a7",
		"1WWWWWW1/7B/B6B/B6B/B6B/B6B/B6B/BWWWWWW1 W", game.Outcome{}},
	{"a capture", "1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B", "a2c0",
		"1WBWWWW1/B6B/7B/B6B/B6B/B6B/B6B/1WWWWWW1 W", game.Outcome{}},
	{"suicide: the last but one white piece is taken", "B1W5/8/8/8/8/8/8/W6B B", "a0c0",
		"2B5/8/8/8/8/8/8/W6B W", game.Outcome{Result: game.SecondWins, Reason: game.ByRules}},
	{"a pass", "BW6/WW6/8/8/8/8/6WW/6WB B", "pass a1c1",
		"BW6/1WW5/8/8/8/8/6WW/6WB B", game.Outcome{}},
	{"three times the same", "B1B5/8/8/8/8/8/8/W1W5 B", "c0e0 c7e7 e0c0 e7c7 c0e0 c7e7 e0c0 e7c7",
		"B1B5/8/8/8/8/8/8/W1W5 B", game.Outcome{Result: game.Draw, Reason: game.Repetition}},
}

var (
	valid   = []string{"a1 c1", "a1 c3", "a1 a7"}
	invalid = []string{
		"a1 b1", "a1 d1", "a1 b2", "a1 a6", "a1 a1", "a0 b1", "b0 b2", "A1 c1", "a1 C1", "a1 c", "a1 c11",
		"a8 c1", "i1 c1", " ", "a1", "a01 c1", "\xff1 c1",
	}
)
