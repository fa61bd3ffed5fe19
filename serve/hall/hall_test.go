package hall

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quintet/game"
	"quintet/live"
)

// moody is a log that does something else with some events.
type moody struct {
	live.Log

	mu   sync.Mutex // guards mood
	mood []func(write func() (uint64, error)) (uint64, error)
}

func (m *moody) Append(ctx context.Context, table string, after uint64, data []byte) (uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	write := func() (uint64, error) { return m.Log.Append(ctx, table, after, data) }
	if len(m.mood) == 0 {
		return write()
	}
	do := m.mood[0]
	m.mood = m.mood[1:]
	return do(write)
}

// lost says that it is not known what became of an event, which is not written;
// late says the same of one that is.
func lost(func() (uint64, error)) (uint64, error) { return 0, live.ErrUnknown }
func late(write func() (uint64, error)) (uint64, error) {
	_, err := write()
	return 0, errors.Join(err, live.ErrUnknown)
}

// early says that another event came first, which cannot be read yet.
func early(func() (uint64, error)) (uint64, error) { return 0, live.ErrStale }

// overtaken returns the fate of an event of which nothing is known, and that of the
// next: the first is written just before it.
func overtaken() (first, next func(func() (uint64, error)) (uint64, error)) {
	var held func() (uint64, error)
	first = func(write func() (uint64, error)) (uint64, error) {
		held = write
		return 0, live.ErrUnknown
	}
	next = func(write func() (uint64, error)) (uint64, error) {
		if _, err := held(); err != nil {
			return 0, err
		}
		return write()
	}
	return first, next
}

// TestRetriesUncertainMove checks that a move is accepted once, whatever a shared log
// says of it at first.
func TestRetriesUncertainMove(t *testing.T) {
	held, overtakes := overtaken()
	for name, mood := range map[string][]func(func() (uint64, error)) (uint64, error){
		"it is written later":     {held, overtakes},
		"it is taken":             nil,
		"it is lost":              {lost, lost},
		"it was written":          {late},
		"another seems to be":     {early, early, early},
		"lost, then it is there":  {lost, late},
		"another, then it is not": {early, lost, late},
	} {
		for _, key := range []string{"", "0123456789abcdef"} {
			l := &moody{Log: live.NewMemory()}
			s := beside(t, l)
			const id = "abcdefgh2347"
			players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
			if err := s.Open(t.Context(), id, live.Settings{Game: "othello", Seats: players}, ""); err != nil {
				t.Fatal(err)
			}
			l.mood = mood
			if _, err := s.Do(t.Context(), id, live.Command{Do: live.Move, Move: "e3", Ply: 0, Key: key}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if got := ply(t, s, id); got != 1 || len(l.mood) > 0 {
				t.Errorf("%s: the game is at ply %d, want 1", name, got)
			}
			if !leads(s.Loaded(id)) {
				t.Errorf("%s: engines do not think where the move was made", name)
			}
			s.stop()
		}
	}
}

func leads(r *Room) bool {
	l := r.lock()
	defer l.unlock()
	return l.leads()
}

// TestGivenUp checks that the outcome of a command is unknown if it fails after one of its
// events was sent without an acknowledgement.
func TestGivenUp(t *testing.T) {
	failed := errors.New("the log is closed")
	fails := func(func() (uint64, error)) (uint64, error) { return 0, failed }
	for name, c := range map[string]struct {
		mood    []func(func() (uint64, error)) (uint64, error)
		unknown bool
	}{
		"at once":             {[]func(func() (uint64, error)) (uint64, error){fails}, false},
		"after it was sent":   {[]func(func() (uint64, error)) (uint64, error){lost, fails}, true},
		"after another event": {[]func(func() (uint64, error)) (uint64, error){early, fails}, false},
	} {
		l := &moody{Log: live.NewMemory()}
		s := beside(t, l)
		const id = "abcdefgh234c"
		players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
		if err := s.Open(t.Context(), id, live.Settings{Game: "othello", Seats: players}, ""); err != nil {
			t.Fatal(err)
		}
		l.mood = c.mood
		_, err := s.Do(t.Context(), id, live.Command{Do: live.Move, Move: "e3", Ply: 0})
		if !errors.Is(err, failed) || errors.Is(err, live.ErrUnknown) != c.unknown {
			t.Errorf("%s: %v, want it told as unknown: %t", name, err, c.unknown)
		}
		s.stop()
	}
}

// shut is a log that cannot be read until it is opened.
type shut struct {
	live.Log
	open chan struct{}
}

func (s shut) Read(ctx context.Context, table string) ([]live.Entry, error) {
	if table == live.ModerationStream {
		return nil, nil
	}
	select {
	case <-s.open:
		return s.Log.Read(ctx, table)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestOneRoom checks that a game has one room although some callers give up waiting for
// it: watchers of a second one would get no events.
func TestOneRoom(t *testing.T) {
	l := live.NewMemory()
	first := beside(t, l)
	const id = "abcdefgh2349"
	players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
	if err := first.Open(t.Context(), id, live.Settings{Game: "othello", Seats: players}, ""); err != nil {
		t.Fatal(err)
	}
	behind := shut{l, make(chan struct{})}
	second := beside(t, behind)
	impatient, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	var rooms [10]*Room
	for i := range rooms {
		all.Go(func() {
			ctx := t.Context()
			if i%2 == 0 {
				ctx = impatient
			}
			r, err := second.Room(ctx, id)
			if rooms[i] = r; (err != nil) != (i%2 == 0) {
				t.Errorf("who comes as number %d: %v", i, err)
			}
		})
	}
	cancel()
	time.Sleep(10 * time.Millisecond) // some have given up
	close(behind.open)
	all.Wait()
	for i := 1; i < len(rooms); i += 2 {
		if rooms[i] != second.Loaded(id) {
			t.Errorf("who comes as number %d is in a room that is forgotten", i)
		}
	}
	for _, s := range []*server{first, second} {
		s.stop()
	}
}

// TestRepeatedElsewhere repeats on one server a move that another has accepted. With the key of the move, the server
// reports it as repeated, even if it does not learn that the log refused its own event. Without a key, it refuses the move.
func TestRepeatedElsewhere(t *testing.T) {
	l := live.NewMemory()
	uncertain := &moody{Log: l}
	first, second := beside(t, l), beside(t, uncertain)
	const id = "abcdefgh2348"
	players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
	if err := first.Open(t.Context(), id, live.Settings{Game: "othello", Seats: players}, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Room(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	c := live.Command{Do: live.Move, Move: "e3", Ply: 0, Key: "0123456789abcdef"}
	for i, s := range []*server{first, second} {
		if o, err := s.Do(t.Context(), id, c); err != nil || o.Repeated != (i == 1) {
			t.Errorf("server %d: repeated %t, %v", i, o.Repeated, err)
		}
	}
	c = live.Command{Do: live.Move, Side: game.Second, Move: "f3", Ply: 1, Key: "0123456789abcdee"}
	uncertain.mood = append(uncertain.mood, func(func() (uint64, error)) (uint64, error) { // the other is faster
		time.Sleep(2 * time.Millisecond)
		if o, err := first.Do(t.Context(), id, c); err != nil || o.Repeated {
			t.Errorf("the faster server: repeated %t, %v", o.Repeated, err)
		}
		return 0, live.ErrUnknown
	})
	if o, err := second.Do(t.Context(), id, c); err != nil || !o.Repeated {
		t.Errorf("the slower server: repeated %t, %v", o.Repeated, err)
	}
	c.Key = ""
	var refused *live.Error
	if _, err := second.Do(t.Context(), id, c); !errors.As(err, &refused) || refused.Code != live.CodeStale {
		t.Errorf("without its key: %v, want it refused as stale", err)
	}
	for _, s := range []*server{first, second} {
		s.stop()
	}
}

// TestLateMoveAgain checks that a move which arrived after the time had run out is
// refused again when it is repeated with its key: it was not made.
func TestLateMoveAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := beside(t, live.NewMemory())
		const id = "abcdefgh234b"
		players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
		if err := s.Open(t.Context(), id, live.Settings{Game: "othello", Seats: players, Clock: live.TimeControl{Main: 10}}, ""); err != nil {
			t.Fatal(err)
		}
		r, err := s.Room(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Do(t.Context(), id, live.Command{Do: live.Move, Move: "e3", Ply: 0}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // whatever else sets the timer again has done so
		func() {
			l := r.lock()
			defer l.unlock()
			l.timer.Stop() // so that the server's own flag does not come
		}()
		time.Sleep(11 * time.Second)
		c := live.Command{Do: live.Move, Side: game.Second, Move: "f3", Ply: 1, Key: "0123456789abcdef"}
		if _, err := s.Do(t.Context(), id, c); !live.IsCode(err, live.CodeTime) {
			t.Errorf("a move that is late: %v, want it said", err)
		}
		if _, err := s.Do(t.Context(), id, c); !live.IsCode(err, live.CodeOver) {
			t.Errorf("the same again: %v, want the game to be over", err)
		}
		s.stop()
	})
}
