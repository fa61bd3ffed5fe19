package studies_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/game"
	"quintet/live"
	"quintet/serve/api"
	"quintet/serve/studies"
)

// clock is a time that a test sets.
type clock struct {
	mu sync.Mutex // guards at
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// open returns a store on a log.
func open(l live.Log) (studies.Store, *clock) {
	c := &clock{at: time.Unix(1_000_000, 0)}
	return studies.New(api.StoreConfig{Log: l, Now: func() live.Stamp { return live.Stamp{Service: 7, Wall: 1000} }, Time: c.now, Slot: func(context.Context) (func(), error) { return func() {}, nil }}), c
}

// create makes a study of a game from its start, with edits in JSON.
func create(t testing.TB, s studies.Store, id, name, edits string) *studies.Study {
	t.Helper()
	study, err := s.Create(t.Context(), id, studies.Draft{Game: name, Edits: parse(t, edits), Key: live.HashSecret("secret")})
	if err != nil {
		t.Fatal(err)
	}
	return study
}

func parse(t testing.TB, text string) (edits []studies.Edit) {
	t.Helper()
	if err := json.Unmarshal([]byte("["+text+"]"), &edits); err != nil {
		t.Fatal(err)
	}
	return edits
}

// edit edits a study after its last event.
func edit(t testing.TB, s *studies.Study, edits string) error {
	t.Helper()
	_, err := s.Edit(t.Context(), s.View().Number, parse(t, edits), "")
	return err
}

// show writes the nodes of a study down: each with its parent, notation and annotations.
func show(s *studies.Study) string {
	v := s.View()
	words := []string{}
	for _, n := range v.Nodes {
		word := fmt.Sprintf("%s<%s:%s%s", n.ID, n.Parent, n.SAN, n.Glyph)
		if n.Order > 0 {
			word += fmt.Sprintf("(%d)", n.Order)
		}
		if n.Comment != "" {
			word += "{" + n.Comment + "}"
		}
		if len(n.Shapes) > 0 {
			word += fmt.Sprintf("[%d]", len(n.Shapes))
		}
		words = append(words, word)
	}
	if v.Title != "" || v.Visibility != studies.Link {
		words = append(words, v.Title, string(v.Visibility))
	}
	return strings.Join(words, " ")
}

const three = `{"do":"add","id":"a","parent":"root","move":"e2e4"},{"do":"add","id":"b","parent":"a","move":"E7E5"},{"do":"add","id":"c","parent":"a","move":"g8f6"}`

// TestEdits checks the effect of each kind of edit.
func TestEdits(t *testing.T) {
	for _, c := range []struct{ edits, want string }{
		{`{"do":"add","id":"d","parent":"root","move":"d2d4"}`, "root<: a<root:e4 b<a:e5 c<a:Nf6(1) d<root:d4(1)"},
		{`{"do":"add","id":"d","parent":"c","move":"e4e5"},{"do":"comment","id":"d","text":"so"}`, "root<: a<root:e4 b<a:e5 c<a:Nf6(1) d<c:e5{so}"},
		{`{"do":"delete","id":"b"}`, "root<: a<root:e4 c<a:Nf6"},
		{`{"do":"delete","id":"a"}`, "root<:"},
		{`{"do":"delete","id":"a"},{"do":"add","id":"a","parent":"root","move":"d2d4"}`, "root<: a<root:d4"},
		{`{"do":"promote","id":"c","to":0}`, "root<: a<root:e4 c<a:Nf6 b<a:e5(1)"},
		{`{"do":"promote","id":"b","to":1}`, "root<: a<root:e4 c<a:Nf6 b<a:e5(1)"},
		{`{"do":"comment","id":"root","text":"<b>all</b>"},{"do":"comment","id":"b","text":"a\nb"}`, "root<:{<b>all</b>} a<root:e4 b<a:e5{a\nb} c<a:Nf6(1)"},
		{`{"do":"glyph","id":"a","glyph":"!?"},{"do":"glyph","id":"b","glyph":"??"},{"do":"glyph","id":"a","glyph":""}`, "root<: a<root:e4 b<a:e5?? c<a:Nf6(1)"},
		{`{"do":"shapes","id":"a","shapes":[{"from":1,"to":2,"color":"red"},{"to":63,"color":"green"}]}`, "root<: a<root:e4[2] b<a:e5 c<a:Nf6(1)"},
		{`{"do":"title","text":"Mine"},{"do":"visibility","visibility":"private"}`, "root<: a<root:e4 b<a:e5 c<a:Nf6(1) Mine private"},
	} {
		l := live.NewMemory()
		s, _ := open(l)
		study := create(t, s, "id", "chess", three)
		if err := edit(t, study, c.edits); err != nil {
			t.Errorf("%s: %v", c.edits, err)
		}
		if got := show(study); got != c.want {
			t.Errorf("%s gives\n%s, want\n%s", c.edits, got, c.want)
		}
		again, _ := open(l)
		read, err := again.Get(t.Context(), "id")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(study.View().Nodes, read.View().Nodes); diff != "" || show(read) != c.want {
			t.Errorf("%s is read otherwise (-written +read):\n%s", c.edits, diff)
		}
	}
}

// TestWrongEdits checks that each invalid edit is rejected with one clear sentence, and
// that the study stays unchanged whatever else the request contains.
func TestWrongEdits(t *testing.T) {
	s, _ := open(live.NewMemory())
	study := create(t, s, "id", "chess", three)
	before := show(study)
	for _, c := range []struct{ edits, says string }{
		{``, "0 edits: expected 1 to 100"},
		{strings.Repeat(`{"do":"delete","id":"b"},`, 100) + `{"do":"delete","id":"b"}`, "101 edits: expected 1 to 100"},
		{`{"do":"burn","id":"a"}`, `edit 1: do "burn": expected add, delete`},
		{`{"do":"` + strings.Repeat("x", 999) + `"}`, `...": expected`},
		{`{"do":"delete","id":"a","move":"e2e4"}`, "edit 1: delete takes id, and nothing else"},
		{`{"do":"add","id":"d","parent":"root","move":"d2d4","san":"d5"}`, "add takes id, parent, move, and nothing else"},
		{`{"do":"add","id":"","parent":"root","move":"d2d4"}`, "expected 1 to 16 lower-case letters"},
		{`{"do":"add","id":"A","parent":"root","move":"d2d4"}`, "expected 1 to 16 lower-case letters"},
		{`{"do":"add","id":"abcdefghijklmnopq","parent":"root","move":"d2d4"}`, "expected 1 to 16 lower-case letters"},
		{`{"do":"add","id":"b","parent":"root","move":"d2d4"}`, `there is a node "b" already`},
		{`{"do":"add","id":"root","parent":"root","move":"d2d4"}`, `there is a node "root" already`},
		{`{"do":"add","id":"d","parent":"x","move":"d2d4"}`, `there is no node "x" in the study to add`},
		{`{"do":"add","id":"d","parent":"root","move":"E2E4"}`, `the move e2e4 is there already, as node "a"`},
		{`{"do":"add","id":"d","parent":"root","move":"e2e5"}`, "not a legal move"},
		{`{"do":"add","id":"d","parent":"root","move":""}`, "move"},
		{`{"do":"delete","id":"b"},{"do":"comment","id":"b","text":"x"}`, `edit 2: there is no node "b"`},
		{`{"do":"delete","id":"a"},{"do":"add","id":"d","parent":"b","move":"d2d4"}`, `edit 2: there is no node "b"`},
		{`{"do":"delete","id":"root"}`, "choose a node with a move"},
		{`{"do":"promote","id":"root","to":0}`, "promote of the root"},
		{`{"do":"promote","id":"c"}`, "promote without a place"},
		{`{"do":"promote","id":"c","to":-1}`, "promote without a place"},
		{`{"do":"promote","id":"c","to":2}`, "place 2 among 2 moves: expected 0 to 1"},
		{`{"do":"comment","id":"a"}`, "comment without text"},
		{`{"do":"comment","id":"a","text":"` + strings.Repeat("ä", 2001) + `"}`, "a comment of 2001 characters: expected at most 2000"},
		{`{"do":"comment","id":"a","text":"a\u0007"}`, "control character U+0007"},
		{`{"do":"comment","id":"a","text":"a\r\nb"}`, "control character U+000D"},
		{`{"do":"comment","id":"a","text":"\u202eevil"}`, "control character U+202E"},
		{`{"do":"comment","id":"a","text":"\ud800"}`, "control character U+FFFD"},
		{`{"do":"glyph","id":"a","glyph":"!!!"}`, "unknown glyph"},
		{`{"do":"glyph","id":"root","glyph":"!"}`, "glyph of the root"},
		{`{"do":"shapes","id":"a","shapes":[{"to":64,"color":"red"}]}`, "cells 0 to 63"},
		{`{"do":"shapes","id":"a","shapes":[{"from":-1,"to":6,"color":"red"}]}`, "cells 0 to 63"},
		{`{"do":"shapes","id":"a","shapes":[{"to":6,"color":"#f00"}]}`, `color "#f00": expected green, red, blue, yellow`},
		{`{"do":"shapes","id":"a","shapes":[{"from":6,"to":6,"color":"red"}]}`, "from cell 6 to itself"},
		{`{"do":"shapes","id":"a","shapes":[` + strings.Repeat(`{"to":1,"color":"red"},`, 32) + `{"to":1,"color":"red"}]}`, "33 shapes: expected at most 32"},
		{`{"do":"title","text":"a\nb"}`, "several lines"},
		{`{"do":"title"}`, "title without text"},
		{`{"do":"visibility","visibility":"public"}`, `visibility "public": expected link or private`},
	} {
		for _, first := range []string{"", `{"do":"title","text":"changed"},`} {
			if first != "" && (c.edits == "" || strings.HasPrefix(c.says, "101") || strings.HasPrefix(c.says, "edit ")) {
				continue
			}
			err := edit(t, study, first+c.edits)
			if err == nil || !strings.Contains(err.Error(), c.says) || len(err.Error()) > 300 || strings.Contains(err.Error(), "\n") {
				t.Errorf("%.99s: %v, want %q", first+c.edits, err, c.says)
			}
			if got := show(study); got != before {
				t.Fatalf("%.99s leaves\n%s, want\n%s", first+c.edits, got, before)
			}
		}
	}
}

// illegal reports whether an edit is refused for a move that the rules refuse.
func illegal(err error) bool {
	var p *api.Problem
	return errors.As(err, &p) && p.Code == "illegal" && p.Reason == "replay" && p.Field == "edits"
}

// TestMoveErrors checks that illegal moves are told apart from other invalid edits.
func TestMoveErrors(t *testing.T) {
	s, _ := open(live.NewMemory())
	study := create(t, s, "id", "chess", three)
	if err := edit(t, study, `{"do":"add","id":"d","parent":"a","move":"e2e4"}`); !illegal(err) || !strings.Contains(err.Error(), game.ErrIllegal.Error()) {
		t.Errorf("an illegal move: %v", err)
	}
	over, err := s.Create(t.Context(), "over", studies.Draft{Game: "connect6", Position: "BBBBBB/6/6/6/6/6 W 2"})
	if err != nil {
		t.Fatal(err)
	}
	if err := edit(t, over, `{"do":"add","id":"d","parent":"root","move":"A1"}`); !illegal(err) || !strings.Contains(err.Error(), game.ErrOver.Error()) {
		t.Errorf("a move after the end: %v", err)
	}
}

// TestConflict checks that edits based on an old event are rejected with the newer events,
// and accepted after a rebase.
func TestConflict(t *testing.T) {
	s, _ := open(live.NewMemory())
	study := create(t, s, "id", "chess", three)
	if _, err := study.Edit(t.Context(), 0, parse(t, `{"do":"comment","id":"a","text":"first"}`), "r1"); err != nil {
		t.Fatal(err)
	}
	mine := parse(t, `{"do":"comment","id":"b","text":"second"}`)
	_, err := study.Edit(t.Context(), 0, mine, "r2")
	var conflict *studies.ConflictError
	if !errors.As(err, &conflict) || conflict.Number != 1 || len(conflict.Since) != 1 || conflict.Since[0].Ref != "r1" || *conflict.Since[0].Edits[0].Text != "first" {
		t.Fatalf("a late edit: %+v, want a conflict with what has happened", err)
	}
	e, err := study.Edit(t.Context(), conflict.Number, mine, "r2")
	if err != nil || e.Number != 2 || e.Ref != "r2" || e.Time != "1970-01-01T00:00:01.000Z" {
		t.Errorf("sent again: %+v, %v", e, err)
	}
	for _, after := range []int{-1, 3} {
		var wrong *api.Problem
		if _, err := study.Edit(t.Context(), after, mine, ""); !errors.As(err, &wrong) || wrong.Reason != "study.edit" {
			t.Errorf("after %d: %v, want it refused", after, err)
		}
	}
	for range studies.MaxSince + 1 {
		if err := edit(t, study, `{"do":"title","text":"x"}`); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := study.Edit(t.Context(), 2, mine, ""); !errors.As(err, &conflict) || conflict.Since != nil {
		t.Errorf("after more events than are remembered: %+v", err)
	}
	if _, err := study.Edit(t.Context(), 3, mine, ""); !errors.As(err, &conflict) || len(conflict.Since) != studies.MaxSince || conflict.Since[0].Number != 4 {
		t.Errorf("after as many events as are remembered: %+v", err)
	}
}

// TestTwoEditors checks that nothing is lost when editors on two servers edit at the same
// time and repeat their edits after conflicts.
func TestTwoEditors(t *testing.T) {
	l := live.NewMemory()
	var stores []studies.Store
	for range 2 {
		s, _ := open(l)
		stores = append(stores, s)
	}
	create(t, stores[0], "id", "connect6", "")
	const editors, each = 4, 20
	var all sync.WaitGroup
	for e := range editors {
		all.Go(func() {
			study, err := stores[e%2].Get(t.Context(), "id")
			if err != nil {
				t.Error(err)
				return
			}
			for i := range each {
				add := studies.Edit{Do: "add", ID: fmt.Sprintf("e%dn%d", e, i), Parent: "root", Move: string(rune('A'+e)) + fmt.Sprint(i%19)}
				if i == 19 {
					add.Move = string(rune('E'+e)) + "0"
				}
				var conflict *studies.ConflictError
				for {
					_, err := study.Edit(t.Context(), study.View().Number, []studies.Edit{add}, "")
					if err == nil {
						break
					}
					if !errors.As(err, &conflict) {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	all.Wait()
	last, _ := open(l)
	study, err := last.Get(t.Context(), "id")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(study.View().Nodes); n != 1+editors*each {
		t.Errorf("%d nodes, want %d", n, 1+editors*each)
	}
	if n := study.View().Number; n != editors*each {
		t.Errorf("the last event is number %d, want %d", n, editors*each)
	}
}

// TestKilled checks that a study equals its events in the log after each of them, so that
// a killed server loses nothing acknowledged.
func TestKilled(t *testing.T) {
	l := live.NewMemory()
	s, _ := open(l)
	study := create(t, s, "id", "chess", three)
	shown := []string{show(study)}
	for _, edits := range []string{
		`{"do":"comment","id":"a","text":"x"},{"do":"glyph","id":"b","glyph":"?"}`, `{"do":"promote","id":"c","to":0}`, `{"do":"delete","id":"b"}`,
		`{"do":"add","id":"b","parent":"c","move":"e4e5"}`, `{"do":"title","text":"t"},{"do":"shapes","id":"a","shapes":[{"to":1,"color":"red"}]}`, `{"do":"shapes","id":"a","shapes":[]}`,
	} {
		if err := edit(t, study, edits); err != nil {
			t.Fatal(err)
		}
		shown = append(shown, show(study))
	}
	list, err := l.Read(t.Context(), live.StudyCategory.Stream("id"))
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range shown {
		part := live.NewMemory()
		for i, e := range list[:n+1] {
			if _, err := part.Append(t.Context(), e.Stream, uint64(i), e.Data); err != nil {
				t.Fatal(err)
			}
		}
		again, _ := open(part)
		read, err := again.Get(t.Context(), "id")
		if err != nil {
			t.Fatal(err)
		}
		if got := show(read); got != want || !read.Allows("secret") || read.Allows("id") || read.Allows("") {
			t.Errorf("after event %d:\n%s, want\n%s", n, got, want)
		}
	}
}

// TestMissed checks that a server reads an event of another server that it missed from the
// log.
func TestMissed(t *testing.T) {
	l := live.NewMemory()
	a, _ := open(l)
	b, _ := open(l)
	study := create(t, a, "id", "chess", three)
	other, err := b.Get(t.Context(), "id")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one", "two"} {
		if err := edit(t, study, `{"do":"title","text":"`+text+`"}`); err != nil {
			t.Fatal(err)
		}
	}
	list, err := l.Read(t.Context(), live.StudyCategory.Stream("id"))
	if err != nil {
		t.Fatal(err)
	}
	b.Deliver(list[2]) // and not the one before
	if _, err := b.Get(t.Context(), "id"); err != nil || other.View().Title != "two" {
		t.Errorf("the other server shows %q, %v, want two", other.View().Title, err)
	}
}

// TestNewer checks that events and edits of newer servers are skipped, and the others
// applied.
func TestNewer(t *testing.T) {
	l := live.NewMemory()
	s, _ := open(l)
	create(t, s, "id", "chess", three)
	table := live.StudyCategory.Stream("id")
	for i, text := range []string{
		`{"kind":"painted","n":1,"prev":%q,"color":"red"}`,
		`{"kind":"edited","n":2,"prev":%q,"edits":[{"do":"sing","id":"a","song":"la"},{"do":"comment","id":"a"},{"do":"comment","id":"x","text":"y"},{"do":"promote","id":"a"},{"do":"title","text":"kept"}]}`,
	} {
		list, err := l.Read(t.Context(), table)
		if err != nil {
			t.Fatal(err)
		}
		last := list[len(list)-1]
		if _, err := l.Append(t.Context(), table, last.Seq, fmt.Appendf(nil, text, live.Hash(last.Data))); err != nil {
			t.Fatal(i, err)
		}
	}
	again, _ := open(l)
	study, err := again.Get(t.Context(), "id")
	if err != nil {
		t.Fatal(err)
	}
	if v := study.View(); v.Title != "kept" || v.Number != 2 || len(v.Nodes) != 4 {
		t.Errorf("%+v", v)
	}
	if err := edit(t, study, `{"do":"title","text":"more"}`); err != nil {
		t.Error(err)
	}
}
