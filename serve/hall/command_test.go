package hall

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quintet/game"
	"quintet/live"
)

// slow is a log that writes an event when it is let.
type slow struct {
	live.Log
	waiting atomic.Int64
	let     chan struct{}
}

func (s *slow) Append(ctx context.Context, stream string, after uint64, data []byte) (uint64, error) {
	s.waiting.Add(1)
	defer s.waiting.Add(-1)
	<-s.let
	return s.Log.Append(ctx, stream, after, data)
}

// TestFaultWhileOthersWait checks that commands which wait for one that panics end, and
// execute nothing.
func TestFaultWhileOthersWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &moody{Log: live.NewMemory()}
		s := unstarted(t, l, false)
		const id = "abcdefgh2348"
		players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
		if err := s.Open(t.Context(), id, live.Settings{Game: "othello", Seats: players}, ""); err != nil {
			t.Fatal(err)
		}
		let := make(chan struct{})
		l.mood = []func(func() (uint64, error)) (uint64, error){func(func() (uint64, error)) (uint64, error) {
			<-let
			panic("in the log")
		}}
		var done [2]chan error
		for i := range done {
			done[i] = make(chan error, 1)
			go func() {
				_, err := s.Do(t.Context(), id, live.Command{Do: live.Offer, Side: game.Side(i)})
				done[i] <- err
			}()
			synctest.Wait()
		}
		close(let)
		for i := range done {
			if err := <-done[i]; !errors.Is(err, ErrFault) {
				t.Errorf("command %d: %v, want ErrFault", i, err)
			}
		}
		if list, err := l.Read(t.Context(), id); err != nil || len(list) != 1 {
			t.Errorf("the log has %d events, %v, want only the opening", len(list), err)
		}
		s.Close()
	})
}

// TestOneCommandAtATime checks that a command waits until the log has answered the one
// before, unless its context ends first, and that nobody who looks at the game waits.
func TestOneCommandAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &slow{Log: live.NewMemory(), let: make(chan struct{}, 1)}
		s := unstarted(t, l, false)
		const id = "abcdefgh2346"
		players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
		l.let <- struct{}{}
		if err := s.Open(t.Context(), id, live.Settings{Game: "othello", Seats: players}, ""); err != nil {
			t.Fatal(err)
		}
		do := func(ctx context.Context, c live.Command) chan error {
			done := make(chan error, 1)
			go func() {
				_, err := s.Do(ctx, id, c)
				done <- err
			}()
			synctest.Wait()
			return done
		}
		move := do(t.Context(), live.Command{Do: live.Move, Move: "e3", Ply: 0})
		reply := do(t.Context(), live.Command{Do: live.Move, Side: game.Second, Move: "d3", Ply: 1})
		ctx, leave := context.WithCancel(t.Context())
		impatient := do(ctx, live.Command{Do: live.Offer})
		leave()
		if err := <-impatient; !errors.Is(err, context.Canceled) {
			t.Errorf("a command that is cancelled while it waits: %v", err)
		}
		if n := ply(t, s, id); n != 0 || l.waiting.Load() != 1 {
			t.Errorf("ply %d is shown and %d events are written, want ply 0 and one event", n, l.waiting.Load())
		}
		for range 2 {
			l.let <- struct{}{}
			synctest.Wait()
		}
		if err := errors.Join(<-move, <-reply); err != nil || ply(t, s, id) != 2 {
			t.Errorf("ply %d, %v, want both moves made in their order", ply(t, s, id), err)
		}
		s.Close()
	})
}

// TestLateAndUnacknowledged checks that a move after the flag is refused, also if the log has written the flag without an
// acknowledgement: the server then finds it in the log.
func TestLateAndUnacknowledged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &moody{Log: live.NewMemory()}
		s := beside(t, l)
		defer s.stop()
		const id = "abcdefgh2347"
		settings := live.Settings{Game: "othello", Seats: [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}, Clock: live.TimeControl{Main: 2}}
		if err := s.Open(t.Context(), id, settings, ""); err != nil {
			t.Fatal(err)
		}
		for ply, move := range []string{"e3", "f3"} {
			if _, err := s.Do(t.Context(), id, live.Command{Do: live.Move, Side: game.Side(ply), Move: move, Ply: ply}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(2*time.Second + time.Millisecond) // the time has run out; the server flags only after live.MaxLag
		l.mu.Lock()
		l.mood = append(l.mood, late)
		l.mu.Unlock()
		_, err := s.Do(t.Context(), id, live.Command{Do: live.Move, Move: "c6", Ply: 2})
		if !live.IsCode(err, live.CodeTime) {
			t.Errorf("a move after the flag: %v, want it refused", err)
		}
		if got := last(t, l, id); got.Kind != live.Flagged {
			t.Errorf("the last event is %s, want the flag", got.Kind)
		}
	})
}
