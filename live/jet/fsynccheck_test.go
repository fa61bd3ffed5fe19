package jet

import (
	"errors"
	"log/slog"
	"testing"
)

// TestFsyncChecker checks that an unsafe server is remembered while queries fail, and
// that writes continue once a majority has answered without it.
func TestFsyncChecker(t *testing.T) {
	f := &fsyncChecker{logger: slog.New(slog.DiscardHandler)}
	for i, step := range []struct {
		safe int
		err  error
		ok   bool
	}{
		{3, nil, true},
		{0, errors.New("no connection"), true},
		{0, &unsafeError{"n2"}, false},
		{0, errors.New("no connection"), false},
		{0, nil, false},
		{majority - 1, nil, false},
		{majority, nil, true},
	} {
		f.observe(step.safe, step.err)
		if ok := f.err() == nil; ok != step.ok {
			t.Errorf("step %d: writes allowed: %t, want %t", i, ok, step.ok)
		}
	}
}
