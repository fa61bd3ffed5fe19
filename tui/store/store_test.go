package store_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/game"
	"quintet/games"
	"quintet/record"
	"quintet/tui/store"
)

func in(t *testing.T) (store.Store, string) {
	dir := t.TempDir()
	return store.Open(func(name string) string { return map[string]string{"HOME": dir}[name] }), dir
}

// TestOpen lists folders as the environment names them; relative ones are to be
// ignored, as the XDG specification says.
func TestOpen(t *testing.T) {
	env := map[string]string{"HOME": "/home/ann", "XDG_STATE_HOME": "/s", "XDG_DATA_HOME": "relative"}
	got := store.Open(func(name string) string { return env[name] })
	want := store.Store{Config: "/home/ann/.config/quintet", State: "/s/quintet/games", Data: "/home/ann/.local/share/quintet", Home: "/home/ann"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestChoices stores choices and falls back to defaults for a broken file.
func TestChoices(t *testing.T) {
	s, _ := in(t)
	c, err := s.Choices()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(store.DefaultChoices(), c); diff != "" {
		t.Error(diff)
	}
	c.Game, c.Setups["othello"] = "loa", game.Setup{"size": "10"}
	if err := s.Remember(c); err != nil {
		t.Fatal(err)
	}
	again, err := s.Choices()
	if diff := cmp.Diff(c, again); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if err := os.WriteFile(filepath.Join(s.Config, "choices.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err = s.Choices()
	if diff := cmp.Diff(store.DefaultChoices(), again); diff != "" || err == nil {
		t.Error(diff, "want an error and the default choices")
	}
}

// TestGames keeps two games of one second apart, and finds the one that is not
// over.
func TestGames(t *testing.T) {
	s, _ := in(t)
	g, err := games.ByName("loa")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var paths []string
	for i := range 2 {
		path, err := s.NewGame("loa", now)
		if err != nil {
			t.Fatal(err)
		}
		r, err := record.New(g, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Play(r.Root, r.Start.Moves(nil)[0]); err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			r.Result, r.End = game.FirstWins, record.Resigned
		}
		if err := s.Save(path, r); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	if paths[0] == paths[1] {
		t.Errorf("both games are in %s", paths[0])
	}
	e, r, ok := s.Unfinished()
	if !ok || e.Path != paths[0] || len(r.Main()) != 1 {
		t.Errorf("unfinished: %v, %v", e, ok)
	}
}

// TestPath lists names under which games are saved.
func TestPath(t *testing.T) {
	s, home := in(t)
	for name, want := range map[string]string{
		"mine":       filepath.Join(s.Data, "mine.quintet"),
		"/tmp/x.txt": "/tmp/x.txt",
		"~/x":        filepath.Join(home, "x.quintet"),
		"":           "",
		"dir/":       "",
	} {
		got, err := s.Path(name)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", name, got, err, want)
		}
	}
}

// TestImport opens files in the forms of others.
func TestImport(t *testing.T) {
	s, dir := in(t)
	for _, test := range []struct{ text, game, form string }{
		{"(;FF[4]GM[2]SZ[8];B[fe];W[df])", "othello", "sgf"},
		{"1. e4 e5 *", "chess", "pgn"},
		{"[Game \"loa\"]\n\n1. a1c1 *\n", "loa", "quintet"},
	} {
		path := filepath.Join(dir, "game")
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, form, err := s.Import(path)
		if err != nil || form != test.form || r.Game.Name != test.game {
			t.Errorf("%q is read as %q (%v), want %s in %s", test.text, form, err, test.game, test.form)
		}
	}
	for _, text := range []string{"", "nonsense"} {
		path := filepath.Join(dir, "game")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Import(path); err == nil {
			t.Errorf("%q is read as a game", text)
		}
	}
}
