package baregame_test

import (
	"testing"

	"quintet/lab/baregame"
	"quintet/lab/gametest"
)

func TestConformance(t *testing.T) { gametest.Run(t, baregame.Game) }
