package serve

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
)

// TestFree checks that answers say how much of a turn is free: during that time the clock
// of the side to move stands.
func TestFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &clocked{t: t}
		c.serve(live.NewMemory(), Config{Hold: -1})
		c.open(`{"main":300,"delay":5}`)
		for _, w := range []struct {
			sleep       time.Duration
			free, first int64
		}{{0, 5000, 300_000}, {2 * time.Second, 3000, 300_000}, {4 * time.Second, 0, 299_000}} {
			time.Sleep(w.sleep)
			var v struct {
				Free   *int64
				Clocks struct{ First int64 }
			}
			c.ask("GET", "/api/games/"+c.id, "", http.StatusOK, &v)
			if v.Free == nil || *v.Free != w.free || v.Clocks.First != w.first {
				t.Errorf("%v later %v ms are free, and the clock is at %d, want %d and %d", w.sleep, v.Free, v.Clocks.First, w.free, w.first)
			}
		}
		c.move("e2e4", http.StatusOK)
		c.ask("POST", "/api/games/"+c.id+"/resign", "", http.StatusOK, &struct{}{})
		if got, want := c.frees(), []int64{0, 5000, 5000, 0}; !slices.Equal(got, want) {
			t.Errorf("events tell of %v ms that are free, want %v: opened, sat, moved, resigned", got, want)
		}
	})
}

// TestFreeAfterAStart checks that, after a start, answers and events report the rest of
// the time for which all clocks stand as free. Otherwise pages would show the clock of
// the side to move ahead by that much until its next move.
func TestFreeAfterAStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &clocked{t: t}
		c.serve(live.NewMemory(), Config{Hold: 5 * time.Second})
		time.Sleep(time.Second)
		c.open(`{"main":300,"delay":2}`)
		free := func() (first, free int64) {
			var v struct {
				Free   int64
				Clocks struct{ First int64 }
			}
			c.ask("GET", "/api/games/"+c.id, "", http.StatusOK, &v)
			return v.Clocks.First, v.Free
		}
		began, told := time.Now(), c.server.hall.ClientTime()
		for _, w := range []struct {
			sleep       time.Duration
			free, first int64
		}{{0, 6000, 300_000}, {3 * time.Second, 3000, 300_000}, {2 * time.Second, 1000, 300_000}, {2 * time.Second, 0, 299_000}} {
			time.Sleep(w.sleep)
			if first, free := free(); free != w.free || first != w.first {
				t.Errorf("%v later %v ms are free, and the clock is at %d, want %d and %d", w.sleep, free, first, w.free, w.first)
			}
			if got, want := c.server.hall.ClientTime()-told, time.Since(began).Milliseconds(); got != want {
				t.Errorf("the service time that pings tell has gone on by %d ms, want %d: what is free is not told twice", got, want)
			}
		}
		c.ask("POST", "/api/games/"+c.id+"/resign", "", http.StatusOK, &struct{}{})
		if got, want := c.frees(), []int64{0, 6000, 0}; !slices.Equal(got, want) {
			t.Errorf("events tell of %v ms that are free, want %v: opened, sat, resigned", got, want)
		}
	})
}

// frees returns what the events of a game that is over tell of free time.
func (c *clocked) frees() (list []int64) {
	c.t.Helper()
	w := httptest.NewRecorder()
	c.server.Handler().ServeHTTP(w, httptest.NewRequestWithContext(c.t.Context(), http.MethodGet, "/api/games/"+c.id+"/events", nil))
	for lines := bufio.NewScanner(w.Body); lines.Scan(); {
		var e struct{ Free int64 }
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			c.t.Fatal(err)
		}
		list = append(list, e.Free)
	}
	return list
}
