// Package store stores the files of the terminal program: the user's last choices,
// autosaves of every game, and saved games. It replaces files atomically (see
// [atomicfile.Write]).
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quintet/record"
	"quintet/record/formats"
)

// Extension is the file name extension of records.
const Extension = ".quintet"

// Store holds the folders of the program's files.
type Store struct {
	Config string // folder of the choices
	State  string // folder of autosaved games
	Data   string // folder of games saved by name
	Home   string // expansion of ~
}

// Open returns the folders of the XDG Base Directory Specification. getenv is usually
// os.Getenv.
func Open(getenv func(string) string) Store {
	folder := func(variable, usual string) string {
		if dir := getenv(variable); filepath.IsAbs(dir) {
			return filepath.Join(dir, "quintet")
		}
		return filepath.Join(getenv("HOME"), usual, "quintet")
	}
	return Store{
		Config: folder("XDG_CONFIG_HOME", ".config"),
		State:  filepath.Join(folder("XDG_STATE_HOME", filepath.Join(".local", "state")), "games"),
		Data:   folder("XDG_DATA_HOME", filepath.Join(".local", "share")),
		Home:   getenv("HOME"),
	}
}

// Entry is a file of games.
type Entry struct {
	Path    string
	Name    string // of the file, without its extension
	Saved   bool   // saved by name; false for an autosave
	Changed time.Time
}

// NewGame creates an empty autosave file with a unique name and returns its path.
func (s Store) NewGame(name string, now time.Time) (string, error) {
	if err := os.MkdirAll(s.State, 0o700); err != nil {
		return "", fmt.Errorf("making the folder of games: %w", err)
	}
	stem := filepath.Join(s.State, now.Format("2006-01-02 15.04.05 ")+name)
	path := stem + Extension
	for n := 2; ; n++ {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // the folder is the user's own choice
		if errors.Is(err, fs.ErrExist) {
			path = fmt.Sprintf("%s %d%s", stem, n, Extension)
			continue
		}
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			return "", fmt.Errorf("making the file of a game: %w", err)
		}
		return path, nil
	}
}

// Path returns the path for a saved game: in the folder of saved games unless the
// name includes a folder. It adds the extension.
func (s Store) Path(name string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" || strings.HasSuffix(name, string(filepath.Separator)) {
		return "", errors.New("saving a game: type a name")
	}
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		name = filepath.Join(s.Home, rest)
	}
	if !strings.Contains(name, string(filepath.Separator)) {
		name = filepath.Join(s.Data, name)
	}
	if filepath.Ext(name) == "" {
		name += Extension
	}
	return name, nil
}

// Save saves a record to a file.
func (s Store) Save(path string, r *record.Record) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("making the folder of games: %w", err)
	}
	if err := record.Save(path, r); err != nil {
		return fmt.Errorf("saving the game: %w", err)
	}
	return nil
}

// Load loads the first game of a file.
func (s Store) Load(path string) (*record.Record, error) {
	list, err := record.Load(path)
	if err != nil {
		return nil, fmt.Errorf("loading %s: %w", filepath.Base(path), err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("loading %s: no game in the file", filepath.Base(path))
	}
	return list[0], nil
}

// Import loads the first game of a file in any format of package formats and returns the format's
// name.
func (s Store) Import(path string) (r *record.Record, form string, err error) {
	text, err := os.ReadFile(path) //nolint:gosec // the user's file
	if err != nil {
		return nil, "", fmt.Errorf("opening a file: %w", err)
	}
	list, form, _, err := formats.Read(text, formats.Hint{})
	if err != nil {
		return nil, "", fmt.Errorf("opening %s: %w", filepath.Base(path), err)
	}
	if len(list) == 0 {
		return nil, "", fmt.Errorf("opening %s: no game in the file", filepath.Base(path))
	}
	return list[0], form, nil
}

// List returns all files of games, latest first.
func (s Store) List() (list []Entry, err error) {
	for _, dir := range []string{s.State, s.Data} {
		files, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return list, fmt.Errorf("looking for games: %w", err)
		}
		for _, f := range files {
			info, err := f.Info()
			if err != nil || f.IsDir() || filepath.Ext(f.Name()) != Extension || info.Size() == 0 {
				continue
			}
			list = append(list, Entry{
				Path: filepath.Join(dir, f.Name()), Name: strings.TrimSuffix(f.Name(), Extension),
				Saved: dir == s.Data, Changed: info.ModTime(),
			})
		}
	}
	slices.SortStableFunc(list, func(a, b Entry) int { return b.Changed.Compare(a.Changed) })
	return list, nil
}

// Unfinished returns the latest autosaved game that is not over; ok is false if there
// is none.
func (s Store) Unfinished() (e Entry, r *record.Record, ok bool) {
	const looks = 20 // number of files to open, to start quickly
	list, _ := s.List()
	for _, e := range list[:min(len(list), looks)] {
		if e.Saved {
			continue
		}
		if r, err := s.Load(e.Path); err == nil && !r.Result.Over() && len(r.Main()) > 0 {
			return e, r, true
		}
	}
	return Entry{}, nil, false
}

// IsAutosave reports whether a file is an autosave.
func (s Store) IsAutosave(path string) bool {
	return path != "" && filepath.Dir(path) == filepath.Clean(s.State)
}

// HasOneGame reports whether a file has a single game, so that saving it again loses
// no other.
func (s Store) HasOneGame(path string) bool {
	list, err := record.Load(path)
	return err == nil && len(list) == 1
}

// Delete deletes a file.
func (s Store) Delete(path string) error {
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("deleting %s: %w", filepath.Base(path), err)
	}
	return nil
}
