package serve

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quintet/lab/await"
	"quintet/live"
)

// tornLog is a log whose followers fail, or get nothing.
type tornLog struct {
	live.Log
	torn, stuck atomic.Bool
}

func (l *tornLog) Follow(ctx context.Context, after uint64) iter.Seq2[live.Entry, error] {
	return func(yield func(live.Entry, error) bool) {
		if l.torn.Load() {
			yield(live.Entry{}, errors.New("slow consumer"))
			return
		}
		for e, err := range l.Log.Follow(ctx, after) {
			for l.stuck.Load() && ctx.Err() == nil {
				time.Sleep(time.Millisecond)
			}
			if !yield(e, err) || l.torn.Load() {
				return
			}
		}
	}
}

// TestLaggingFollower checks that a server is not ready while what follows the log fails or is
// behind, says why, and is ready again when it has caught up.
func TestLaggingFollower(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &tornLog{Log: live.NewMemory()}
		c := newClocked(t, l, Config{Hold: -1})
		wants := func(status int, want string) {
			t.Helper()
			var ready struct{ Status string }
			c.ask("GET", "/readyz", "", status, &ready)
			if !strings.Contains(ready.Status, want) {
				t.Errorf("/readyz says %q, want %q", ready.Status, want)
			}
		}
		time.Sleep(time.Minute)
		wants(http.StatusOK, "ready")
		l.stuck.Store(true)
		c.move("e2e4", http.StatusOK)
		time.Sleep(3 * lagTick)
		wants(http.StatusServiceUnavailable, "is behind the log")
		l.stuck.Store(false)
		time.Sleep(time.Second)
		wants(http.StatusOK, "ready")
		l.torn.Store(true)
		c.move("e7e5", http.StatusOK) // the last that is delivered
		for range 10 {
			time.Sleep(2 * time.Second)
			wants(http.StatusServiceUnavailable, "the follower of the log failed")
		}
		l.torn.Store(false)
		time.Sleep(3 * lagTick)
		wants(http.StatusOK, "ready") // though nothing was written since
		c.move("d2d4", http.StatusOK)
		time.Sleep(3 * lagTick)
		wants(http.StatusOK, "ready")
	})
}

// TestListRepaired damages the list of a running server, which says so until it has rebuilt it,
// and then of one that is stopped.
func TestListRepaired(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.sqlite")
	l := &tornLog{Log: live.NewMemory()}
	c := newClocked(t, l, Config{Hold: -1, Index: path})
	lists := func() bool {
		var list struct{ Games []struct{ ID string } }
		c.ask("GET", "/api/games", "", http.StatusOK, &list)
		return len(list.Games) == 1 && list.Games[0].ID == c.id
	}
	await.Until(t, "the game in the list", lists)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the list: %v, %v; want it for its user only", info, err)
	}
	l.stuck.Store(true) // so that it cannot be rebuilt
	overwrite := func() {
		t.Helper()
		if err := os.WriteFile(path, make([]byte, 50_000), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	await.Until(t, "the damage to be noticed", func() bool { // a write that was under way can repair it
		if c.server.index.Rebuilding() {
			return true
		}
		overwrite()
		return c.server.index.Checkpoint(t.Context()) != nil
	})
	var ready struct{ Status string }
	c.ask("GET", "/readyz", "", http.StatusServiceUnavailable, &ready)
	var p Problem
	c.ask("GET", "/api/games", "", http.StatusServiceUnavailable, &p)
	if ready.Status != "rebuilding the list of games" || p.Reason != "busy" || !strings.Contains(p.Text, "is being rebuilt") {
		t.Errorf("/readyz says %q, the list %q, %q", ready.Status, p.Reason, p.Text)
	}
	l.stuck.Store(false)
	await.Until(t, "the list to be rebuilt", func() bool { return !c.server.index.Rebuilding() })
	if !lists() {
		t.Error("the rebuilt list lacks the game")
	}
	await.Until(t, "the server to be ready", func() bool { return c.server.unready() == "" })
	if err := c.server.Close(); err != nil {
		t.Error(err)
	}
	overwrite()
	s, err := New(t.Context(), l, Config{Hold: -1, Index: path}.SharePages())
	if err != nil {
		t.Fatal(err)
	}
	s.Start(context.Background())
	c.server = s
	await.Until(t, "the server to be ready", func() bool { return s.unready() == "" })
	if !lists() {
		t.Error("the list lacks the game after a restart")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
