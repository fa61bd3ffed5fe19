package live_test

import (
	"encoding/json"
	"errors"
	"testing"

	"quintet/live"
)

// TestNewerRulings checks that unknown rulings are skipped.
func TestNewerRulings(t *testing.T) {
	var h live.Hidden
	for _, text := range []string{`{"do":"mute","name":"Ann","time":1}`, `{"do":"hide","study":"s","time":1}`, `{"do":"hide","name":"Ben","time":1,"why":"rude"}`} {
		r, err := live.ReadRuling([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		h.Apply(r, 1)
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
	if got := live.ReviewCategory.Stream("abc"); live.CategoryOf(got) != live.ReviewCategory || live.GameCategory.Stream("abc") != "abc" {
		t.Errorf("table %q", got)
	}
}

// TestParseLink compares ParseLink with the decoder of JSON.
func TestParseLink(t *testing.T) {
	for text, want := range map[string]bool{
		`{"kind":"opened","n":0,"at":5,"time":6}`:                      true,
		`{"kind":"moved","n":12,"prev":"abc","at":5,"time":6,"ply":1}`: true,
		`{"kind":"mo\"ved","n":12,"prev":"abc","at":5,"time":6}`:       false,
		`{"kind":"","n":12,"at":5}`:                                    false,
		`{"kind":"moved","n":-1,"at":5}`:                               false,
		`{"kind":"moved","n":1234567890,"at":5}`:                       false,
		`{"kind":"moved","n":1,"ply":2,"prev":"abc","at":5}`:           false,
		`{"kind":"moved","n":1,"prev":"a`:                              false,
		`{"n":1,"kind":"moved"}`:                                       false,
		``:                                                             false,
	} {
		number, prev, ok := live.ParseLink([]byte(text))
		var e live.Envelope
		_ = json.Unmarshal([]byte(text), &e)
		if ok != want || ok && (number != e.Number || string(prev) != e.Prev) {
			t.Errorf("%s: %d, %q, %t, want %d, %q, %t", text, number, prev, ok, e.Number, e.Prev, want)
		}
	}
}
