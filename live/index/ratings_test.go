package index_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/game"
	"quintet/live"
	"quintet/live/index"
	"quintet/people/rating"
)

// people are the identifiers of players, by their names in the test.
var people = []string{"ann", "ben", "cid", "dee"}

// seatOf returns a player: a person, or a level.
func seatOf(name string) live.Player {
	if slices.Contains(people, name) {
		return live.Player{Name: name, Person: "id-" + name, Secret: "s"}
	}
	return live.Player{Name: name, Engine: name}
}

// playRated writes a game that a side resigns; side -1 calls it off.
func playRated(t *testing.T, l *live.Memory, id string, s live.Settings, resigns int, wall int64) {
	t.Helper()
	table, after := live.New(id), uint64(0)
	add := func(e live.Event, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		data, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := table.Load(data); err != nil {
			t.Fatal(err)
		}
		if after, err = l.Append(t.Context(), id, after, data); err != nil {
			t.Fatal(err)
		}
	}
	second := s.Seats[1]
	if second.Engine == "" {
		s.Seats[1] = live.Player{}
	}
	stamp := live.Stamp{Service: wall, Wall: wall}
	add(live.OpenTable(id, s, "", stamp))
	if resigns < 0 {
		add(table.Decide(live.Command{Do: live.Expire}, stamp))
		return
	}
	if second.Engine == "" {
		add(table.Decide(live.Command{Do: live.Sit, Side: game.Second, Player: second}, stamp))
	}
	add(table.Decide(live.Command{Do: live.Resign, Side: game.Side(resigns)}, stamp))
	add(table.Decide(live.Command{Do: live.AskRematch, Side: game.Second, Next: id + "r"}, stamp)) // after the end
}

func ratedSettings(name, clock string, first, second string) live.Settings {
	s := live.Settings{Game: name, Rated: true, Clock: live.TimeControl{Main: 300}, Seats: [2]live.Player{seatOf(first), seatOf(second)}}
	if name == "chess" {
		s.Options = game.Setup{"halt": "none"}
	}
	if clock == "days" {
		s.Clock = live.TimeControl{Days: 2}
	}
	return s
}

// ratedHistory writes random rated games.
func ratedHistory(t *testing.T, games int) *live.Memory {
	t.Helper()
	l, rng := live.NewMemory(), rand.New(rand.NewPCG(1, 2))
	for n := range games {
		first, second := people[rng.IntN(4)], people[rng.IntN(4)] // sometimes the same
		if rng.IntN(3) == 0 {
			second = fmt.Sprintf("level:%d", 1+rng.IntN(10))
		}
		s := ratedSettings([]string{"loa", "neighbors"}[rng.IntN(2)], []string{"days", ""}[rng.IntN(2)], first, second)
		if rng.IntN(3) == 0 {
			s.Delay = rng.Int64N(live.MaxDelay)
		}
		playRated(t, l, fmt.Sprintf("game%d", n), s, rng.IntN(2), int64(n)*600_000)
	}
	return l
}

// ratings returns all ratings with their curves, the changes by each game, and the anchors of an index.
func ratings(t *testing.T, x *index.Index) (all []any) {
	t.Helper()
	for _, p := range people {
		list, err := x.Ratings(t.Context(), "id-"+p)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			curve, err := x.Curve(t.Context(), "id-"+p, r)
			if err != nil {
				t.Fatal(err)
			}
			if end := curve[len(curve)-1]; end.Points != r.Points || end.RD != r.RD || end.At != r.At || end.Games != r.Games {
				t.Errorf("the curve ends with %+v, the rating is %+v", end, r.Rating)
			}
			all = append(all, p, r, curve)
		}
	}
	rows, _, err := x.List(t.Context(), index.Query{Limit: index.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		all = append(all, r.ID, r.Changes)
	}
	for _, board := range []string{"loa", "neighbors"} {
		a, err := x.Anchor(t.Context(), board)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	return all
}

// TestRatingsRebuilt checks that the ratings are equal to the bit whether the log is read event by event,
// at once, or with repeated events, whenever games are revealed, and after a game is erased.
func TestRatingsRebuilt(t *testing.T) {
	l := ratedHistory(t, 60)
	list := entries(t, l)
	one, whole, hasty := open(t, ""), open(t, ""), open(t, "")
	for i, e := range list {
		var at live.Envelope
		err := errors.Join(json.Unmarshal(e.Data, &at), one.Apply(t.Context(), list[i:i+1]), one.Reveal(t.Context(), at.Wall),
			hasty.Apply(t.Context(), list[i:i+1]), hasty.Reveal(t.Context(), at.Wall+900_000)) // hasty reveals games before it has applied all earlier events
		if err != nil {
			t.Fatal(err)
		}
	}
	reveal(t, one, hasty)
	for range 2 {
		if err := whole.Apply(t.Context(), list); err != nil {
			t.Fatal(err)
		}
		reveal(t, whole)
		for name, x := range map[string]*index.Index{"event by event": one, "in haste": hasty} {
			if diff := cmp.Diff(ratings(t, x), ratings(t, whole)); diff != "" {
				t.Errorf("%s and at once (-%s +whole):\n%s", name, name, diff)
			}
		}
	}
	before := ratings(t, one)
	for _, id := range []string{"game5", "game50"} {
		if _, err := live.EraseStream(t.Context(), l, id, time.UnixMilli(0)); err != nil {
			t.Fatal(err)
		}
		after := entries(t, l)
		if err := one.Apply(t.Context(), after[len(after)-1:]); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < 8 && id == "game5"; i++ { // everybody plays in every pool before the refold runs
			pair := people[i%2*2:]
			playRated(t, l, fmt.Sprint(id, "x", i), ratedSettings([]string{"loa", "neighbors"}[i/2%2], []string{"days", ""}[i/4], pair[0], pair[1]), 0, 1<<39)
		}
		after = entries(t, l)
		rebuilt := open(t, "")
		if err := errors.Join(one.Apply(t.Context(), after), rebuilt.Apply(t.Context(), after)); err != nil {
			t.Fatal(err)
		}
		reveal(t, one, rebuilt)
		if diff := cmp.Diff(ratings(t, rebuilt), ratings(t, one)); diff != "" {
			t.Errorf("after %s was erased (-rebuilt +one):\n%s", id, diff)
		}
		if got, want := one.HistoryLen(t), rebuilt.HistoryLen(t); got != want {
			t.Errorf("after %s was erased, the history has %d ratings, want %d", id, got, want)
		}
	}
	if cmp.Equal(before, ratings(t, one)) {
		t.Error("erasing a game changed no rating")
	}
}

// reveal reveals all games of some indexes.
func reveal(t *testing.T, list ...*index.Index) {
	t.Helper()
	for _, x := range list {
		if err := x.Reveal(t.Context(), 1<<40); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRatedOnce checks how a game changes ratings, and which games change none.
func TestRatedOnce(t *testing.T) {
	l := live.NewMemory()
	unrated := ratedSettings("loa", "", "ann", "ben")
	unrated.Rated = false
	playRated(t, l, "unrated", unrated, 0, 1)
	playRated(t, l, "aborted", ratedSettings("loa", "", "ann", "ben"), -1, 1)
	playRated(t, l, "alone", ratedSettings("loa", "", "ann", "ann"), 0, 1)
	playRated(t, l, "engine", ratedSettings("loa", "", "ann", "engine"), 0, 1)
	playRated(t, l, "counts", ratedSettings("loa", "", "ann", "ben"), 1, 7)
	playRated(t, l, "level", ratedSettings("chess", "days", "ben", "level:4"), 1, 9)
	x := open(t, "")
	if err := x.Apply(t.Context(), entries(t, l)); err != nil {
		t.Fatal(err)
	}
	two, a := [2]rating.Rating{}, rating.Anchor{}
	(rating.Game{Board: "loa", Score: 1, At: 7}).Rate(&two, &a)
	ben := [2]rating.Rating{}
	(rating.Game{Board: "chess", Levels: [2]int{0, 4}, Score: 1, At: 9}).Rate(&ben, &a)
	pool := rating.Pool{Board: "loa", Speed: "blitz"}
	for person, want := range map[string][]index.PoolRating{
		"id-ann": {{Pool: pool, Rating: two[0]}},
		"id-ben": {{Pool: rating.Pool{Board: "chess", Speed: "correspondence"}, Rating: ben[0]}, {Pool: pool, Rating: two[1]}},
		"id-cid": nil, "": nil,
	} {
		got, err := x.Ratings(t.Context(), person)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s (-want +got): %v\n%s", person, err, diff)
		}
	}
	curve, err := x.Curve(t.Context(), "id-ann", index.PoolRating{Pool: pool, Rating: two[0]})
	begin, end := rating.New(), two[0]
	begin.At, end.LogVariance = 7, 0
	if diff := cmp.Diff([]rating.Rating{begin, end}, curve); err != nil || diff != "" {
		t.Errorf("the curve (-want +got): %v\n%s", err, diff)
	}
	rows, _, err := x.List(t.Context(), index.Query{})
	if err != nil {
		t.Fatal(err)
	}
	changes := map[string]*[2]int{
		"counts": {two[0].Rounded() - rating.Start, two[1].Rounded() - rating.Start}, "level": {ben[0].Rounded() - rating.Start},
	}
	for _, r := range rows {
		if !cmp.Equal(r.Changes, changes[r.ID]) || r.Rated != (r.ID != "unrated" && r.ID != "aborted" && !strings.HasSuffix(r.ID, "r")) {
			t.Errorf("game %s: rated %v, changes %v, want %v", r.ID, r.Rated, r.Changes, changes[r.ID])
		}
	}
	if got, err := x.Anchor(t.Context(), "chess"); err != nil || got != a || a.Games != 1 {
		t.Errorf("the anchor of chess is %+v, %v, want %+v", got, err, a)
	}
}

// TestConcealedChange checks that ratings, curves, lists and the anchors of levels do not reveal the result of a delayed
// game before its delay is over, and that they show it then even if no other game ends.
func TestConcealedChange(t *testing.T) {
	l := live.NewMemory()
	delayed := ratedSettings("loa", "", "ann", "ben")
	delayed.Delay = 60
	playRated(t, l, "delayed", delayed, 1, 7)
	delayed.Seats[1] = seatOf("level:3")
	playRated(t, l, "level", delayed, 1, 8)
	playRated(t, l, "other", ratedSettings("loa", "", "ann", "cid"), 1, 9)
	x, without := open(t, ""), open(t, "")
	list := entries(t, l)
	if err := errors.Join(x.Apply(t.Context(), list), without.Apply(t.Context(), slices.DeleteFunc(slices.Clone(list), func(e live.Entry) bool { return !strings.HasPrefix(e.Stream, "other") }))); err != nil {
		t.Fatal(err)
	}
	look := func(x *index.Index) (all []any) {
		for _, p := range people {
			ratings, err := x.Ratings(t.Context(), "id-"+p)
			all = append(all, ratings, err)
			for _, r := range ratings {
				curve, err := x.Curve(t.Context(), "id-"+p, r)
				all = append(all, curve, err)
			}
		}
		a, err := x.Anchor(t.Context(), "loa")
		return append(all, a, err)
	}
	for _, now := range []int64{9, 7 + 59_999} {
		if err := x.Reveal(t.Context(), now); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(look(without), look(x)); diff != "" {
			t.Errorf("at %d, unlike before the delayed games (-before +now):\n%s", now, diff)
		}
		for _, q := range []index.Query{{Now: now}, {}} {
			rows, _, err := x.List(t.Context(), q)
			if i := slices.IndexFunc(rows, func(r index.Row) bool { return r.ID == "delayed" }); err != nil || i < 0 || rows[i].Changes != nil {
				t.Errorf("at %d: %+v, %v, want no changes", now, rows, err)
			}
		}
	}
	reveal(t, x)
	rows, _, err := x.List(t.Context(), index.Query{Now: 7 + 60_000})
	if err != nil || len(rows) < 3 || slices.ContainsFunc(rows, func(r index.Row) bool { return r.Rated && r.Changes == nil }) {
		t.Errorf("after the delay: %+v, %v, want changes", rows, err)
	}
	if a, err := x.Anchor(t.Context(), "loa"); err != nil || a.Games != 1 {
		t.Errorf("the anchor after the delay: %+v, %v", a, err)
	}
	got, err := x.Ratings(t.Context(), "id-ann")
	if err != nil || len(got) != 1 || got[0].Games != 3 {
		t.Errorf("the ratings after the delay: %+v, %v, want 3 games", got, err)
	}
}
