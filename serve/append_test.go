package serve

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
	"quintet/serve/clock"
)

// fullLog is a log on a disk that can be full, or slow.
type fullLog struct {
	live.Log
	full atomic.Bool
	slow atomic.Int64 // nanoseconds that a write takes
	busy atomic.Bool  // writes block before they start
	shut atomic.Bool  // writes fail for another reason
}

var errShut = errors.New("a server could lose it")

func (l *fullLog) Append(ctx context.Context, id string, after uint64, data []byte) (uint64, error) {
	if l.busy.Load() {
		<-ctx.Done()
		return 0, ctx.Err()
	}
	time.Sleep(time.Duration(l.slow.Load()))
	if l.full.Load() {
		return 0, live.ErrFull
	}
	if l.shut.Load() {
		return 0, errShut
	}
	return l.Log.Append(ctx, id, after, data)
}

func (l *fullLog) WriteHeartbeat(ctx context.Context, after uint64, b live.Heartbeat) (uint64, error) {
	if l.full.Load() {
		return 0, live.ErrFull
	}
	if l.shut.Load() {
		return 0, errShut
	}
	return l.Log.WriteHeartbeat(ctx, after, b)
}

// lostLog is a log that does not say what became of an event, and cannot be read for
// a while.
type lostLog struct {
	live.Log
	lose, keep, down atomic.Bool // the next event, whether it is written, and whether the log is away
}

func (l *lostLog) Append(ctx context.Context, id string, after uint64, data []byte) (uint64, error) {
	if !l.lose.Swap(false) {
		return l.Log.Append(ctx, id, after, data)
	}
	l.down.Store(true)
	if l.keep.Load() {
		if _, err := l.Log.Append(ctx, id, after, data); err != nil {
			return 0, err
		}
	}
	return 0, live.ErrUnknown
}

func (l *lostLog) Read(ctx context.Context, id string) ([]live.Entry, error) {
	if l.down.Load() {
		return nil, live.ErrFull
	}
	return l.Log.Read(ctx, id)
}

// Follow tells nothing: what is seen is what was read.
func (l *lostLog) Follow(ctx context.Context, _ uint64) iter.Seq2[live.Entry, error] {
	return func(func(live.Entry, error) bool) { <-ctx.Done() }
}

// TestInDoubt checks that a game is not shown while it is unknown whether its last move
// was written, and is then shown as the log has it.
func TestInDoubt(t *testing.T) {
	for i := range 4 {
		synctest.Test(t, func(t *testing.T) { inDoubt(t, i%2 == 1, i >= 2) })
	}
}

func inDoubt(t *testing.T, written, shared bool) {
	l := &lostLog{Log: live.NewMemory()}
	c := newClocked(t, l, Config{Hold: -1, Shared: shared})
	c.move("e2e4", http.StatusOK)
	l.keep.Store(written)
	l.lose.Store(true)
	if p := c.move("e7e5", http.StatusServiceUnavailable); p.Code != "unavailable" || p.Reason != "unknown" || strings.Contains(p.Text, "could not be saved") {
		t.Errorf("a move of which nothing is known: %+v", p)
	}
	c.ask("GET", "/api/games/"+c.id, "", http.StatusServiceUnavailable, &Problem{})
	l.down.Store(false)
	var v struct{ Moves []string }
	c.ask("GET", "/api/games/"+c.id, "", http.StatusOK, &v)
	if want := 1 + oneIfWritten(written); len(v.Moves) != want {
		t.Errorf("written: %t: the game has the moves %v, want %d", written, v.Moves, want)
	}
	if !written {
		c.move("e7e5", http.StatusOK)
	}
}

func oneIfWritten(is bool) int {
	if is {
		return 1
	}
	return 0
}

// clocked is a game with a clock on a server, played by requests.
type clocked struct {
	t      *testing.T
	server *Server
	id     string
	tokens [2]string
	ply    int
}

func newClocked(t *testing.T, l live.Log, config Config) *clocked {
	t.Helper()
	c := &clocked{t: t}
	c.serve(l, config)
	c.open(`{"main":300}`)
	return c
}

// open opens the game, with a clock, and takes both seats.
func (c *clocked) open(clock string) {
	c.t.Helper()
	var made struct{ ID, Token string }
	c.ask("POST", "/api/games", `{"game":"chess","as":"first","clock":`+clock+`}`, http.StatusCreated, &made)
	c.id, c.tokens[0] = made.ID, made.Token
	c.ask("POST", "/api/games/"+c.id+"/seats/second", `{}`, http.StatusOK, &made)
	c.tokens[1] = made.Token
}

// serve starts a server on the log of the game.
func (c *clocked) serve(l live.Log, config Config) {
	c.t.Helper()
	s, err := New(c.t.Context(), l, config.SharePages())
	if err != nil {
		c.t.Fatal(err)
	}
	s.Start(c.t.Context())
	c.t.Cleanup(func() { _ = s.Close() })
	c.server = s
}

// ask makes a request and reads the answer, which has a status; 0 for any.
func (c *clocked) ask(method, path, body string, want int, out any) {
	c.t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(c.t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+c.tokens[c.ply%2])
	c.server.Handler().ServeHTTP(w, r)
	if want != 0 && w.Code != want {
		c.t.Fatalf("%s %s %s: %d %s, want %d", method, path, body, w.Code, w.Body, want)
	}
	if err := json.Unmarshal(w.Body.Bytes(), out); err != nil {
		c.t.Fatalf("%s: %v", w.Body, err)
	}
}

func (c *clocked) move(move string, want int) (p Problem) {
	c.t.Helper()
	c.ask("POST", "/api/games/"+c.id+"/moves", `{"move":"`+move+`"}`, want, &p)
	if want == http.StatusOK {
		c.ply++
	}
	return p
}

// left returns the clocks in milliseconds.
func (c *clocked) left() [2]int64 {
	c.t.Helper()
	var v struct{ Clocks struct{ First, Second int64 } }
	c.ask("GET", "/api/games/"+c.id, "", http.StatusOK, &v)
	return [2]int64{v.Clocks.First, v.Clocks.Second}
}

// TestFullDisk rejects moves with a message while the disk is full, stops the clocks, and
// continues by itself when there is space.
func TestFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &fullLog{Log: live.NewMemory()}
		c := newClocked(t, l, Config{Hold: -1})
		time.Sleep(2 * time.Second)
		c.move("e2e4", http.StatusOK)
		time.Sleep(3 * time.Second)
		want := c.left()
		l.full.Store(true)
		if p := c.move("e7e5", http.StatusServiceUnavailable); p.Code != "full" || !strings.Contains(p.Text, "server's disk is full") || p.After != 5 {
			t.Errorf("the answer to the player: %+v", p)
		}
		c.ask("POST", "/api/games", `{"game":"loa"}`, http.StatusServiceUnavailable, &Problem{})
		time.Sleep(time.Hour)
		var ready struct{ Status string }
		c.ask("GET", "/readyz", "", http.StatusServiceUnavailable, &ready)
		if got := c.left(); got != want {
			t.Errorf("after an hour the clocks are %v, want %v", got, want)
		}
		l.full.Store(false)
		time.Sleep(time.Second + 10*time.Millisecond)
		c.ask("GET", "/readyz", "", http.StatusOK, &ready)
		c.move("e7e5", http.StatusOK)
		if got := c.left(); got[0] != want[0] || got[1] > want[1] || got[1] < want[1]-1010 {
			t.Errorf("when there is room again the clocks are %v, want %v, and at most a second less", got, want)
		}
	})
}

// TestFullDiskWhileNobodyMoves checks that heartbeats notice a full disk: a clock runs
// for at most a second on a disk that accepts nothing.
func TestFullDiskWhileNobodyMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &fullLog{Log: live.NewMemory()}
		c := newClocked(t, l, Config{Hold: -1})
		c.move("e2e4", http.StatusOK)
		l.full.Store(true)
		time.Sleep(time.Hour)
		if got := c.left()[1]; got > 300_000 || got < 299_000 {
			t.Errorf("after an hour on a full disk %d ms are left, want 299000 or more of 300000", got)
		}
		l.full.Store(false)
		time.Sleep(11 * time.Second)
		if got := c.left()[1]; got > 290_000 || got < 288_000 {
			t.Errorf("ten seconds after there was room %d ms are left, want about 289000", got)
		}
	})
}

// TestSlowDisk charges at most half a second for a slow write.
func TestSlowDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &fullLog{Log: live.NewMemory()}
		c := newClocked(t, l, Config{Hold: -1})
		for i, move := range []string{"e2e4", "e7e5", "d2d4", "d7d5"} {
			before := c.left()
			l.slow.Store(int64(20 * time.Second))
			c.move(move, http.StatusOK)
			l.slow.Store(0)
			after := c.left()
			if d := before[1-i%2] - after[1-i%2]; d > clock.SlowWrite.Milliseconds() {
				t.Errorf("the write of %s took 20 s: %d ms were charged to the opponent, want %d at most", move, d, clock.SlowWrite.Milliseconds())
			}
			if d := before[i%2] - after[i%2]; d > clock.SlowWrite.Milliseconds() {
				t.Errorf("the write of %s took 20 s: %d ms were charged, want %d at most", move, d, clock.SlowWrite.Milliseconds())
			}
		}
	})
}

// TestClusterRefuses: a server on a log that rejects events and heartbeats continues by
// itself when the log accepts them again, and charges no player for the time.
func TestClusterRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &fullLog{Log: live.NewMemory()}
		c := newClocked(t, l, Config{Hold: -1, Shared: true})
		time.Sleep(2 * time.Second)
		c.move("e2e4", http.StatusOK)
		l.shut.Store(true)
		c.move("e7e5", http.StatusServiceUnavailable)
		want := c.left()
		time.Sleep(time.Hour)
		if got := c.left(); got[0] != want[0] || got[1] < want[1]-3000 {
			t.Errorf("after an hour the clocks are %v, want %v, and at most three seconds less", got, want)
		}
		l.shut.Store(false)
		time.Sleep(2 * time.Second)
		var ready struct{ Status string }
		c.ask("GET", "/readyz", "", http.StatusOK, &ready)
		c.move("e7e5", http.StatusOK)
		if got := c.left(); got[1] < want[1]-3000 {
			t.Errorf("when events are taken again the clocks are %v, want %v, and at most three seconds less", got, want)
		}
	})
}

// TestSlowDiskLeft: clocks stopped by a pending write run again when the disk recovers, even
// if the player has disconnected.
func TestSlowDiskLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &fullLog{Log: live.NewMemory()}
		c := newClocked(t, l, Config{Hold: -1})
		c.move("e2e4", http.StatusOK)
		l.busy.Store(true)
		ctx, leave := context.WithTimeout(t.Context(), 2*clock.SlowWrite)
		defer leave()
		r := httptest.NewRequestWithContext(ctx, "POST", "/api/games/"+c.id+"/moves", strings.NewReader(`{"move":"e7e5"}`))
		r.Header.Set("Authorization", "Bearer "+c.tokens[1])
		c.server.Handler().ServeHTTP(httptest.NewRecorder(), r)
		l.busy.Store(false)
		before := c.left()[1]
		time.Sleep(10 * time.Second)
		if d := before - c.left()[1]; d < 8_500 || d > 10_000 {
			t.Errorf("in ten seconds %d ms were charged, want about 9000: the first heartbeat restarts the clock", d)
		}
	})
}

// TestListNotWritten checks that a server starts even if its list cannot be written.
func TestListNotWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "no such folder", "list.sqlite")
		c := newClocked(t, live.NewMemory(), Config{Hold: -1, Index: path})
		c.move("e2e4", http.StatusOK)
		time.Sleep(time.Second) // of the bubble: the list takes what was played
		synctest.Wait()
		var list struct{ Games []struct{ ID string } }
		c.ask("GET", "/api/games", "", http.StatusOK, &list)
		if len(list.Games) != 1 || list.Games[0].ID != c.id {
			t.Errorf("the list is %v, want the game %s", list.Games, c.id)
		}
	})
}
