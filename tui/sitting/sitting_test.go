package sitting_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quintet/game"
	"quintet/games"
	"quintet/record"
	"quintet/tui/sitting"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// sit begins a game; players are the names of both sides.
func sit(t testing.TB, name string, setup game.Setup, terms sitting.Terms) *sitting.Sitting {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sitting.New(g, setup, terms, noon)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func two(first, second string) sitting.Terms { return sitting.Terms{Seats: [2]string{first, second}} }

// play plays moves at a time.
func play(t testing.TB, s *sitting.Sitting, moves string, now time.Time) {
	t.Helper()
	for word := range strings.FieldsSeq(moves) {
		mv, err := s.Position().Parse(word)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Play(mv, now); err != nil {
			t.Fatal(err)
		}
	}
}

// text is the record as a file would have it.
func text(t testing.TB, s *sitting.Sitting) string {
	t.Helper()
	out, err := s.Record.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestUndo(t *testing.T) {
	t.Run("a move of two people", func(t *testing.T) {
		s := sit(t, "chess", nil, two("person", "person"))
		play(t, s, "e2e4 e7e5", noon)
		if !s.Undo(noon) || s.Ply() != 1 || s.Paused() {
			t.Errorf("ply %d, paused %t, want 1 and no pause", s.Ply(), s.Paused())
		}
	})
	t.Run("the engine's answer, too", func(t *testing.T) {
		s := sit(t, "chess", nil, two("person", "level:1"))
		play(t, s, "e2e4 e7e5 d2d4 d7d5", noon)
		if !s.Undo(noon) || s.Ply() != 2 {
			t.Errorf("ply %d, want 2", s.Ply())
		}
		if !s.Redo(noon) || s.Ply() != 4 {
			t.Errorf("after redo: ply %d, want 4", s.Ply())
		}
		if s.Redo(noon) {
			t.Error("redo at the end, want none")
		}
	})
	t.Run("before the engine's first move", func(t *testing.T) {
		s := sit(t, "chess", nil, two("level:1", "person"))
		play(t, s, "e2e4", noon)
		if !s.Undo(noon) || s.Ply() != 0 || !s.Paused() {
			t.Errorf("ply %d, paused %t, want 0 and a pause", s.Ply(), s.Paused())
		}
		if s.Undo(noon) {
			t.Error("undo at the start, want none")
		}
	})
	t.Run("between two engines one move", func(t *testing.T) {
		s := sit(t, "chess", nil, two("level:1", "level:1"))
		play(t, s, "e2e4 e7e5", noon)
		if !s.Undo(noon) || s.Ply() != 1 || !s.Paused() {
			t.Errorf("ply %d, paused %t, want 1 and a pause", s.Ply(), s.Paused())
		}
	})
	t.Run("a resignation", func(t *testing.T) {
		s := sit(t, "chess", nil, two("person", "person"))
		play(t, s, "e2e4", noon)
		if err := s.Resign(game.Second); err != nil {
			t.Fatal(err)
		}
		if r, why := s.Result(); r != game.FirstWins || why != record.Resigned {
			t.Errorf("%s by %s", r, why)
		}
		if !s.Undo(noon) || s.Ply() != 1 || !s.Running() {
			t.Error("the resignation is not taken back")
		}
	})
}

// TestOtherMove plays another move than the one that was taken back: both stay.
func TestOtherMove(t *testing.T) {
	s := sit(t, "chess", nil, two("person", "person"))
	play(t, s, "e2e4 e7e5", noon)
	s.Undo(noon)
	play(t, s, "d7d5", noon)
	if got, want := s.Record.Moves(), "e2e4 d7d5"; got != want {
		t.Errorf("the main line is %q, want %q", got, want)
	}
	if !strings.Contains(text(t, s), "e7e5") {
		t.Errorf("the move that was taken back is lost:\n%s", text(t, s))
	}
}

func TestClock(t *testing.T) {
	terms := two("person", "person")
	terms.Clock = sitting.Clock{Base: time.Minute, Increment: 5 * time.Second}
	s := sit(t, "chess", nil, terms)
	at := func(sec int) time.Time { return noon.Add(time.Duration(sec) * time.Second) }
	left := func(side game.Side, now int, want time.Duration) {
		t.Helper()
		if got := s.Left(side, at(now)); got != want {
			t.Errorf("after %d s the %s side has %s, want %s", now, side, got, want)
		}
	}
	left(game.First, 10, 50*time.Second)
	left(game.Second, 10, time.Minute)
	play(t, s, "e2e4", at(20))
	left(game.First, 30, 45*time.Second)
	left(game.Second, 30, 50*time.Second)
	s.Pause(true, at(30))
	left(game.Second, 100, 50*time.Second)
	s.Pause(false, at(100))
	left(game.Second, 110, 40*time.Second)
	play(t, s, "e7e5", at(110))
	left(game.Second, 110, 45*time.Second)
	s.Undo(at(120)) // clocks go back with the move
	left(game.Second, 120, time.Minute)
	if s.Flag(at(179)) || !s.Flag(at(180)) {
		t.Error("the flag does not fall after the minute")
	}
	if r, why := s.Result(); r != game.FirstWins || why != record.OnTime {
		t.Errorf("%s by %s, want the first side to win on time", r, why)
	}
	if !strings.Contains(text(t, s), "[TimeControl") {
		t.Errorf("no clock in\n%s", text(t, s))
	}
}

func TestParseClock(t *testing.T) {
	for in, want := range map[string]string{"none": "none", "": "none", "5+3": "5+3", "10": "10+0", "0.5+1": "0.5+1"} {
		if c, err := sitting.ParseClock(in); err != nil || c.String() != want {
			t.Errorf("ParseClock(%q) = %s, %v, want %s", in, c, err, want)
		}
	}
	for _, in := range []string{"x", "-5", "5+-1", "0", "5+3+1", "1e99", "NaN", "5m"} {
		if _, err := sitting.ParseClock(in); err == nil || !strings.Contains(err.Error(), "5+3") {
			t.Errorf("ParseClock(%q): error %v, want one that says what is wanted", in, err)
		}
	}
}

func TestHalt(t *testing.T) {
	s := sit(t, "chess", game.Setup{"halt": "claim"}, two("person", "person"))
	play(t, s, "e2e4 d7d5 e4d5", noon)
	if over, err := s.Halt(game.First); over || !errors.Is(err, game.ErrHalt) {
		t.Errorf("out of turn: %t, %v", over, err)
	}
	if over, err := s.Halt(game.Second); !over || err != nil {
		t.Errorf("in turn: %t, %v", over, err)
	}
	if r, why := s.Result(); r != game.FirstWins || why != record.Halted {
		t.Errorf("%s by %s", r, why)
	}
	text(t, s)

	s = sit(t, "chess", game.Setup{"halt": "agreed"}, two("person", "person"))
	for i, side := range []game.Side{game.First, game.Second} {
		if over, err := s.Halt(side); over != (i == 1) || err != nil {
			t.Errorf("%s: %t, %v", side, over, err)
		}
	}
	if s = sit(t, "loa", nil, two("person", "person")); s.HaltRule() != "" {
		t.Errorf("halt rule of a game without one is %q", s.HaltRule())
	}
}

func TestDraw(t *testing.T) {
	s := sit(t, "loa", nil, two("person", "person"))
	play(t, s, "a1c1", noon)
	if agreed, err := s.Draw(game.First); agreed || err != nil {
		t.Fatal(agreed, err)
	}
	s.Decline()
	if agreed, err := s.Draw(game.Second); agreed || err != nil {
		t.Fatal("an offer that was declined counts", agreed, err)
	}
	if agreed, err := s.Draw(game.First); !agreed || err != nil {
		t.Fatal(agreed, err)
	}
	if r, why := s.Result(); r != game.Draw || why != record.Agreed {
		t.Errorf("%s by %s", r, why)
	}
}

// TestAnything does random things to games and wants, after each, that the record
// can be saved and that a game that is resumed from it stands where it stood.
func TestAnything(t *testing.T) {
	path := filepath.Join(t.TempDir(), "game")
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.SampledFrom(games.All()).Draw(t, "game")
		terms := two(rapid.SampledFrom([]string{"person", "random"}).Draw(t, "first"), "person")
		if rapid.Bool().Draw(t, "clock") {
			terms.Clock = sitting.Clock{Base: time.Minute, Increment: time.Second}
		}
		s, err := sitting.New(g, nil, terms, noon)
		if err != nil {
			t.Fatal(err)
		}
		now := noon
		for range rapid.IntRange(1, 25).Draw(t, "actions") {
			now = now.Add(time.Duration(rapid.IntRange(0, 4000).Draw(t, "ms")) * time.Millisecond)
			anything(t, s, now)
			if err := record.Save(path, s.Record); err != nil {
				t.Fatalf("saving: %v", err)
			}
			again(t, path, s, now)
		}
	})
}

// anything does one thing that a user can do.
func anything(t *rapid.T, s *sitting.Sitting, now time.Time) {
	switch action := rapid.IntRange(0, 19).Draw(t, "action"); action {
	case 0, 1:
		s.Undo(now)
	case 2:
		s.Redo(now)
	case 3:
		s.Swap()
	case 4:
		s.Pause(!s.Paused(), now)
	case 5:
		_ = s.Resign(s.Turn())
	case 6:
		_, _ = s.Draw(s.Turn())
	case 7:
		_, _ = s.Halt(s.Turn())
	case 8:
		s.Flag(now)
	default:
		if legal := s.Legal(); len(legal) > 0 {
			mv := rapid.SampledFrom(legal).Draw(t, "move")
			if err := s.Play(mv, now); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// again resumes a game from its file and compares it.
func again(t *rapid.T, path string, s *sitting.Sitting, now time.Time) {
	list, err := record.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := sitting.Resume(list[0], func(string) bool { return true }, now)
	if err != nil {
		t.Fatal(err)
	}
	if r.Position().String() != s.Position().String() || r.Ply() != s.Ply() {
		t.Fatalf("resumed at ply %d %s, want %d %s", r.Ply(), r.Position(), s.Ply(), s.Position())
	}
	if r.Terms != s.Terms {
		t.Fatalf("resumed with %v, want %v", r.Terms, s.Terms)
	}
	got, why := r.Result()
	if want, because := s.Result(); got != want || why != because {
		t.Fatalf("resumed as %s (%s), want %s (%s)", got, why, want, because)
	}
}
