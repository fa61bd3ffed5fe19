package api

import (
	"errors"
	"fmt"
	"testing"

	"quintet/live"
)

// TestWriteProblem says in how many seconds a client may try again, by what the log says.
func TestWriteProblem(t *testing.T) {
	for _, c := range []struct {
		err          error
		code, reason string
		after        int64
	}{
		{live.ErrUnknown, "unavailable", "unknown", 1}, {live.ErrFull, "full", "full", 5}, {errors.ErrUnsupported, "unavailable", "unavailable", 1},
	} {
		if p := writeProblem(fmt.Errorf("writing: %w", c.err)); p.Code != c.code || p.Reason != c.reason || p.After != c.after || p.Status != 503 {
			t.Errorf("%v: %+v, want %s, %q, after %d s", c.err, p, c.code, c.reason, c.after)
		}
	}
}
