package randomboard_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"quintet/games/othello"
	"quintet/lab/randomboard"
)

// TestSetup checks that games start with the number of pits asked for, or as many as fit.
func TestSetup(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, test := range []struct{ size, pits, want int }{{4, 0, 0}, {4, 3, 3}, {4, 100, 8}, {8, 20, 20}, {26, 40, 40}} {
		p, err := othello.Game.Start(randomboard.Setup(test.size, test.pits, r))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(p.String(), "#"); got != test.want {
			t.Errorf("%d pits on %d rows: %d, want %d", test.pits, test.size, got, test.want)
		}
	}
}
