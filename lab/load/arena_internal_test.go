package load

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"quintet/lab/await"
)

// TestArena holds a small arena until moves are acknowledged and the page of a spectator shows new standings.
func TestArena(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := Config{URL: Server(t), Games: 2, Players: 4, Sockets: 8, Pages: .5, Rate: 200, Seed: 1, Report: func(string) {}}
	a := &arena{run: newRun(c), noticed: map[int]time.Time{}}
	defer a.all.Wait()
	defer cancel()
	if err := a.open(ctx); err != nil {
		t.Fatal(err)
	}
	a.measuring.Store(true)
	await.Until(t, "new standings on a page, and a second game of a player", func() bool {
		return len(a.ages()) > 0 && a.idling.Spread().N > 0 || a.errors.Load() > 0
	})
	cancel()
	a.all.Wait()
	if len(a.faults) > 0 || a.moves.Load() == 0 || slices.Min(a.ages()) < 0 {
		t.Errorf("%d moves, ages %v, faults %v", a.moves.Load(), a.ages(), a.faults)
	}
}

// TestAssembly checks that a load does not wait for spectators for ever, and says why they do not come.
func TestAssembly(t *testing.T) {
	a := &arena{run: &run{faults: []string{"the page is away"}}}
	if err := a.await(t.Context(), nil, 0); err == nil || !strings.Contains(err.Error(), "the page is away") {
		t.Errorf("got %v", err)
	}
}

// TestArenaClock checks that slow players have enough time for a game.
func TestArenaClock(t *testing.T) {
	for _, c := range []struct {
		config Config
		want   int
	}{{Config{Games: 50, Rate: 500}, 60}, {Config{Games: 500, Rate: 50}, 630}} {
		if got := c.config.arenaClock(); got != c.want {
			t.Errorf("%+v: %d s, want %d", c.config, got, c.want)
		}
	}
}

// TestAges checks that standings are outdated since the first event that they lack, which any client noticed.
func TestAges(t *testing.T) {
	at := func(ms int) time.Time { return time.Unix(0, 0).Add(time.Duration(ms) * time.Millisecond) }
	a := &arena{run: &run{}, noticed: map[int]time.Time{2: at(0), 4: at(300), 5: at(200), 7: at(900)}}
	a.refreshes = []refresh{{2, at(1000)}, {4, at(1000)}, {5, at(1000)}, {6, at(1000)}}
	want := []time.Duration{800 * time.Millisecond, 800 * time.Millisecond, 100 * time.Millisecond, 100 * time.Millisecond}
	if got := a.ages(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
