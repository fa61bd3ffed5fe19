package network_test

import (
	"math"
	"testing"

	"quintet/lab/train/network"
)

func TestExpected(t *testing.T) {
	for _, test := range []struct{ score, want float64 }{{0, 0.5}, {400, 10.0 / 11}, {-400, 1.0 / 11}} {
		if got := network.Expected(test.score, 400); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("Expected(%.0f) = %v, want %v", test.score, got, test.want)
		}
	}
}
