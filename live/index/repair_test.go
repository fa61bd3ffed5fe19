package index

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/live"
)

// opened returns the events that open n games.
func opened(t *testing.T, n int) (list []live.Entry) {
	t.Helper()
	for i := range n {
		id := fmt.Sprintf("game%08d", i)
		e, err := live.OpenTable(id, live.Settings{Game: "othello", Seats: [2]live.Player{{Name: fmt.Sprint("Ann", i%7)}, {Name: fmt.Sprint("Ben", i)}}}, "", live.Stamp{Wall: int64(1000 + i)})
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, live.Entry{Stream: id, Seq: uint64(i) + 1, Data: data})
	}
	return list
}

// answers returns what an index answers to several queries.
func answers(t *testing.T, x *Index) (list []any, err error) {
	t.Helper()
	for _, q := range []Query{{Limit: MaxLimit}, {Limit: MaxLimit, Game: "othello"}, {Limit: MaxLimit, State: live.Live}, {Limit: MaxLimit, Player: "Ann3"}, {Player: "Ben5", State: live.Live}} {
		for next := (Cursor{ID: "z", Created: 1 << 40}); next != (Cursor{}); {
			var rows []Row
			q.After = next
			if rows, next, err = x.List(t.Context(), q); err != nil {
				return nil, err
			}
			list = append(list, rows)
		}
	}
	n, err := x.Count(t.Context())
	return append(list, n), err
}

// file is an index of some hundred games in a file, and what it must answer.
type file struct {
	path   string
	events []live.Entry
	want   []any
	data   []byte // of the file when it was closed
}

const pageSize = 4096

func makeFile(t *testing.T, games int) *file {
	t.Helper()
	f := &file{path: filepath.Join(t.TempDir(), "list.sqlite"), events: opened(t, games)}
	x := f.open(t)
	for batch := range slices.Chunk(f.events, 2000) {
		if err := x.Apply(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if f.want, err = answers(t, x); err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if f.data, err = os.ReadFile(f.path); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *file) open(t *testing.T) *Index {
	t.Helper()
	x, err := Open(t.Context(), f.path, uint64(len(f.events)), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// flip changes a byte of the file.
func (f *file) flip(t *testing.T, at int) {
	t.Helper()
	w, err := os.OpenFile(f.path, os.O_WRONLY, 0)
	if err == nil {
		_, err = w.WriteAt([]byte{f.data[at] ^ 0x55}, int64(at))
		err = errors.Join(err, w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// recover rebuilds an index that is damaged, as servers do, and checks its answers.
func (f *file) recover(t *testing.T, name string, x *Index) {
	t.Helper()
	err := x.Repair(t.Context(), uint64(len(f.events)))
	var after uint64
	if err == nil {
		after, err = x.LastApplied(t.Context())
	}
	if err == nil {
		err = x.Apply(t.Context(), f.events[after:])
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	got, err := answers(t, x)
	if diff := cmp.Diff(f.want, got); err != nil || diff != "" {
		t.Errorf("%s: %v (-want +got):\n%.2000s", name, err, diff)
	}
}

// TestDamage flips a byte in pages of the file, while the database is closed and while it is
// open. All lists are right afterwards.
func TestDamage(t *testing.T) {
	f := makeFile(t, 150)
	if len(f.data) < 20*pageSize {
		t.Fatalf("the file has only %d bytes", len(f.data))
	}
	for page := 0; page < len(f.data)/pageSize; page += 4 {
		// Rows fill pages from their end, so that this is often a letter of a name.
		at := page*pageSize + pageSize*(1+page%7)/8 + page%53
		f.flip(t, at)
		x := f.open(t)
		if !x.Rebuilding() {
			t.Errorf("byte %d, closed: the damage is not noticed", at)
		}
		f.recover(t, fmt.Sprintf("byte %d, closed", at), x)
		f.flipWhileOpen(t, x, at)
		if err := x.Close(); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(f.path, f.data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func (f *file) flipWhileOpen(t *testing.T, x *Index, at int) {
	t.Helper()
	if err := x.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.flip(t, at)
	_, _ = answers(t, x) // right or wrong: nobody has looked yet
	if err := x.Checkpoint(t.Context()); err == nil {
		t.Errorf("byte %d, open: the damage is not noticed", at)
	}
	if _, err := answers(t, x); !errors.Is(err, ErrRebuilding) {
		t.Errorf("byte %d, open: queries return %v, want ErrRebuilding", at, err)
	}
	f.recover(t, fmt.Sprintf("byte %d, open", at), x)
}

// TestQueryFindsDamage overwrites the file of an open database with other bytes: the first
// query begins a rebuild.
func TestQueryFindsDamage(t *testing.T) {
	f := makeFile(t, 150)
	for name, other := range map[string][]byte{
		"zeros": make([]byte, len(f.data)), "text": bytes.Repeat([]byte("no database. "), len(f.data)/13), "nothing": nil,
		"another schema": bytes.ReplaceAll(f.data, []byte("by_created"), []byte("by_creatid")), "a part": f.data[:2*pageSize],
	} {
		x := f.open(t)
		if err := os.WriteFile(f.path, other, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := answers(t, x); !errors.Is(err, ErrRebuilding) {
			t.Errorf("%s: queries return %v, want ErrRebuilding", name, err)
		}
		f.recover(t, name, x)
		if err := x.Close(); err != nil {
			t.Error(err)
		}
		x = f.open(t)
		if x.Rebuilding() {
			t.Errorf("%s: it is rebuilt again", name)
		}
		f.recover(t, name+", opened again", x)
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestDamagedAgain keeps the database in memory when its file is damaged again and again, and
// rejects one that is ahead of the log.
func TestDamagedAgain(t *testing.T) {
	f := makeFile(t, 20)
	x := f.open(t)
	for range maxRebuilds + 2 {
		if err := os.Truncate(f.path, 0); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		_ = x.Checkpoint(t.Context())
		f.recover(t, "truncated", x)
	}
	if _, err := os.Stat(f.path); !os.IsNotExist(err) || x.path != "" {
		t.Errorf("the file: %v, want it gone", err)
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
	f = makeFile(t, 20)
	f.events = f.events[:10]
	for range 2 { // the error stays
		if _, err := Open(t.Context(), f.path, 10, slog.New(slog.DiscardHandler)); !errors.Is(err, ErrAhead) {
			t.Errorf("an index with 20 of 10 events: %v, want ErrAhead", err)
		}
	}
}

// TestCrash opens an index that was not closed: it has what was applied.
func TestCrash(t *testing.T) {
	f := makeFile(t, 20)
	more := opened(t, 30)[20:]
	x := f.open(t)
	if err := x.Apply(t.Context(), more); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "list.sqlite")
	for _, suffix := range suffixes() {
		data, err := os.ReadFile(f.path + suffix)
		if err == nil {
			err = os.WriteFile(copied+suffix, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := x.Close(); err != nil {
		t.Error(err)
	}
	x, err := Open(t.Context(), copied, 30, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	if after, err := x.LastApplied(t.Context()); after != 30 || err != nil || x.Rebuilding() {
		t.Errorf("after a crash it has event %d, %v; want 30", after, err)
	}
	for _, suffix := range suffixes() {
		if info, err := os.Stat(copied + suffix); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("list.sqlite%s: %v, %v; want mode 0600", suffix, info, err)
		}
	}
}
