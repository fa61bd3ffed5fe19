package people_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"quintet/live"
	"quintet/people"
)

// TestProgress merges the progress of two browsers, whichever comes first, and erases it with the account.
func TestProgress(t *testing.T) {
	const one = `{"puzzles":{"loa":{"a":true,"b":null,"c":false}},"lessons":{"loa":[1,3]},"ratings":{"loa":{"rating":1010,"puzzles":2,"change":10}},"streak":{"last":"2026-11-26","run":4,"best":4}}`
	const two = `{"puzzles":{"loa":{"a":true,"b":false},"chess":{"d":null}},"lessons":{"loa":[2,1]},"ratings":{"loa":{"rating":990,"puzzles":1,"change":-10}},"streak":{"last":"2026-11-27","run":1,"best":7}}`
	const want = `{"puzzles":{"chess":{"d":null},"loa":{"a":true,"b":false,"c":false}},"lessons":{"loa":[1,2,3]},"ratings":{"loa":{"rating":1010,"puzzles":2,"change":10}},"streak":{"last":"2026-11-27","run":1,"best":7}}`
	for _, order := range [][]string{{one, two}, {two, one}} {
		s := newStores(t, live.NewMemory(), 1)[0]
		if err := s.Create(t.Context(), people.Account{ID: "ann", Name: "Ann"}); err != nil {
			t.Fatal(err)
		}
		var all people.Progress
		for _, text := range order {
			var p people.Progress
			if err := json.Unmarshal([]byte(text), &p); err != nil {
				t.Fatal(err)
			}
			got, err := s.AddProgress(t.Context(), "ann", p)
			if err != nil {
				t.Fatal(err)
			}
			all = got
		}
		_, before, _ := s.Progress(t.Context(), "ann")
		if got, err := json.Marshal(all); err != nil || string(got) != want || string(before.Data) != want {
			t.Errorf("merged: %s, %v, want %s", got, err, want)
		}
		if _, err := s.AddProgress(t.Context(), "ann", all); err != nil {
			t.Fatal(err)
		}
		if _, after, _ := s.Progress(t.Context(), "ann"); after.Revision != before.Revision {
			t.Error("the same progress was written again")
		}
		huge := people.Progress{Lessons: map[string][]int{strings.Repeat("x", people.MaxProgress): nil}}
		if _, err := s.AddProgress(t.Context(), "ann", huge); !errors.Is(err, people.ErrMany) || huge.Check() == nil {
			t.Errorf("too much progress gives %v, and is checked: %v", err, huge.Check())
		}
		if err := s.Erase(t.Context(), "ann"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.AddProgress(t.Context(), "ann", all); !errors.Is(err, people.ErrMissing) {
			t.Errorf("progress of an erased account gives %v", err)
		}
		if _, r, err := s.Progress(t.Context(), "ann"); err != nil || len(r.Data) > 0 {
			t.Errorf("erasing leaves %s, %v", r.Data, err)
		}
	}
}
