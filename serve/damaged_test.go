package serve

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
)

// damagedLog is a log with a damaged stream.
type damagedLog struct {
	live.Log
	damage *live.DamageError
}

func (l *damagedLog) Damage() []*live.DamageError { return []*live.DamageError{l.damage} }

func (l *damagedLog) Read(ctx context.Context, stream string) ([]live.Entry, error) {
	if stream == l.damage.Stream {
		return nil, l.damage
	}
	return l.Log.Read(ctx, stream)
}

// TestDamagedGame checks that a damaged game is closed, that the server reports it, and that it serves the
// other games.
func TestDamagedGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := live.NewMemory()
		c := newClocked(t, memory, Config{Hold: -1})
		c.move("e2e4", http.StatusOK)
		if err := c.server.Close(); err != nil {
			t.Fatal(err)
		}
		c.serve(&damagedLog{memory, &live.DamageError{Stream: c.id, Seq: 2, Events: 1, What: "missing"}}, Config{Hold: -1})
		time.Sleep(time.Second)
		var p struct{ Code, Error, Status string }
		c.ask("GET", "/readyz", "", http.StatusOK, &p)
		if !strings.Contains(p.Status, "1 games, studies, reviews or accounts are damaged") {
			t.Errorf("/readyz says %q", p.Status)
		}
		c.ask("GET", "/api/games/"+c.id, "", http.StatusInternalServerError, &p)
		if p.Code != "broken" || !strings.Contains(p.Error, "closed until an operator repairs it") {
			t.Errorf("a damaged game: %+v", p)
		}
		if w := c.page("/g/" + c.id); w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), "The record of this game is damaged") {
			t.Errorf("its page: %d %s", w.Code, w.Body)
		}
		c.ask("POST", "/api/games", `{"game":"othello","as":"first"}`, http.StatusCreated, &p)
		if c.server.clock.Stopped(c.server.Now()) {
			t.Error("the damaged game has stopped the clocks of all")
		}
		if err := c.server.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// copiedLog is a log with a damaged copy.
type copiedLog struct{ live.Log }

func (copiedLog) DamagedCopies() []string { return []string{"NATS server b: it is being fetched"} }

// TestDamagedCopy checks that the server is ready, and reports a damaged copy of the log.
func TestDamagedCopy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClocked(t, copiedLog{live.NewMemory()}, Config{Hold: -1})
		time.Sleep(time.Second)
		var p struct{ Status string }
		c.ask("GET", "/readyz", "", http.StatusOK, &p)
		if !strings.Contains(p.Status, "1 copies of the log are damaged") {
			t.Errorf("/readyz says %q", p.Status)
		}
		if err := c.server.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
