package batch

import "testing"

// TestDecimal reads grades; what is no number must not reach a mark.
func TestDecimal(t *testing.T) {
	for text, want := range map[string]float64{"12": 12, "50,5": 50.5, "0.5": 0.5, "": -1, "A": -1, "NaN": -1, "inf": -1, "1e999": -1} {
		if got := decimal(text); got != want {
			t.Errorf("%q: %g, want %g", text, got, want)
		}
	}
}
