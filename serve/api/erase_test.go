package api

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
)

// TestForgetGame checks that nothing of a game is cached afterwards, not even what is being made, that
// other games stay, and that the memory is counted.
func TestForgetGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := rendererOf(t, 2, 10, time.Minute)
		made := map[string]int{} // by the game, guarded by mu
		var mu sync.Mutex
		get := func(game, kind string) {
			_, err := d.Get(t.Context(), RenderKey{Game: game, Kind: kind}, func(context.Context) ([]byte, error) {
				time.Sleep(time.Second)
				mu.Lock()
				defer mu.Unlock()
				made[game]++
				return make([]byte, 1000), nil
			})
			if err != nil {
				t.Error(err)
			}
		}
		get("b", "svg")
		before := d.bytes
		get("a", "svg")
		get("a", "png")
		var making sync.WaitGroup
		making.Go(func() { get("a", "gif") })
		synctest.Wait()
		d.ForgetGame("a")
		making.Wait()
		if d.bytes != before || len(d.all) != 1 || d.recent.Len() != 1 {
			t.Errorf("%d bytes are cached in %d, %d renderings, want %d in 1", d.bytes, len(d.all), d.recent.Len(), before)
		}
		for _, kind := range []string{"svg", "png", "gif"} {
			get("a", kind)
		}
		get("b", "svg")
		if made["a"] != 6 || made["b"] != 1 {
			t.Errorf("made %v, want 6 of a and 1 of b", made)
		}
	})
}

// TestHasReached checks that the slowest part decides.
func TestHasReached(t *testing.T) {
	var l Lag
	if !l.HasReached(5) {
		t.Error("nothing follows the log, want it reached")
	}
	l.Reached("a", 5)
	l.Reached("b", 4)
	if l.HasReached(5) || !l.HasReached(4) {
		t.Errorf("up to 5: %t, up to 4: %t, want 4 alone", l.HasReached(5), l.HasReached(4))
	}
}

// note is a document without content.
type note struct{ *Document }

// TestModerateStore checks that what is hidden or erased leaves memory and wakes those who follow it,
// and that nothing else does.
func TestModerateStore(t *testing.T) {
	now := func() live.Stamp { return live.Stamp{} }
	s := NewStore(StoreConfig{Log: live.NewMemory(), Now: now, Time: time.Now}, live.StudyCategory, nil, func(d *Document) (note, func([]byte) error) {
		return note{d}, func([]byte) error { return nil }
	})
	for _, c := range []struct {
		ruling live.Ruling
		want   bool // evicted
	}{
		{live.Ruling{Do: live.Hide, Game: "study-a"}, true},
		{live.Ruling{Do: live.Erase, Game: "study-a"}, true},
		{live.Ruling{Do: live.Show, Game: "study-a"}, false},
		{live.Ruling{Do: live.Hide, Game: "study-b"}, false},
		{live.Ruling{Do: live.Hide, Game: "a"}, false},
		{live.Ruling{Do: live.Erase, Game: "review-a"}, false},
	} {
		n, err := s.Keep(t.Context(), s.New(t.Context(), "a"))
		if err != nil {
			t.Fatal(err)
		}
		n.Mu.Lock()
		changed := n.Ask()
		n.Mu.Unlock()
		s.Moderate(c.ruling)
		told := false
		select {
		case <-changed:
			told = true
		default:
		}
		if n.Evicted() != c.want || told != c.want || (s.Len() == 0) != c.want {
			t.Errorf("%s %s: evicted %t, told %t, %d in memory", c.ruling.Do, c.ruling.Game, n.Evicted(), told, s.Len())
		}
	}
}
