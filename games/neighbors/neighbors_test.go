package neighbors_test

import (
	"strings"
	"testing"

	"quintet/game"
	"quintet/games/neighbors"
	"quintet/lab/board8test"
)

func TestRules(t *testing.T) {
	board8test.Run(t, board8test.Rules{
		Game:   neighbors.Game,
		Valid:  validMove,
		Leaves: []uint64{44, 1896, 79860, 3330140}, // the beginning of game/perft/testdata/known.txt
		Ends:   ends,
		Plays:  plays,
	})
}

// validMove is the rule of section 2.2: as many steps in a straight line as the
// piece has neighbours.
func validMove(b *board8test.Cells, _ game.Side, from, to board8test.Cell) bool {
	k := -1 // the piece itself
	for i := range 9 {
		if b.Has(from.Step(i/3-1, i%3-1)) {
			k++
		}
	}
	_, _, length, ok := board8test.Line(from, to)
	return ok && length == k
}

// ends has a position for every way in which a game can stand.
var ends = []board8test.End{
	{Name: "goes on", Text: "B1B5/8/8/8/8/8/8/W1WW4 W", Moves: "c7b6 c7c6 c7d6 c7b7 d7c6 d7d6 d7e6 d7e7", Result: game.Ongoing},
	{Name: "Black has gathered", Text: "BB6/8/8/8/8/8/8/W1W5 W", Moves: "", Result: game.FirstWins},
	{Name: "White has gathered", Text: "B1B5/8/8/8/8/8/8/WW6 W", Moves: "", Result: game.SecondWins},
	{Name: "both have gathered", Text: "BB6/8/8/8/8/8/8/WW6 B", Moves: "", Result: game.Draw},
	{Name: "one piece left", Text: "B7/8/8/8/8/8/8/W1W5 W", Moves: "", Result: game.FirstWins},
	{Name: "one piece each", Text: "B7/8/8/8/8/8/8/W7 W", Moves: "", Result: game.Draw},
	{Name: "both isolated", Text: "B1B5/8/8/8/8/8/8/W1W5 W", Moves: "", Result: game.Draw},
	{Name: "isolated, the opponent is not", Text: "B1B5/8/8/8/8/8/8/W1WW4 B", Moves: "pass", Result: game.Ongoing},
	{Name: "not isolated, but stuck", Text: "8/8/2WWW3/2WBW3/8/8/8/W6B B", Moves: "pass", Result: game.Ongoing},
	{Name: "both stuck, not isolated", Text: strings.Repeat("WBWWWWBW/", 7) + "WBWWWWBW B", Moves: "", Result: game.Draw},
	{Name: "diagonal group", Text: "B7/1B6/2B5/8/8/8/8/W1W5 W", Moves: "", Result: game.FirstWins},
}

var plays = []board8test.Play{
	{
		Name: "the document's first move", Moves: "d0f2",
		Text: "1BBBWWW1/W6B/W6B/W6B/B6W/B6W/B6W/1WWWBBB1 B",
		Want: "1BB1WWW1/W6B/W4B1B/W6B/B6W/B6W/B6W/1WWWBBB1 W",
	},
	{
		Name: "a capture over a piece", Moves: "d0f0",
		Text: "1BBBWWW1/W6B/W6B/W6B/B6W/B6W/B6W/1WWWBBB1 B",
		Want: "1BB1WBW1/W6B/W6B/W6B/B6W/B6W/B6W/1WWWBBB1 W",
	},
	{
		Name: "suicide: the last but one white piece is taken", Moves: "a0b0",
		Text:    "BW6/8/B7/8/8/8/8/7W B",
		Want:    "1B6/8/B7/8/8/8/8/7W W",
		Outcome: game.Outcome{Result: game.SecondWins, Reason: game.ByRules},
	},
	{
		Name: "a capture gathers both", Moves: "f2d0",
		Text:    "3W4/2B5/5BW1/6W1/8/8/8/8 B",
		Want:    "3B4/2B5/6W1/6W1/8/8/8/8 W",
		Outcome: game.Outcome{Result: game.Draw, Reason: game.ByRules},
	},
	{
		Name: "a move gathers the mover's pieces", Moves: "a0b1",
		Text:    "BW6/8/2B5/8/8/8/8/7W B",
		Want:    "1W6/1B6/2B5/8/8/8/8/7W W",
		Outcome: game.Outcome{Result: game.FirstWins, Reason: game.ByRules},
	},
	{
		Name: "a pass", Moves: "pass c7b6",
		Text: "B1B5/8/8/8/8/8/8/W1WW4 B",
		Want: "B1B5/8/8/8/8/8/1W6/W2W4 B",
	},
	{
		Name: "three times the same", Moves: "d0d1 d7d6 d1d0 d6d7 d0d1 d7d6 d1d0 d6d7",
		Text:    "B1BB4/8/8/8/8/8/8/W1WW4 B",
		Want:    "B1BB4/8/8/8/8/8/8/W1WW4 B",
		Outcome: game.Outcome{Result: game.Draw, Reason: game.Repetition},
	},
}
