package jet_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"quintet/lab/await"
	"quintet/live"
	"quintet/live/jet"
)

// now is when tests erase.
var now = time.UnixMilli(1)

// seat is a game of which a person with a name has the first seat, and the last event of it.
func seat(t *testing.T, l live.Log, id, name string) (*live.Table, uint64) {
	t.Helper()
	table := live.New(id)
	e, err := live.OpenTable(id, live.Settings{Game: "othello", Seats: [2]live.Player{{Name: name, Secret: "secret of " + id}, {Name: "Ben"}}}, "key", live.Stamp{})
	if err != nil {
		t.Fatal(err)
	}
	return table, apply(t, l, table, e, 0)
}

// apply appends an event to the log and applies it.
func apply(t *testing.T, l live.Log, table *live.Table, e live.Event, after uint64) uint64 {
	t.Helper()
	data, err := e.Encode()
	if err == nil {
		_, err = table.Load(data)
	}
	if err == nil {
		after, err = l.Append(t.Context(), table.ID(), after, data)
	}
	if err != nil {
		t.Fatal(err)
	}
	return after
}

// play plays a move, in an event that has a text of the game.
func play(t *testing.T, l live.Log, table *live.Table, move string, after uint64) uint64 {
	t.Helper()
	e, err := table.Decide(live.Command{Do: live.Move, Move: move, Ply: table.Ply(), Side: table.Turn(), Key: fmt.Sprintf("move %d in %s", table.Ply(), table.ID())}, live.Stamp{Service: 5})
	if err != nil {
		t.Fatal(err)
	}
	return apply(t, l, table, e, after)
}

// loaded reads a game from the log.
func loaded(t *testing.T, l live.Log, id string) (*live.Table, uint64) {
	t.Helper()
	list, err := l.Read(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	table, last := live.New(id), uint64(0)
	for _, e := range list {
		if _, err := table.Load(e.Data); err != nil || e.Seq <= last {
			t.Fatalf("event %d after %d: %v", e.Seq, last, err)
		}
		last = e.Seq
	}
	return table, last
}

// copied returns a backup, which must be sound.
func copied(t *testing.T, l live.Log) string {
	t.Helper()
	var out bytes.Buffer
	_, err := jet.Backup(t.Context(), l, &out)
	if err == nil {
		_, err = jet.Verify(t.Context(), bytes.NewReader(out.Bytes()))
	}
	if err == nil {
		_, err = jet.Restore(t.Context(), live.NewMemory(), bytes.NewReader(out.Bytes()))
	}
	if err != nil {
		t.Errorf("a backup: %v", err)
	}
	return out.String()
}

// eachLog tests a log of each kind. open opens it again, where it can be closed.
func eachLog(t *testing.T, test func(t *testing.T, l live.Log, open func() live.Log, dir string)) {
	t.Run("memory", func(t *testing.T) {
		l := live.NewMemory()
		test(t, l, func() live.Log { return l }, t.TempDir())
	})
	t.Run("disk", func(t *testing.T) {
		dir := t.TempDir()
		l := open(t, dir)
		defer func() { _ = l.Close() }()
		test(t, l, func() live.Log {
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			l = open(t, dir)
			return l
		}, dir)
	})
}

// TestEraseStream checks that nothing of an erased game is left in the log and its files, and all of
// the others.
func TestEraseStream(t *testing.T) {
	eachLog(t, func(t *testing.T, l live.Log, open func() live.Log, dir string) {
		table, after := seat(t, l, "aaaaaaaaaaaa", "Rude Name")
		other, last := seat(t, l, "bbbbbbbbbbbb", "Kind Name")
		for _, move := range []string{"f4", "f3", "e3"} {
			after, last = play(t, l, table, move, after), play(t, l, other, move, last)
		}
		if n, err := live.EraseStream(t.Context(), l, "aaaaaaaaaaaa", now); n != 4 || err != nil {
			t.Fatalf("%d events are erased, %v, want 4", n, err)
		}
		for range 2 {
			if names := await.FilesWith(t, dir, "Rude Name"); names != nil {
				t.Errorf("%q have the name", names)
			}
			if list, err := l.Read(t.Context(), "aaaaaaaaaaaa"); err != nil || len(list) > 0 {
				t.Errorf("%d events are left, %v", len(list), err)
			}
			if text := copied(t, l); strings.Contains(text, "Rude") || !strings.Contains(text, "Kind") || !strings.Contains(text, `"do":"erase"`) || strings.Contains(text, `"seq"`) {
				t.Errorf("a backup after it: %s", text)
			}
			if n, err := live.EraseStream(t.Context(), l, "aaaaaaaaaaaa", now); n != 0 || err != nil {
				t.Errorf("erasing it again: %d, %v, want 0", n, err)
			}
			last = play(t, l, other, other.Position().Format(other.Legal()[0]), last)
			if _, got := loaded(t, l, other.ID()); got != last {
				t.Errorf("the other game ends with %d, want %d", got, last)
			}
			l = open()
		}
		if _, err := l.Append(t.Context(), "aaaaaaaaaaaa", after, []byte("{}")); !errors.Is(err, live.ErrStale) {
			t.Errorf("a late event: %v, want ErrStale", err)
		}
		if changed, err := live.Moderate(t.Context(), l, live.Ruling{Do: live.Show, Game: "aaaaaaaaaaaa"}); changed || err == nil {
			t.Errorf("showing it again: %t, %v, want an error", changed, err)
		}
		for _, stream := range []string{"cccccccccccc", "moderation", "*", ">"} {
			if _, err := live.EraseStream(t.Context(), l, stream, now); err == nil || !strings.Contains(err.Error(), "there is no") {
				t.Errorf("erasing %s: %v", stream, err)
			}
		}
	})
}

// TestEraseName checks that an erased name is in no game, ruling, file and backup, that its games go
// on, and that another name of the same event can be erased, too, and then the game.
func TestEraseName(t *testing.T) {
	eachLog(t, func(t *testing.T, l live.Log, open func() live.Log, dir string) {
		one, after := seat(t, l, "aaaaaaaaaaaa", "Rude Name")
		two, last := seat(t, l, "bbbbbbbbbbbb", "Kind Name")
		last = play(t, l, two, "f4", last)
		if _, err := live.Moderate(t.Context(), l, live.Ruling{Do: live.Hide, Name: "RUDE name"}); err != nil {
			t.Fatal(err)
		}
		three, then := seat(t, l, "cccccccccccc", "rude NAME")
		then = play(t, l, three, "f4", then)
		four := live.New("dddddddddddd") // whose last event has the name
		e, err := live.OpenTable(four.ID(), live.Settings{Game: "othello", Seats: [2]live.Player{{}, {Name: "Cid"}}}, "", live.Stamp{})
		if err != nil {
			t.Fatal(err)
		}
		begun := apply(t, l, four, e, 0)
		if e, err = four.Decide(live.Command{Do: live.Sit, Player: live.Player{Name: "Rude Name"}}, live.Stamp{}); err != nil {
			t.Fatal(err)
		}
		begun = apply(t, l, four, e, begun)
		names := []string{"Rude Name", "RUDE name", "rude NAME"}
		if n, err := live.EraseName(t.Context(), l, "Rude name", now); n != 3 || err != nil {
			t.Fatalf("in %d games, %v, want 3", n, err)
		}
		play(t, l, four, "f4", begun)
		check := func() {
			t.Helper()
			text := copied(t, l)
			for _, name := range names {
				if at := await.FilesWith(t, dir, name); at != nil || strings.Contains(text, name) {
					t.Errorf("%q have %q, or the backup", at, name)
				}
			}
			for id, want := range map[string]uint64{"aaaaaaaaaaaa": after, "bbbbbbbbbbbb": last, "cccccccccccc": then} {
				if table, seq := loaded(t, l, id); seq != want || strings.Contains(fmt.Sprint(names), table.Player(0).Name) {
					t.Errorf("%s ends with %d and has %q, want %d", id, seq, table.Player(0).Name, want)
				}
			}
			if h, _, err := live.Rulings(t.Context(), l); err != nil || len(h.List()) > 0 {
				t.Errorf("rulings %v, %v, want none", h.List(), err)
			}
		}
		check()
		l = open()
		check()
		one, after = loaded(t, l, one.ID())
		after = play(t, l, one, "f4", after) // the only event of the game before was erased
		names = append(names, "Ben")
		if n, err := live.EraseName(t.Context(), l, "Ben", now); n != 3 || err != nil {
			t.Fatalf("in %d games, %v, want 3", n, err)
		}
		check()
		l = open()
		check()
		if _, err := live.EraseStream(t.Context(), l, "cccccccccccc", now); err != nil {
			t.Fatal(err)
		}
		if text, at := copied(t, l), await.FilesWith(t, dir, "secret of cccccccccccc"); at != nil || strings.Contains(text, "secret of c") || !strings.Contains(text, "secret of a") {
			t.Errorf("%q have what stood for an event of an erased game, or the backup: %s", at, text)
		}
	})
}

// interrupted is a log that is stopped after a number of rulings, before it erases.
type interrupted struct {
	live.Log
	stop bool
}

var errStopped = errors.New("stopped")

func (i *interrupted) Erase(ctx context.Context) error {
	if i.stop {
		return errStopped
	}
	i.stop = true
	return i.Log.Erase(ctx)
}

// TestEraseInterrupted checks that what a stopped server has not erased is erased by the next.
func TestEraseInterrupted(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	table, after := seat(t, l, "aaaaaaaaaaaa", "Rude Name")
	play(t, l, table, "f4", after)
	if _, err := live.EraseStream(t.Context(), &interrupted{Log: l}, "aaaaaaaaaaaa", now); !errors.Is(err, errStopped) {
		t.Fatalf("erasing: %v", err)
	}
	if copied(t, l); strings.Contains(copied(t, l), "Rude") { // the first one comes to the ruling
		t.Error("a follower who knows the ruling gets the game")
	}
	if list, err := l.Read(t.Context(), "aaaaaaaaaaaa"); err != nil || len(list) > 0 {
		t.Errorf("%d events are read, %v", len(list), err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if await.FilesWith(t, dir, "Rude Name") == nil {
		t.Fatal("it is erased already")
	}
	l = open(t, dir)
	defer func() { _ = l.Close() }()
	if at := await.FilesWith(t, dir, "Rude Name"); at != nil {
		t.Errorf("%q have it after another start", at)
	}
}

// TestEraseMany erases many events. It checks that no reader sees them from then on, that their bytes are
// gone after the log is opened again, and that the other events are unchanged.
func TestEraseMany(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	table, after := seat(t, l, "bbbbbbbbbbbb", "Kind Name")
	after = play(t, l, table, "f4", after)
	last := uint64(0)
	for i := range jet.ManyErased {
		var err error
		if last, err = l.Append(t.Context(), "study-a", last, fmt.Appendf(nil, `{"kind":"edited","text":"Rude %d"}`, i)); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := live.EraseStream(t.Context(), l, "study-a", now); n != jet.ManyErased || !errors.Is(err, live.ErrKept) {
		t.Fatalf("%d events are erased, %v, want %d and ErrKept", n, err, jet.ManyErased)
	}
	if list, err := l.Read(t.Context(), "study-a"); err != nil || len(list) > 0 || strings.Contains(copied(t, l), "Rude") {
		t.Errorf("%d events are read, %v, or a backup has them", len(list), err)
	}
	if await.FilesWith(t, dir, "Rude") == nil {
		t.Error("the bytes are gone already: then no copy is needed")
	}
	for range 2 {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		l = open(t, dir)
		if at := await.FilesWith(t, dir, "Rude"); at != nil {
			t.Errorf("%q have it after another start", at)
		}
	}
	defer func() { _ = l.Close() }()
	if got, end := loaded(t, l, "bbbbbbbbbbbb"); got.EventCount() != 2 || end != after {
		t.Errorf("the other game has %d events to number %d, want 2 to %d", got.EventCount(), end, after)
	}
}
