package tournaments

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"quintet/live"
	"quintet/people/tournament"
)

// failing are records that cannot be written.
type failing struct {
	live.Records
	err error
}

func (f failing) PutRecord(context.Context, string, uint64, []byte) (uint64, error) { return 0, f.err }

// TestCreate checks the limits on tournaments: those of an organiser, those that are open, and those that are shown, of
// which the oldest that is over leaves.
func TestCreate(t *testing.T) {
	record := func(i int, host string, over bool) (r Record) {
		r = Record{ID: fmt.Sprintf("aaaaaaaa%04d", i), Made: int64(i), Settings: Settings{Host: host}}
		if over {
			r.Over = &Summary{}
		}
		return r
	}
	create := func(r Record, err error, all ...Record) (*Directory, error) {
		d := &Directory{records: live.NewMemory(), log: slog.New(slog.DiscardHandler), all: map[string]Record{}}
		for _, o := range all {
			d.all[o.ID] = o
		}
		if err != nil {
			d.records = failing{d.records, err}
		}
		return d, d.create(t.Context(), r)
	}
	some := func(n int, host string, over bool) (list []Record) {
		for i := range n {
			list = append(list, record(i, host, over))
		}
		return list
	}
	mine := record(9999, "me", false)
	for name, c := range map[string]struct {
		all     []Record
		refused bool
	}{
		"first":           {nil, false},
		"last of mine":    {some(MaxHosted-1, "me", false), false},
		"many of mine":    {some(MaxHosted, "me", false), true},
		"mine are over":   {some(MaxHosted, "me", true), false},
		"last of all":     {some(MaxOpen-1, "you", false), false},
		"many of all":     {some(MaxOpen, "you", false), true},
		"others are over": {some(MaxOpen, "you", true), false},
	} {
		d, err := create(mine, nil, c.all...)
		if _, made := d.get(mine.ID); (err != nil) != c.refused || made == c.refused {
			t.Errorf("%s: %v, made: %t, want it refused: %t", name, err, made, c.refused)
		}
	}
	mixed := []Record{record(0, "me", true), record(1, "me", true), record(2, "you", true)} // by an earlier version
	for i, form := range []tournament.Form{tournament.Arena, tournament.Robin, tournament.Arena} {
		mixed[i].Settings.Series, mixed[i].Settings.Form = "Fridays", form
	}
	for form, refused := range map[tournament.Form]bool{tournament.Arena: true, tournament.Swiss: false, tournament.Knockout: true} {
		next := mine
		next.Settings.Series, next.Settings.Form = "Fridays", form
		if _, err := create(next, nil, mixed...); (err != nil) != refused {
			t.Errorf("%s after a round robin: %v, want it refused: %t", form, err, refused)
		}
	}
	full := append(some(MaxKept-1, "you", true), record(MaxKept-1, "you", false))
	full[0].Over = nil
	d, err := create(mine, nil, full...)
	for id, want := range map[string]bool{full[0].ID: true, full[1].ID: false, full[2].ID: true, mine.ID: true} {
		if _, shown := d.get(id); err != nil || shown != want {
			t.Errorf("%s is shown: %t, %v, want %t", id, shown, err, want)
		}
	}
	if d, err := create(mine, nil, full[1:]...); err != nil || len(d.list(func(Record) bool { return true })) != MaxKept {
		t.Errorf("%v: the last place makes a tournament leave", err)
	}
	if _, err := create(mine, errors.New("the disk is full"), full...); err == nil {
		t.Error("a tournament that cannot be written is made")
	}
}
