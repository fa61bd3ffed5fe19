package load_test

import (
	"testing"
	"time"

	"quintet/lab/load"
)

func quiet(string) {}

// TestRun plays a small load.
func TestRun(t *testing.T) {
	r, err := load.Run(t.Context(), load.Config{URL: load.Server(t), Games: 5, Sockets: 17, Rate: 40, Duration: 4 * time.Second, Engines: 1, Seed: 1, Report: quiet})
	if err != nil {
		t.Fatal(err)
	}
	if r.Errors > 0 || r.Moves == 0 || r.Moves+r.Late > 160 || r.Acknowledged.N != int(r.Moves) || r.Seen.N == 0 || r.Acknowledged.Max < r.Acknowledged.P50 {
		t.Errorf("the result is %+v", r)
	}
}

// TestRunRefuses lists invalid loads.
func TestRunRefuses(t *testing.T) {
	for _, c := range []load.Config{
		{}, {Games: 2, Sockets: 3, Rate: 1}, {Games: 1, Sockets: 2},
	} {
		if _, err := load.Run(t.Context(), c); err == nil {
			t.Errorf("%+v is not refused", c)
		}
	}
}

func TestSpread(t *testing.T) {
	var list []time.Duration
	for i := range 100 {
		list = append(list, time.Duration(100-i)*time.Millisecond)
	}
	want := load.Spread{N: 100, P50: 51 * time.Millisecond, P90: 91 * time.Millisecond, P99: 100 * time.Millisecond, Max: 100 * time.Millisecond}
	if got := load.SpreadOf(list); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
