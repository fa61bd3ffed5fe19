package jet

import (
	"errors"
	"log/slog"
	"testing"
)

// TestGuardRemembers wants a careless server not forgotten because nobody could be
// asked, and writing to go on when enough have answered without it.
func TestGuardRemembers(t *testing.T) {
	g := &guard{logger: slog.New(slog.DiscardHandler)}
	for i, step := range []struct {
		safe int
		err  error
		fit  bool
	}{
		{3, nil, true},
		{0, errors.New("no connection"), true},
		{0, &carelessError{"n2"}, false},
		{0, errors.New("no connection"), false},
		{0, nil, false},
		{majority - 1, nil, false},
		{majority, nil, true},
	} {
		g.heard(step.safe, step.err)
		if fit := g.fit() == nil; fit != step.fit {
			t.Errorf("step %d: something is written: %t, want %t", i, fit, step.fit)
		}
	}
}
