package live_test

import (
	"encoding/json"
	"errors"
	"testing"

	"quintet/game"
	"quintet/live"
)

// newer appends an event of a kind that this version does not know, as a newer server
// would write it.
func (d *desk) newer(t testing.TB, kind string, more map[string]any) error {
	t.Helper()
	e := map[string]any{"kind": kind, "n": d.EventCount(), "prev": live.Hash(d.log[len(d.log)-1]), "at": d.now, "time": 1, "ply": d.Ply(), "colour": "red"}
	if left, ok := d.TimeLeft(d.now); ok {
		e["clocks"] = left
	}
	for name, value := range more {
		e[name] = value
	}
	data, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Load(data); err != nil {
		return err
	}
	d.log = append(d.log, data)
	return nil
}

// TestNewerEvents checks that events of unknown kinds are skipped, except for what the
// fields of all events say of clocks and results.
func TestNewerEvents(t *testing.T) {
	d := sit(t, live.Settings{Game: "othello", Clock: live.TimeControl{Main: 60, Increment: 2}})
	d.move(t, 1000, "f4")
	d.now += 500
	if err := d.newer(t, "waved", nil); err != nil {
		t.Fatal(err)
	}
	d.move(t, 1000, "f3")
	if err := d.newer(t, "gifted", map[string]any{"clocks": [2]int64{90_000, 80_000}}); err != nil {
		t.Fatal(err)
	}
	if got := d.left(); got != [2]int64{90_000, 80_000} {
		t.Errorf("clocks %v, want those of the skipped event", got)
	}
	d.move(t, 1000, "e3")
	if err := d.newer(t, "adjudicated", map[string]any{"result": "second wins", "reason": "adjudication", "side": "second"}); err != nil {
		t.Fatal(err)
	}
	if got := d.Ending(); got != (live.Ending{Result: game.SecondWins, Reason: "adjudication"}) || !d.Over() {
		t.Errorf("ended as %+v, want the result of the skipped event", got)
	}
}

// TestNewerEventsThatBreak checks that events of unknown kinds are rejected if they
// change the moves or do not follow.
func TestNewerEventsThatBreak(t *testing.T) {
	for name, more := range map[string]map[string]any{
		"another ply": {"ply": 1}, "a gap": {"n": 7}, "another event before": {"prev": "00"}, "no such result": {"reason": "x", "result": "red wins"},
	} {
		d := sit(t, live.Settings{Game: "othello"})
		if err := d.newer(t, "waved", more); !errors.Is(err, live.ErrBroken) {
			t.Errorf("%s: %v, want it refused", name, err)
		}
	}
}

// TestNewerRulings checks that unknown rulings are skipped.
func TestNewerRulings(t *testing.T) {
	var h live.Hidden
	for _, text := range []string{`{"do":"mute","name":"Ann","time":1}`, `{"do":"hide","study":"s","time":1}`, `{"do":"hide","name":"Ben","time":1,"why":"rude"}`} {
		r, err := live.ReadRuling([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		h.Apply(r)
	}
	if list := h.List(); len(list) != 1 || list[0].Name != "Ben" {
		t.Errorf("hidden: %+v, want Ben alone", list)
	}
	if _, err := live.ReadRuling([]byte(`{"do":"hide","name":"Ben","game":"g"}`)); err == nil {
		t.Error("a ruling on a game and a name is accepted")
	}
}

// TestChain checks that each event of a table must follow from the one before.
func TestChain(t *testing.T) {
	var c live.Chain
	now := live.Stamp{Service: 5, Wall: 6}
	write := func(e live.Envelope) error {
		data, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Load("review-x", data)
		return err
	}
	if err := errors.Join(write(c.Next("opened", now)), write(c.Next("analyzed", now))); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*live.Envelope){
		"a gap": func(e *live.Envelope) { e.Number++ }, "another before": func(e *live.Envelope) { e.Prev = "" }, "no kind": func(e *live.Envelope) { e.Kind = "" },
	} {
		e := c.Next("done", now)
		change(&e)
		if err := write(e); !errors.Is(err, live.ErrBroken) {
			t.Errorf("%s: %v, want ErrBroken", name, err)
		}
	}
}

func TestCategories(t *testing.T) {
	for table, want := range map[string]live.Category{
		"abcdefgh2344": live.GameCategory, "moderation": live.ModerationCategory, "review-abc": live.ReviewCategory, "study-abc": live.StudyCategory, "club-a-b": "club",
	} {
		if got := live.CategoryOf(table); got != want {
			t.Errorf("%s: category %s, want %s", table, got, want)
		}
	}
	if got := live.ReviewCategory.Table("abc"); live.CategoryOf(got) != live.ReviewCategory || live.GameCategory.Table("abc") != "abc" {
		t.Errorf("table %q", got)
	}
}
