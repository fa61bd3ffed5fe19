package hall

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"quintet/game"
	"quintet/live"
)

// between is a log that does something before it writes the first event of a table
// other than one.
type between struct {
	live.Log
	old string

	mu sync.Mutex // guards do
	do func() error
}

func (b *between) Append(ctx context.Context, id string, after uint64, data []byte) (uint64, error) {
	b.mu.Lock()
	do := b.do
	b.mu.Unlock()
	if do != nil && id != b.old && strings.Contains(string(data), `"opened"`) {
		if err := do(); err != nil {
			return 0, err
		}
	}
	return b.Log.Append(ctx, id, after, data)
}

func (b *between) set(do func() error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.do = do
}

// ended opens a game on a server and ends it; the first side has asked for another.
func ended(t *testing.T, s *server, id string) {
	t.Helper()
	players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
	if err := s.Open(t.Context(), id, live.Settings{Game: "othello", Seats: players}, ""); err != nil {
		t.Fatal(err)
	}
	for _, c := range []live.Command{{Do: live.Resign}, {Do: live.AskRematch, Next: "abcdefgh2342"}} {
		if _, err := s.Do(t.Context(), id, c); err != nil {
			t.Fatal(err)
		}
	}
}

func next(t *testing.T, s *server, id string) (text string) {
	t.Helper()
	r, err := s.Room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	r.View(func(t *live.Table) bool { text = t.Rematch(); return true })
	return text
}

// TestRematchIsThere checks that a rematch is open before it is announced, even if the
// player who agreed to it has gone.
func TestRematchIsThere(t *testing.T) {
	const id, follows = "abcdefgh234c", "abcdefgh234d"
	l := &between{Log: live.NewMemory(), old: id}
	s := beside(t, l)
	ended(t, s, id)
	ctx, leave := context.WithCancel(t.Context())
	l.set(func() error {
		if got := next(t, s, id); got != "" {
			t.Errorf("rematch %s is told of before it is there", got)
		}
		leave()
		return nil
	})
	if _, err := s.Do(ctx, id, live.Command{Do: live.Accept, Side: game.Second, Next: follows}); err != nil {
		t.Error(err)
	}
	if got := next(t, s, id); got != follows {
		t.Errorf("the rematch is %q, want %q", got, follows)
	}
	if list, err := l.Read(t.Context(), follows); err != nil || len(list) != 1 {
		t.Errorf("the log has %d events of the rematch, want 1 (%v)", len(list), err)
	}
	s.stop()
}

// TestRematchLater checks that a rematch which could not be opened is opened when it is
// requested again, and when its game is next loaded.
func TestRematchLater(t *testing.T) {
	for name, again := range map[string]func(*server, string) error{
		"asked for again": func(s *server, id string) error {
			_, err := s.Do(t.Context(), id, live.Command{Do: live.AskRematch, Next: "abcdefgh234f"})
			if live.IsCode(err, live.CodeNothing) {
				return nil // it is there already
			}
			return errors.Join(errors.New("want it refused"), err)
		},
		"loaded": func(s *server, id string) error {
			s.remove(id, s.Loaded(id))
			_, err := s.Room(t.Context(), id)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			const id, follows = "abcdefgh234e", "abcdefgh234g"
			l := &between{Log: live.NewMemory(), old: id}
			s := beside(t, l)
			ended(t, s, id)
			l.set(func() error { return errors.New("the log accepts nothing") })
			if _, err := s.Do(t.Context(), id, live.Command{Do: live.Accept, Side: game.Second, Next: follows}); !errors.Is(err, live.ErrUnknown) {
				t.Errorf("a rematch that is agreed to, and cannot be opened: %v, want it told as unknown", err)
			}
			l.set(nil)
			if err := again(s, id); err != nil {
				t.Error(err)
			}
			if list, err := l.Read(t.Context(), follows); err != nil || len(list) != 1 {
				t.Errorf("the log has %d events of the rematch, want 1 (%v)", len(list), err)
			}
			s.stop()
		})
	}
}
