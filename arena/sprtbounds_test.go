package arena_test

import (
	"testing"

	"quintet/arena"
)

// TestSPRTBounds holds the verdicts against Wald's bounds for error rates of 5 %:
// ln(0.95 / 0.05) = 2.944, in both directions.
func TestSPRTBounds(t *testing.T) {
	test := arena.SPRT{Elo0: 0, Elo1: 5}
	for llr, want := range map[float64]string{2.945: "H1", 2.943: "open", 0: "open", -2.943: "open", -2.945: "H0"} {
		if got := test.Verdict(llr); got != want {
			t.Errorf("LLR %.3f: %s, want %s", llr, got, want)
		}
	}
}
