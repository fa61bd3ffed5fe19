package loa_test

import (
	"testing"

	"quintet/game"
	"quintet/games/loa"
	"quintet/lab/board8test"
)

func TestRules(t *testing.T) {
	board8test.Run(t, board8test.Rules{
		Game:   loa.Game,
		Valid:  validMove,
		Leaves: []uint64{36, 1244, 44952, 1563208}, // the beginning of game/perft/testdata/known.txt
		Ends:   ends,
		Plays:  plays,
	})
}

// validMove is the rule of section 4.2: as many steps as there are pieces on
// the line, and not over an opponent's.
func validMove(b *board8test.Cells, s game.Side, from, to board8test.Cell) bool {
	down, right, length, ok := board8test.Line(from, to)
	if !ok {
		return false
	}
	pieces := 0
	for n := -7; n <= 7; n++ {
		if b.Has(from.Step(n*down, n*right)) {
			pieces++
		}
	}
	for n := 1; n < length; n++ {
		if b.Belongs(from.Step(n*down, n*right), s.Other()) {
			return false
		}
	}
	return pieces == length
}

// ends has a position for every way in which a game can stand.
var ends = []board8test.End{
	{Name: "goes on", Text: "B6B/8/8/8/8/8/8/W6W B", Moves: "a0c0 a0a2 a0c2 h0f0 h0f2 h0h2", Result: game.Ongoing},
	{Name: "Black has gathered", Text: "BB6/8/8/8/8/8/8/W1W5 W", Moves: "", Result: game.FirstWins},
	{Name: "White has gathered", Text: "B1B5/8/8/8/8/8/8/WW6 W", Moves: "", Result: game.SecondWins},
	{Name: "both have gathered", Text: "BB6/8/8/8/8/8/8/WW6 B", Moves: "", Result: game.Draw},
	{Name: "one piece left", Text: "B7/8/8/8/8/8/8/W1W5 W", Moves: "", Result: game.FirstWins},
	{Name: "must pass", Text: "BW6/WW6/8/8/8/8/6WW/6WB B", Moves: "pass", Result: game.Ongoing},
	{Name: "both stuck", Text: "BBBBBBBB/WWWWWWWW/BBBBBBBB/WWWWWWWW/BBBBBBBB/WWWWWWWW/BBBBBBBB/WWWWWWWW B", Moves: "", Result: game.Draw},
	{Name: "one piece each", Text: "B7/8/8/8/8/8/8/W7 W", Moves: "", Result: game.Draw},
}

var plays = []board8test.Play{
	{
		Name: "the document's first move", Moves: "a1a7",
		Text: "1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B",
		Want: "1WWWWWW1/7B/B6B/B6B/B6B/B6B/B6B/BWWWWWW1 W",
	},
	{
		Name: "a capture", Moves: "a2c0",
		Text: "1WWWWWW1/B6B/B6B/B6B/B6B/B6B/B6B/1WWWWWW1 B",
		Want: "1WBWWWW1/B6B/7B/B6B/B6B/B6B/B6B/1WWWWWW1 W",
	},
	{
		Name: "suicide: the last but one white piece is taken", Moves: "a0c0",
		Text:    "B1W5/8/8/8/8/8/8/W6B B",
		Want:    "2B5/8/8/8/8/8/8/W6B W",
		Outcome: game.Outcome{Result: game.SecondWins, Reason: game.ByRules},
	},
	{
		Name: "a capture gathers both", Moves: "f2d0",
		Text:    "3W4/2B5/5BWW/8/8/8/8/8 B",
		Want:    "3B4/2B5/6WW/8/8/8/8/8 W",
		Outcome: game.Outcome{Result: game.Draw, Reason: game.ByRules},
	},
	{
		Name: "a pass", Moves: "pass a1c1",
		Text: "BW6/WW6/8/8/8/8/6WW/6WB B",
		Want: "BW6/1WW5/8/8/8/8/6WW/6WB B",
	},
	{
		Name: "three times the same", Moves: "c0e0 c7e7 e0c0 e7c7 c0e0 c7e7 e0c0 e7c7",
		Text:    "B1B5/8/8/8/8/8/8/W1W5 B",
		Want:    "B1B5/8/8/8/8/8/8/W1W5 B",
		Outcome: game.Outcome{Result: game.Draw, Reason: game.Repetition},
	},
}
