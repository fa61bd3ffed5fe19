package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/serve/hall"
)

// delayed is a game that spectators see later.
type delayed struct {
	t      *testing.T
	server *Server
	id     string
}

func newDelayed(t *testing.T, c Config, delay int64) *delayed {
	t.Helper()
	return newDelayedOn(t, live.NewMemory(), c, delay)
}

func newDelayedOn(t *testing.T, l live.Log, c Config, delay int64) *delayed {
	t.Helper()
	s, err := New(t.Context(), l, c.SharePages())
	if err != nil {
		t.Fatal(err)
	}
	s.Start(context.WithoutCancel(t.Context()))
	t.Cleanup(func() { _ = s.Close() })
	d := &delayed{t, s, "abcdefgh2342"}
	players := [2]live.Player{{Name: "Ann", Secret: live.HashSecret("ann")}, {Name: "Ben", Secret: live.HashSecret("ben")}}
	if err := s.hall.Open(t.Context(), d.id, live.Settings{Game: "connect6", Seats: players, Delay: delay}, ""); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *delayed) room() *hall.Room {
	d.t.Helper()
	r, err := d.server.hall.Room(d.t.Context(), d.id)
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

// play plays some moves.
func (d *delayed) play(moves int) {
	d.t.Helper()
	for range moves {
		c := live.Command{Do: live.Move, Ply: -1}
		d.room().View(func(t *live.Table) bool {
			c.Side, c.Move = t.Turn(), t.Position().Format(t.Legal()[0])
			return true
		})
		d.do(c)
	}
}

// talk offers and declines draws a number of times.
func (d *delayed) talk(times int) {
	d.t.Helper()
	for range times {
		d.do(live.Command{Do: live.Offer})
		d.do(live.Command{Do: live.Decline, Side: game.Second})
	}
}

func (d *delayed) do(c live.Command) {
	d.t.Helper()
	if _, err := d.server.hall.Do(d.t.Context(), d.id, c); err != nil {
		d.t.Fatal(err)
	}
}

// receivedEvent is an event with the time at which a reader received it.
type receivedEvent struct {
	N     int
	Kind  string
	Board *BoardView
	at    time.Duration // after the reader came
}

// heard reads answers as they come.
type heard struct {
	*httptest.ResponseRecorder
	t     *testing.T
	began time.Time
	lines []receivedEvent
}

func (h *heard) Write(data []byte) (int, error) {
	l := receivedEvent{at: time.Since(h.began)}
	if err := json.Unmarshal(data, &l); err != nil {
		h.t.Errorf("line %q: %v", data, err)
	}
	if l.Kind != "beat" {
		h.lines = append(h.lines, l)
	}
	return len(data), nil
}

// read reads the events of the game to their end, or for two hours. It returns how
// long that took.
func (d *delayed) read(query string) (lines []receivedEvent, took time.Duration) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), 2*time.Hour)
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/games/"+d.id+"/events"+query, nil)
	h := &heard{httptest.NewRecorder(), d.t, time.Now(), nil}
	d.server.Handler().ServeHTTP(h, r)
	return h.lines, time.Since(h.began)
}

// numbers returns the numbers of events.
func numbers(lines []receivedEvent) string {
	var list []string
	for _, l := range lines {
		list = append(list, fmt.Sprint(l.N))
	}
	return strings.Join(list, " ")
}

// upTo returns the numbers from one to another.
func upTo(first, last int) string {
	var list []receivedEvent
	for n := first; n <= last; n++ {
		list = append(list, receivedEvent{N: n})
	}
	return numbers(list)
}

// TestShownLater sends each event to spectators after the delay, in order, with its board
// on request, and ends the stream with the end of the game.
func TestShownLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDelayed(t, Config{Hold: -1}, 60)
		go func() {
			for range 10 {
				time.Sleep(7 * time.Second)
				d.play(1)
			}
			d.do(live.Command{Do: live.Resign})
		}()
		time.Sleep(70*time.Second + time.Millisecond) // it ends now
		began := 70*time.Second + time.Millisecond
		lines, took := d.read("?board=1")
		if got, want := numbers(lines), upTo(0, 11); got != want {
			t.Errorf("events %s, want %s", got, want)
		}
		for _, l := range lines[1:11] {
			due := max(time.Duration(l.N)*7*time.Second+time.Minute-began, 0)
			if late := l.at - due; late < 0 || late > 100*time.Millisecond {
				t.Errorf("event %d comes after %s, want %s", l.N, l.at, due)
			}
			if caughtUp := due == 0; (l.Board == nil) != caughtUp {
				t.Errorf("event %d after %s has a board: %t, want %t", l.N, l.at, l.Board != nil, !caughtUp)
			} else if !caughtUp && stones(l.Board) != l.N {
				t.Errorf("with event %d comes a board of %d stones", l.N, stones(l.Board))
			}
		}
		if took < time.Minute-time.Second || took > time.Minute+time.Second {
			t.Errorf("it ends after %s, want a minute", took)
		}
		if _, took := d.read(""); took > 0 {
			t.Errorf("when the end has been shown, it takes %s to be told of it again", took)
		}
		if lines, _ := d.read("?after=10"); numbers(lines) != "11" {
			t.Errorf("after event 10 come %s, want 11", numbers(lines))
		}
	})
}

func stones(b *BoardView) (n int) {
	for _, c := range b.Cells {
		if c != "" {
			n++
		}
	}
	return n
}

// TestShownAtOnce sends many simultaneous events in order, and drops no watcher.
func TestShownAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDelayed(t, Config{Hold: 5 * time.Second}, 60)
		const offers = 2 * 64
		go func() {
			time.Sleep(time.Second) // the time stands
			d.talk(offers)
			d.do(live.Command{Do: live.Resign})
		}()
		lines, took := d.read("")
		if got, want := numbers(lines), upTo(0, 2*offers+1); got != want {
			t.Errorf("events %s, want %s", got, want)
		}
		if took < 65*time.Second || took > 67*time.Second {
			t.Errorf("it takes %s, want a minute after five seconds in which the time stands", took)
		}
	})
}

// TestEndIsNotGivenAway: requests beyond the visible end reveal nothing about the game's
// progress.
func TestEndIsNotGivenAway(t *testing.T) {
	for _, query := range []string{"?from=99", "?after=99", "?after=3"} {
		synctest.Test(t, func(t *testing.T) {
			d := newDelayed(t, Config{Hold: -1}, 60)
			d.play(3)
			d.do(live.Command{Do: live.Resign})
			time.Sleep(10 * time.Second)
			if _, took := d.read(query); took < 49*time.Second {
				t.Errorf("events%s of a game that has just ended end after %s, which says so: want 50 s", query, took)
			}
		})
	}
}

// TestVisibleAfterRestart checks that spectators see the last move at once when the service
// clock is behind it: a server that starts after a crash holds the clock at its last
// heartbeat.
func TestVisibleAfterRestart(t *testing.T) {
	const id = "abcdefgh2342"
	l, table, seq := live.NewMemory(), live.New(id), uint64(0)
	write := func(e live.Event, err error) {
		t.Helper()
		data, encoding := e.Encode()
		_, loading := table.Load(data)
		var appending error
		seq, appending = l.Append(t.Context(), id, seq, data)
		if err := errors.Join(err, encoding, loading, appending); err != nil {
			t.Fatal(err)
		}
	}
	players := [2]live.Player{{Name: "Ann", Secret: live.HashSecret("ann")}, {Name: "Ben", Secret: live.HashSecret("ben")}}
	write(live.OpenTable(id, live.Settings{Game: "othello", Seats: players}, "", live.Stamp{}))
	write(table.Decide(live.Command{Do: live.Move, Move: "f4"}, live.Stamp{Service: 5000}))
	s, err := New(t.Context(), l, Config{Hold: time.Hour}.SharePages())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	s.Start(context.WithoutCancel(t.Context()))
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/games/"+id+"/board.svg?ply=1", nil))
	if w.Code != http.StatusOK {
		t.Errorf("the picture of the last ply: %d %s, want 200", w.Code, w.Body)
	}
}
