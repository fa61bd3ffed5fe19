package studies_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/game"
	"quintet/live"
	"quintet/serve/fair"
	"quintet/serve/studies"
)

// TestBounds checks the limits on a study's nodes, events and bytes.
func TestBounds(t *testing.T) {
	s, _ := open(live.NewMemory())
	wide := create(t, s, "wide", "connect6", "")
	add := func(n int) error { // moves after moves after moves
		parent := "root"
		if n >= 361 {
			parent = fmt.Sprintf("n%d", n/361-1)
		}
		move := string(rune('A'+n%361/19)) + fmt.Sprint(n%19)
		return edit(t, wide, fmt.Sprintf(`{"do":"add","id":"n%d","parent":%q,"move":%q}`, n, parent, move))
	}
	full := 0
	for n := 0; full == 0 && n < 2500; n++ {
		if err := add(n); errors.Is(err, studies.ErrFull) {
			full = len(wide.View().Nodes)
		} else if err != nil && !illegal(err) {
			t.Fatal(err)
		}
	}
	if full != studies.MaxNodes {
		t.Errorf("full at %d nodes, want %d", full, studies.MaxNodes)
	}
	long := create(t, s, "long", "loa", "")
	text := strings.Repeat("<", studies.MaxComment)
	bytes := 0
	for {
		err := edit(t, long, `{"do":"comment","id":"root","text":"`+text+`"}`)
		if errors.Is(err, studies.ErrFull) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if bytes += len(text); bytes > studies.MaxBytes {
			t.Fatal("more than all bytes")
		}
	}
	if bytes < studies.MaxBytes*9/10 {
		t.Errorf("full after %d bytes of comments, want nearly %d", bytes, studies.MaxBytes)
	}
}

// TestMemory checks that studies are evicted when they take too much memory, first those of the client
// that has most there, and that none is lost.
func TestMemory(t *testing.T) {
	s, c := open(live.NewMemory())
	edits := ""
	text := strings.Repeat("x", studies.MaxComment)
	for i := range 150 {
		edits += fmt.Sprintf(`{"do":"comment","id":"root","text":"%s"},`, text[i:])
	}
	long := parse(t, strings.TrimSuffix(edits, ","))
	make := func(client, id string) *studies.Study {
		c.add(time.Second)
		study, err := s.Create(fair.WithClient(t.Context(), client), id, studies.Draft{Game: "loa", Edits: long})
		if err != nil {
			t.Fatal(err)
		}
		return study
	}
	persons := make("person", "person")
	var strangers []*studies.Study
	for i := range 150 {
		strangers = append(strangers, make("stranger", fmt.Sprint("id", i)))
	}
	if persons.Evicted() {
		t.Error("a stranger has a person's study evicted")
	}
	if !strangers[0].Evicted() || strangers[149].Evicted() || s.Len() < 50 || s.Len() > 140 {
		t.Errorf("first evicted: %t, last evicted: %t, %d in memory", strangers[0].Evicted(), strangers[149].Evicted(), s.Len())
	}
	for i := range 150 {
		if _, err := s.Get(t.Context(), fmt.Sprint("id", i)); err != nil {
			t.Errorf("study %d: %v", i, err)
		}
	}
}

// FuzzEdits checks that no edits panic, and that the events always rebuild the same tree.
func FuzzEdits(f *testing.F) {
	for _, text := range []string{
		`{"do":"promote","id":"c","to":0}`, `{"do":"delete","id":"a"},{"do":"add","id":"z","parent":"root","move":"d2d4"}`, `{"do":"shapes","id":"a","shapes":[{"to":1,"color":"red"}]}`,
		`{"do":"comment","id":"b","text":"\ud83d\ude00"},{"do":"glyph","id":"b","glyph":"!"}`, `{"do":"title","text":""},{"do":"visibility","visibility":"private"}`, `{"do":"add","id":"z","parent":"b","move":"pass"}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var edits []studies.Edit
		if json.Unmarshal(slices.Concat([]byte("["), data, []byte("]")), &edits) != nil {
			return
		}
		l := live.NewMemory()
		s, _ := open(l)
		study := create(t, s, "id", "chess", three)
		before := show(study)
		if _, err := study.Edit(t.Context(), 0, edits, ""); err != nil {
			if show(study) != before || len(err.Error()) > 600 {
				t.Errorf("%q: refused with %v, but %s", data, err, show(study))
			}
			return
		}
		again, _ := open(l)
		read, err := again.Get(t.Context(), "id")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(study.View().Nodes, read.View().Nodes); diff != "" {
			t.Errorf("%q is read otherwise (-written +read):\n%s", data, diff)
		}
	})
}

// TestRefusals checks that invalid games, positions and identifiers are rejected.
func TestRefusals(t *testing.T) {
	s, _ := open(live.NewMemory())
	for _, d := range []studies.Draft{{Game: "go"}, {Game: "chess", Position: "x"}, {Game: "othello", Options: game.Setup{"size": "7"}}} {
		var refused *live.Error
		if _, err := s.Create(t.Context(), "id", d); !errors.As(err, &refused) {
			t.Errorf("%+v: %v, want it refused", d, err)
		}
	}
	if _, err := s.Get(t.Context(), "none"); !errors.Is(err, studies.ErrMissing) {
		t.Errorf("no study: %v", err)
	}
	create(t, s, "id", "loa", "")
	if _, err := s.Create(t.Context(), "id", studies.Draft{Game: "loa"}); !errors.Is(err, live.ErrStale) {
		t.Errorf("the same identifier: %v, want ErrStale", err)
	}
}
