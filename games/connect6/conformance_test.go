package connect6_test

import (
	"testing"

	"quintet/games/connect6"
	"quintet/lab/gametest"
)

func TestConformance(t *testing.T) {
	gametest.Run(t, connect6.Game, "size=1", "size=2", "size=7", "size=26")
}

func FuzzRead(f *testing.F) { gametest.FuzzRead(f, connect6.Game, "size=1", "size=7") }

func FuzzParse(f *testing.F) { gametest.FuzzParse(f, connect6.Game, "size=1", "size=7") }
