package othello_test

import (
	"testing"

	"quintet/games/othello"
	"quintet/lab/gametest"
)

func TestConformance(t *testing.T) {
	gametest.Run(t, othello.Game,
		"start=standard", "size=10 pits=a1 start=standard",
		"size=4", "size=6", "size=10", "size=26",
		"pits=a1,a2,b1,b2,g5,g6,g7,f7",
		"size=4 pits=b1,c1,a2,d2,a3,d3,b4,c4",
		"size=12 pits=f5,a1,l12,c9")
}

func FuzzRead(f *testing.F) {
	gametest.FuzzRead(f, othello.Game, "size=4 pits=a1,d4", "size=10 pits=c3,g6")
}

func FuzzParse(f *testing.F) {
	gametest.FuzzParse(f, othello.Game, "size=4 pits=a1,d4", "size=10 pits=c3,g6")
}
