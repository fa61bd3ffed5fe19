package chess_test

import (
	"testing"

	"quintet/games/chess"
	"quintet/lab/gametest"
)

func TestConformance(t *testing.T) { gametest.Run(t, chess.Game) }

func FuzzRead(f *testing.F) { gametest.FuzzRead(f, chess.Game) }

func FuzzParse(f *testing.F) { gametest.FuzzParse(f, chess.Game) }
