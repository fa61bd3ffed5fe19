package neighbors_test

import (
	"testing"

	"quintet/games/neighbors"
	"quintet/lab/gametest"
)

func TestConformance(t *testing.T) { gametest.Run(t, neighbors.Game) }

func FuzzRead(f *testing.F) { gametest.FuzzRead(f, neighbors.Game) }

func FuzzParse(f *testing.F) { gametest.FuzzParse(f, neighbors.Game) }
