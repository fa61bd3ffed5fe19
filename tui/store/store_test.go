package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quintet/games"
	"quintet/record"
	"quintet/tui/store"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func game(t *testing.T, moves string) *record.Record {
	t.Helper()
	g, err := games.ByName("chess")
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.New(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := r.Start.Clone()
	for word := range strings.FieldsSeq(moves) {
		mv, err := p.Parse(word)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Play(r.Last(), mv); err != nil {
			t.Fatal(err)
		}
		p.Play(mv)
	}
	return r
}

// TestFolders lists where files go, as the XDG Base Directory Specification
// says: a folder that is not absolute is ignored.
func TestFolders(t *testing.T) {
	for _, test := range []struct{ home, state, want string }{
		{"a", "", "a/.local/state/quintet"},
		{"a", "b", "b/quintet"},
		{"a", "relative", "a/.local/state/quintet"},
	} {
		root := t.TempDir()
		env := map[string]string{"HOME": filepath.Join(root, test.home)}
		if test.state != "" {
			env["XDG_STATE_HOME"] = filepath.Join(root, test.state)
		}
		if test.state == "relative" {
			env["XDG_STATE_HOME"] = test.state
		}
		s, err := store.Open(func(name string) string { return env[name] })
		if err != nil {
			t.Fatal(err)
		}
		if err := s.SaveCurrent(game(t, "e2e4")); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(root, test.want, "current.quintet")); err != nil {
			t.Error(err)
		}
	}
	if _, err := store.Open(func(string) string { return "" }); err == nil || !strings.Contains(err.Error(), "want one") {
		t.Errorf("no home: error %v", err)
	}
}

func TestCurrent(t *testing.T) {
	root := t.TempDir()
	s := store.In(root)
	if r, err := s.Current(); r != nil || err != nil {
		t.Errorf("nothing is kept, got %v, %v", r, err)
	}
	if err := s.SaveCurrent(game(t, "e2e4 e7e5")); err != nil {
		t.Fatal(err)
	}
	r, err := s.Current()
	if err != nil || r.Moves() != "e2e4 e7e5" {
		t.Errorf("got %v, %v", r, err)
	}
	if err := os.WriteFile(filepath.Join(root, "state", "current.quintet"), []byte("[Game \"che"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Current(); err == nil || !strings.Contains(err.Error(), "the game in progress") {
		t.Errorf("a broken file: error %v", err)
	}
}

// TestShelve wants every game once among the saved ones, and none without moves.
func TestShelve(t *testing.T) {
	s := store.In(t.TempDir())
	for _, moves := range []string{"", "e2e4", "e2e4", "d2d4"} {
		if err := s.Shelve(noon); err != nil {
			t.Fatal(err)
		}
		if err := s.SaveCurrent(game(t, moves)); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.List()
	if err != nil || len(list) != 1 || list[0].Name != "chess-2026-03-01" {
		t.Errorf("saved are %v, %v", list, err)
	}
	if err := s.Shelve(noon); err != nil || !s.Exists("chess-2026-03-01-2") {
		t.Errorf("the second game has no name of its own: %v", err)
	}
}

func TestChoices(t *testing.T) {
	root := t.TempDir()
	s := store.In(root)
	choices := map[string]int{"zoom": 1}
	if err := s.Choices(&choices); err != nil || choices["zoom"] != 1 {
		t.Errorf("nothing is kept, got %v, %v", choices, err)
	}
	if err := s.SaveChoices(map[string]int{"zoom": 2}); err != nil {
		t.Fatal(err)
	}
	if err := s.Choices(&choices); err != nil || choices["zoom"] != 2 {
		t.Errorf("got %v, %v, want 2", choices, err)
	}
	if err := os.WriteFile(filepath.Join(root, "config", "choices.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Choices(&choices); err == nil {
		t.Error("a broken file is no error")
	}
}

// TestPath lists where a game of a name goes.
func TestPath(t *testing.T) {
	s := store.In("/r")
	for name, want := range map[string]string{
		"a": "/r/data/games/a.quintet", "a.quintet": "/r/data/games/a.quintet", "./a": "./a", "/x/y.q": "/x/y.q", "..": "/r/data/games/...quintet",
	} {
		if got := s.Path(name); got != want {
			t.Errorf("Path(%q) = %q, want %q", name, got, want)
		}
	}
}
