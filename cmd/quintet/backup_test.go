package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/live"
)

// torn is a log that fails after a number of events.
type torn struct {
	live.Log
	after int
}

func (l torn) Follow(ctx context.Context, after uint64) iter.Seq2[live.Entry, error] {
	return func(yield func(live.Entry, error) bool) {
		n := 0
		for e, err := range l.Log.Follow(ctx, after) {
			if n == l.after {
				yield(live.Entry{}, errors.New("the disk cannot be read"))
				return
			}
			if n++; !yield(e, err) {
				return
			}
		}
	}
}

// TestBrokenBackup checks that a truncated or corrupt copy fails and leaves no file
// behind.
func TestBrokenBackup(t *testing.T) {
	for name, c := range map[string]struct {
		after int
		data  string
		want  string
	}{
		"whole":                  {100, "", ""},
		"breaks off at once":     {0, "", "connection broke"},
		"breaks off":             {2, "", "connection broke"},
		"an event that is wrong": {100, `{"kind":"moved","n":9}`, "reading the copy back"},
	} {
		l := live.NewMemory()
		for _, id := range []string{"aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc"} {
			e, err := live.OpenTable(id, live.Settings{Game: "othello"}, "", live.Stamp{})
			if err != nil {
				t.Fatal(err)
			}
			data, err := e.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if c.data != "" {
				data = []byte(c.data)
			}
			if _, err := l.Append(t.Context(), id, 0, data); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.MkdirTemp("", "q") // a socket has a short name
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(data) })
		f := serveFlags{data: data}
		end, err := f.control(t.Context(), torn{l, c.after}, nil, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		folder := t.TempDir()
		var said bytes.Buffer
		err = backup(t.Context(), &said, &logLocation{data: data}, filepath.Join(folder, "copy"))
		end()
		left, _ := os.ReadDir(folder)
		switch {
		case c.want == "" && (err != nil || len(left) != 1 || !strings.Contains(said.String(), " 3 events")):
			t.Errorf("%s: %v, %d files, it says %q", name, err, len(left), said.String())
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || len(left) != 0 || said.Len() > 0):
			t.Errorf("%s: %v, %d files, it says %q; want an error that has %q, and no file", name, err, len(left), said.String(), c.want)
		}
		if err := backup(t.Context(), io.Discard, &logLocation{data: data}, folder); !errors.Is(err, os.ErrExist) {
			t.Errorf("%s: over something that is there: %v", name, err)
		}
	}
}
