// Package store keeps what the terminal program must not lose on the disk: the
// game in progress, saved games and the last choices.
//
// Start with Open, which finds the folders that the XDG Base Directory
// Specification names. The package promises that a file is at any moment either
// the old or the new one.
package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quintet/record"
)

// Store is where files are.
type Store struct {
	state  string // the game in progress
	config string // choices
	data   string // saved games
}

// The names of files.
const (
	currentFile = "current.quintet"
	choicesFile = "choices.json"
	suffix      = ".quintet"
)

// Open returns the store of a user. The folders are made when they are needed.
func Open(env func(string) string) (*Store, error) {
	home := env("HOME")
	s := &Store{}
	for _, dir := range []struct {
		field     *string
		name, def string
	}{
		{&s.state, "XDG_STATE_HOME", ".local/state"},
		{&s.config, "XDG_CONFIG_HOME", ".config"},
		{&s.data, "XDG_DATA_HOME", ".local/share"},
	} {
		root := env(dir.name)
		if !filepath.IsAbs(root) { // the specification says to ignore others
			root = filepath.Join(home, dir.def)
		}
		if !filepath.IsAbs(root) {
			return nil, fmt.Errorf("looking for a place for games: neither $%s nor $HOME is a folder, want one", dir.name)
		}
		*dir.field = filepath.Join(root, "quintet")
	}
	return s, nil
}

// In returns a store whose folders are below one.
func In(root string) *Store {
	return &Store{filepath.Join(root, "state"), filepath.Join(root, "config"), filepath.Join(root, "data")}
}

// SaveCurrent keeps the game in progress.
func (s *Store) SaveCurrent(r *record.Record) error {
	if err := os.MkdirAll(s.state, 0o700); err != nil {
		return fmt.Errorf("keeping the game: %w", err)
	}
	if err := record.Save(filepath.Join(s.state, currentFile), r); err != nil {
		return fmt.Errorf("keeping the game: %w", err)
	}
	return nil
}

// Current returns the game that was in progress; nil if there is none.
func (s *Store) Current() (*record.Record, error) {
	list, err := record.Load(filepath.Join(s.state, currentFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading the game in progress: %w", err)
	case len(list) == 0:
		return nil, nil
	}
	return list[0], nil
}

// Shelve puts the game in progress among the saved games, before another one
// takes its place; not if it has no moves, or is there already.
func (s *Store) Shelve(now time.Time) error {
	r, err := s.Current()
	if err != nil || r == nil || len(r.Root.Next) == 0 {
		return err
	}
	text, err := r.Append(nil)
	if err != nil {
		return fmt.Errorf("keeping the game before: %w", err)
	}
	saved, err := s.List()
	if err != nil {
		return err
	}
	for _, file := range saved {
		if other, err := os.ReadFile(file.Path); err == nil && bytes.Equal(text, other) { // #nosec G304 -- a saved game
			return nil
		}
	}
	_, err = s.Save(s.FreeName(r, now), r)
	return err
}

// FreeName returns a name for a game that no saved game has: of its game and the
// day.
func (s *Store) FreeName(r *record.Record, now time.Time) string {
	day := r.Game.Name + "-" + now.Format("2006-01-02")
	name := day
	for i := 2; s.Exists(name); i++ {
		name = fmt.Sprintf("%s-%d", day, i)
	}
	return name
}

// Saved is a file of games.
type Saved struct {
	Name string // without the suffix
	Path string
	Time time.Time
}

// Games returns the folder of saved games.
func (s *Store) Games() string { return filepath.Join(s.data, "games") }

// List returns the saved games, the latest first.
func (s *Store) List() ([]Saved, error) {
	entries, err := os.ReadDir(s.Games())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("listing saved games: %w", err)
	}
	var list []Saved
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), suffix)
		info, err := e.Info()
		if !ok || err != nil || !info.Mode().IsRegular() {
			continue
		}
		list = append(list, Saved{name, filepath.Join(s.Games(), e.Name()), info.ModTime()})
	}
	slices.SortStableFunc(list, func(a, b Saved) int { return b.Time.Compare(a.Time) })
	return list, nil
}

// Save keeps a game under a name, or at a path if the name is one, and returns
// the path.
func (s *Store) Save(name string, r *record.Record) (path string, err error) {
	path = s.Path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("saving the game: %w", err)
	}
	if err := record.Save(path, r); err != nil {
		return "", fmt.Errorf("saving the game: %w", err)
	}
	return path, nil
}

// Path returns where a game of a name is: a name with a slash is a path already.
func (s *Store) Path(name string) string {
	if strings.ContainsRune(name, '/') {
		return name
	}
	return filepath.Join(s.Games(), strings.TrimSuffix(name, suffix)+suffix)
}

// Exists reports whether there is a file already where a name leads.
func (s *Store) Exists(name string) bool {
	_, err := os.Stat(s.Path(name))
	return err == nil
}

// SaveChoices keeps choices for the next start.
func (s *Store) SaveChoices(choices any) error {
	text, err := json.MarshalIndent(choices, "", "  ")
	if err == nil {
		err = os.MkdirAll(s.config, 0o700)
	}
	if err == nil {
		err = record.Replace(filepath.Join(s.config, choicesFile), append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keeping the choices: %w", err)
	}
	return nil
}

// Choices reads the choices of the last start into a pointer; it leaves it as it
// is if there are none.
func (s *Store) Choices(into any) error {
	text, err := os.ReadFile(filepath.Join(s.config, choicesFile)) // #nosec G304 -- the user's own folder
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return fmt.Errorf("reading the choices: %w", err)
	}
	return nil
}
