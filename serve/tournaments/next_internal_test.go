package tournaments

import (
	"fmt"
	"slices"
	"testing"

	"quintet/live"
	"quintet/people/tournament"
	"quintet/serve/api"
)

// TestNextWave pairs the next wave of an arena three seconds after the last one, also when games have just ended: in a
// large arena some end every second.
func TestNextWave(t *testing.T) {
	var s State
	for i, text := range []string{
		`0,"kind":"made","settings":{"form":"arena","minutes":5,"games":[{"game":"loa"}]}`, `0,"kind":"joined","player":{"id":"a"}`, `0,"kind":"joined","player":{"id":"b"}`,
		`1000,"kind":"started"`, `2000,"kind":"paired","games":[{"id":"g","round":1,"first":0,"second":1}]`, `2100,"kind":"begun","count":1`,
		`4900,"kind":"finished","results":[{"game":"g","outcome":1}]`,
	} {
		if err := s.Apply(fmt.Appendf(nil, `{"n":%d,"at":%s}`, i, text)); err != nil {
			t.Fatal(err)
		}
	}
	here := func(string) bool { return true }
	if n, ok := s.next(live.Stamp{Service: 4999}, here); ok {
		t.Errorf("before three seconds: %+v", n)
	}
	if n, ok := s.next(live.Stamp{Service: 5000}, here); !ok || !n.pairs || len(n.list) != 2 {
		t.Errorf("after three seconds: %+v, %v", n, ok)
	}
}

// TestTable checks for each form that the updated standings equal those computed from all games, with a player who joins
// late and one who returns.
func TestTable(t *testing.T) {
	for _, form := range []tournament.Form{tournament.Arena, tournament.Swiss, tournament.Robin, tournament.Knockout} {
		d := document{Document: &api.Document{}, tabled: -1}
		for i, text := range []string{
			`"made","settings":{"form":"` + string(form) + `","rounds":3,"minutes":5,"berserk":true,"games":[{"game":"loa"}]}`,
			`"joined","player":{"id":"a","rating":1500}`, `"joined","player":{"id":"b","rating":1600}`, `"started"`,
			`"paired","games":[{"id":"g","round":1,"first":0,"second":1}]`, `"begun","count":1`, `"joined","player":{"id":"c","rating":1700}`,
			`"finished","results":[{"game":"g","outcome":1,"berserk":[true,false]},{"game":"g","outcome":2}]`, `"withdrawn","who":"b"`,
			`"paired","games":[{"id":"h","round":2,"first":2,"second":0}]`, `"joined","player":{"id":"b","rating":1600}`,
			`"finished","results":[{"game":"h","outcome":3,"agreed":true}]`, `"paired","games":[{"id":"i","round":3,"first":1,"second":2}]`, `"finished","results":[{"game":"i","outcome":4}]`,
		} {
			if err := d.state.Apply(fmt.Appendf(nil, `{"n":%d,"at":%d,"kind":%s}`, i, i, text)); err != nil {
				t.Fatal(err)
			}
			d.Number = i
			if got, want := d.standings(), d.state.Tour.Standings(); !slices.Equal(got, want) {
				t.Errorf("%s, event %d: %v, want %v", form, i, got, want)
			}
		}
	}
}
