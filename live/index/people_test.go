package index

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/live"
)

// TestGamesOfPeople compares lists of people's games, page by page, and their tallies with those that are computed from
// all games.
func TestGamesOfPeople(t *testing.T) {
	const now = 2_000_000
	_, x := newSpy(t)
	fillHistory(t, x, 300)
	// Some results are still secret; games are hidden, shown, erased, called off and resumed.
	if _, err := x.db.ExecContext(t.Context(), `UPDATE games SET delay = 3600, updated = 1999000 WHERE id LIKE '%3'; UPDATE games SET private = private | 2 WHERE id LIKE '%a' OR id LIKE '%b';
		UPDATE games SET private = private & ~2 WHERE id LIKE '%b'; DELETE FROM games WHERE id LIKE '%c'; UPDATE games SET reason = 'aborted', result = 'ongoing' WHERE id LIKE '%d';
		UPDATE games SET state = 'live', result = 'ongoing' WHERE id LIKE '%e'; UPDATE games SET person1 = 'person0', person2 = 'person1' WHERE id LIKE '%5%';
		UPDATE games SET state = 'concealed' WHERE delay > 0 AND state = 'over' AND result IN `+results); err != nil {
		t.Fatal(err)
	}
	all, err := x.rows(t.Context(), columns+"games ORDER BY created DESC, id", nil)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x.ids(t.Context(), "SELECT id FROM games WHERE private > 0")
	if err != nil {
		t.Fatal(err)
	}
	hid, err := x.ids(t.Context(), "SELECT id FROM games WHERE private > 1")
	if err != nil {
		t.Fatal(err)
	}
	some := []string{"person0", "person1", "person2", "person3"}
	matches := func(q Query, r Row, seat int) bool {
		shown := r.State
		if shown == concealed {
			shown = live.Live
		}
		won := map[string]string{Won: [2]string{firstWins, secondWins}[seat], Lost: [2]string{secondWins, firstWins}[seat], Drawn: drawn}[q.Score]
		return slices.Contains(q.People, r.Seats[seat].Person) && (q.Rivals == nil || slices.Contains(q.Rivals, r.Seats[1-seat].Person)) && (q.Game == "" || r.Game == q.Game) &&
			(q.State == "" || shown == q.State) && (q.Score == "" || shown == live.Finished && r.Result == won) &&
			(!slices.Contains(private, r.ID) || q.Own && !slices.Contains(hid, r.ID))
	}
	found, counted := 0, map[live.State]int{}
	check := func(q Query) {
		var want, got []string
		for _, r := range all {
			if matches(q, r, 0) || matches(q, r, 1) {
				want = append(want, r.ID)
			}
		}
		for more := true; more; more = q.After != (Cursor{}) {
			var list []Row
			var err error
			if list, q.After, err = x.List(t.Context(), q); err != nil {
				t.Fatal(err)
			}
			for _, r := range list {
				got = append(got, r.ID)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v: (-want +got)\n%s", q, diff)
		}
		found += len(got)
	}
	for n := range 2 * 3 * 4 * 4 * 2 * 2 {
		check(Query{
			Own: n%2 == 1, Game: []string{"", "loa", "chess"}[n/2%3], State: []live.State{"", live.Open, live.Live, live.Finished}[n/6%4], Score: []string{"", Won, Lost, Drawn}[n/24%4],
			People: some[:1+3*(n/96%2)], Rivals: [][]string{nil, some[1:3]}[n/192], Limit: 7, Now: now,
		})
	}
	var many []string
	for i := range 17 { // an account and its guests
		many = append(many, fmt.Sprintf("person%d", i))
	}
	for _, q := range []Query{{People: many, Rivals: many, Limit: MaxLimit, Own: true}, {People: many[:5], Rivals: many[:6], Limit: MaxLimit, Own: true, State: live.Finished, Now: now}, {People: many, Limit: MaxLimit, State: live.Live, Now: now}} {
		list := q.parts()
		for _, part := range list {
			if n := len(part.ofPeople()); n > maxRanges || n == 0 {
				t.Errorf("%+v merges %d ranges, want at most %d", part, n, maxRanges)
			}
		}
		if ranges := len(q.ofPeople()); len(list) > 2+2*ranges/maxRanges {
			t.Errorf("%d queries for %d ranges", len(list), ranges)
		}
		check(q)
	}
	for _, row := range all { // concealed games are live to those who count
		if row.State == concealed {
			row.State = live.Live
		}
		counted[row.State]++
	}
	got, err := x.Count(t.Context())
	for _, s := range []live.State{live.Open, live.Live, live.Finished} {
		if err != nil || got[s] != counted[s] {
			t.Errorf("%d games are %s, %v, want %d", got[s], s, err, counted[s])
		}
	}
	if found < 500 {
		t.Errorf("the queries find %d games", found)
	}
	var want Tally
	for _, r := range all {
		for seat := range 2 {
			if q := (Query{People: some, Now: now, Score: Drawn}); slices.Contains(some, r.Seats[seat].Person) {
				for _, q.Score = range []string{Won, Lost, Drawn} {
					if matches(q, r, seat) {
						want.add(seat, r.Result, 1)
					}
				}
			}
		}
	}
	if got, err := x.Tally(t.Context(), some); err != nil || got != want || want.Games < 50 {
		t.Errorf("the tally is %s, %v, want %s", fmt.Sprint(got), err, fmt.Sprint(want))
	}
}
