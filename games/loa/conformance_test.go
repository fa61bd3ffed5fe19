package loa_test

import (
	"testing"

	"quintet/games/loa"
	"quintet/lab/gametest"
)

func TestConformance(t *testing.T) { gametest.Run(t, loa.Game) }

func FuzzRead(f *testing.F) { gametest.FuzzRead(f, loa.Game) }

func FuzzParse(f *testing.F) { gametest.FuzzParse(f, loa.Game) }
