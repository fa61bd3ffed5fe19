package serve

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/serve/hall"
)

// long is a game of twenty minutes for each side: parked games have more than ten, and every simulated second costs
// processor time.
func long() live.Settings {
	return live.Settings{Game: "othello", Clock: live.TimeControl{Main: 1200}, Seats: [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}}
}

// last returns the last event of a game as the log has it.
func last(t *testing.T, l live.Log, id string) live.Event {
	t.Helper()
	list, err := l.Read(t.Context(), id)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d events, %v", len(list), err)
	}
	table, e := live.New(id), live.Event{}
	for _, entry := range list {
		if e, err = table.Load(entry.Data); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func opens(t *testing.T, h *hall.Hall, id string, s live.Settings) {
	t.Helper()
	if err := h.Open(t.Context(), id, s, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Room(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

func does(t *testing.T, h *hall.Hall, id string, c live.Command) {
	t.Helper()
	if _, err := h.Do(t.Context(), id, c); err != nil {
		t.Fatal(err)
	}
}

// bedtime is when an idle game is due to be parked.
const bedtime = 2*time.Minute + 2*orphanEvery + 20*time.Second

// TestParked checks that a game whose clock has long to run leaves memory, also at a
// start, and is lost on time to the second; and that games which are watched, or have
// less time, stay.
func TestParked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := live.NewMemory()
		s := beside(t, l)
		const id, watched, short = "abcdefgh2352", "abcdefgh2353", "abcdefgh2354"
		quick := long()
		quick.Clock.Main = 600
		opens(t, s.hall, id, long())
		opens(t, s.hall, watched, long())
		opens(t, s.hall, short, quick)
		r := s.hall.Loaded(watched)
		w := &hall.Watcher{}
		r.Watch(w, -1)
		time.Sleep(bedtime)
		if s.hall.Loaded(id) != nil || s.hall.Loaded(watched) != r || s.hall.Loaded(short) == nil {
			t.Errorf("after %s, here are: the idle game %t, one that is watched %t, one with ten minutes %t; want the last two",
				bedtime, s.hall.Loaded(id) != nil, s.hall.Loaded(watched) == r, s.hall.Loaded(short) != nil)
		}
		r.Leave(w)
		again := beside(t, l)
		time.Sleep(2 * time.Second)
		if n := again.hall.Len(); n != 1 || again.hall.Loaded(short) == nil {
			t.Errorf("after a start %d games are here, want the one with ten minutes", n)
		}
		for _, one := range []*Server{s, again} { // two that look after the game do not harm each other
			time.Sleep(6 * time.Minute)
			if one.hall.Loaded(id) != nil {
				t.Error("the game is here long before its clock has run down")
			}
		}
		time.Sleep(6 * time.Minute)
		if e := last(t, l, id); e.Kind != live.Flagged || e.At < 1_200_000 || e.At > 1_201_000 {
			t.Errorf("the game comes to %s at %d ms, want it lost on time after twenty minutes", e.Kind, e.At)
		}
		time.Sleep(bedtime)
		for _, one := range []*Server{s, again} {
			if n := one.hall.Len(); n > 0 || one.hall.Parked(id) || one.hall.Parked(watched) || one.hall.Parked(short) {
				t.Errorf("finished games are kept: %d rooms", n)
			}
			if err := one.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestWokenByAnotherServer checks that a server wakes a parked game when another server
// writes in it: the clock that runs then may have less time, and the other server may be
// gone.
func TestWokenByAnotherServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := live.NewMemory()
		second := beside(t, l)
		const id = "abcdefgh2355"
		opens(t, second.hall, id, long())
		does(t, second.hall, id, live.Command{Do: live.Move, Move: "f4", Ply: 0})
		time.Sleep(5 * time.Minute)
		does(t, second.hall, id, live.Command{Do: live.Move, Side: game.Second, Move: "f3", Ply: 1}) // and has a quarter of an hour left
		first := beside(t, l)
		time.Sleep(bedtime)
		if !first.hall.Parked(id) {
			t.Fatal("the game does not sleep at the first server")
		}
		r, err := second.hall.Room(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		r.View(func(t *live.Table) bool { text = t.Position().Format(t.Legal()[0]); return true })
		does(t, second.hall, id, live.Command{Do: live.Move, Move: text, Ply: 2})
		moved := last(t, l, id).At
		time.Sleep(time.Second)
		if err := second.Close(); err != nil {
			t.Error(err)
		}
		time.Sleep(15*time.Minute + 30*time.Second)
		if e := last(t, l, id); e.Kind != live.Flagged || e.At > moved+901_000 {
			t.Errorf("the game comes to %s %d ms after the last move, want it lost on time after a quarter of an hour", e.Kind, e.At-moved)
		}
		if err := first.Close(); err != nil {
			t.Error(err)
		}
	})
}

// counting is a log that counts how often a game is read.
type counting struct {
	live.Log
	reads atomic.Int64
}

func (c *counting) Read(ctx context.Context, id string) ([]live.Entry, error) {
	c.reads.Add(1)
	return c.Log.Read(ctx, id)
}

// TestPlayedElsewhere checks that a game that is played on one server stays in the memory
// of another, which would have to read it again after every move.
func TestPlayedElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := live.NewMemory()
		counted := &counting{Log: l}
		here, there := beside(t, l), beside(t, counted)
		const id = "abcdefgh2357"
		opens(t, here.hall, id, long())
		time.Sleep(orphanEvery + bedtime) // the other looks after it from then on
		if !there.hall.Parked(id) {
			t.Error("the server without the game's players does not park it")
		}
		counted.reads.Store(0)
		for range 4 { // it has more than ten minutes left, or it would stay anyway
			does(t, here.hall, id, live.Command{Do: live.Offer})
			time.Sleep(45 * time.Second)
			does(t, here.hall, id, live.Command{Do: live.Decline, Side: game.Second})
			time.Sleep(45 * time.Second)
		}
		if n := counted.reads.Load(); n != 1 || there.hall.Loaded(id) == nil {
			t.Errorf("while it is played for minutes, it is read %d times, and is here %t; want it read once", n, there.hall.Loaded(id) != nil)
		}
		for _, s := range []*Server{here, there} {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestLoadIsRetried checks that a game which is due but cannot be loaded is loaded as
// soon as possible.
func TestLoadIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lostLog{Log: live.NewMemory()}
		s := beside(t, l)
		const id = "abcdefgh2356"
		opens(t, s.hall, id, long())
		time.Sleep(bedtime)
		l.down.Store(true)
		time.Sleep(20 * time.Minute)
		l.down.Store(false)
		time.Sleep(30 * time.Second)
		if e := last(t, l, id); e.Kind != live.Flagged {
			t.Errorf("the game stands at %s, want it lost on time", e.Kind)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}
