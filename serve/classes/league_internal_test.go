package classes

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"quintet/people/class"
	"quintet/people/tournament"
)

// match returns a result with the points of both games.
func match(opponent string, points ...int) class.Result {
	return class.Result{Opponent: opponent, Games: [2]class.Ended{{Points: points[0], End: "crash"}, {Points: points[1]}}}
}

// repeat returns a result n times.
func repeat(r class.Result, n int) (list []class.Result) {
	for range n {
		list = append(list, r)
	}
	return list
}

// TestLadder checks which levels count as beaten.
func TestLadder(t *testing.T) {
	win, split, loss := match("level:1", 2, 2), match("level:1", 2, 0), match("level:1", 0, 0)
	second := match("level:2", 2, 2)
	for name, c := range map[string]struct {
		results      []class.Result
		beaten, next int
	}{
		"nothing":          {nil, 0, 1},
		"nine matches":     {repeat(win, 9), 0, 1},
		"ten matches":      {repeat(win, 10), 1, 2},
		"both":             {append(repeat(win, 10), repeat(second, 10)...), 2, 0},
		"another level":    {repeat(second, 10), 0, 1}, // the first is not beaten
		"lost":             {repeat(loss, 10), 0, 0},
		"even":             {repeat(split, 49), 0, 0},
		"even for a while": {repeat(split, 1), 0, 1},
	} {
		if beaten, next := ladder(c.results, 2); beaten != c.beaten || next != c.next {
			t.Errorf("%s: %d, next %d, want %d and %d", name, beaten, next, c.beaten, c.next)
		}
	}
	if p, rule := points(repeat(win, 10), class.Assignment{Points: 100, League: &class.League{Level: 2}}); p != 50 || rule == "" {
		t.Errorf("one of two levels gives %v points, %q", p, rule)
	}
}

// TestLadderError plays programs that are as strong as the level: at most one in twenty may pass for stronger. This is
// what a mark by the test promises.
func TestLadderError(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const runs = 4000
	passed := 0
	for range runs {
		var list []class.Result
		for range maxLadder {
			list = append(list, match("level:1", 2*r.IntN(2), 2*r.IntN(2)))
			if beaten, next := ladder(list, 1); beaten == 1 || next == 0 {
				passed += beaten
				break
			}
		}
	}
	if share := float64(passed) / runs; share > 0.05 {
		t.Errorf("%.3f of programs as strong as the level beat it", share)
	}
}

// leagueOf returns a league in which the programs 0 to n-1 have played some matches, in a random order.
func leagueOf(n int, r *rand.Rand) (*class.State, class.Assignment) {
	a := class.Assignment{ID: "a", Points: 100, League: &class.League{Level: 3}}
	st := &class.State{Assignments: []class.Assignment{a}}
	for i := range n {
		p := class.Submission{ID: fmt.Sprint("p", i), Student: fmt.Sprint("s", i), Assignment: "a", Judged: true, Verdict: "accepted"}
		for j := range n {
			if i != j {
				p.Results = append(p.Results, match(fmt.Sprint("p", j), 2*((i*j+i)%2), (i+j)%3))
			}
		}
		r.Shuffle(len(p.Results), func(i, j int) { p.Results[i], p.Results[j] = p.Results[j], p.Results[i] })
		st.Submissions = append(st.Submissions, p)
	}
	return st, a
}

func everybody(string) bool { return true }

// TestTableOrder checks that the table does not depend on the order of the games.
func TestTableOrder(t *testing.T) {
	var want []row
	for seed := range uint64(5) {
		st, a := leagueOf(8, rand.New(rand.NewPCG(seed, 0)))
		got := newLeagueTable(st, a, everybody).rows(a)
		if want == nil {
			want = got
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("order %d: %v, want %v", seed, got, want)
		}
	}
	if want[0].Elo <= want[7].Elo || want[0].Games != 28 || !want[3].Decided || want[3].Error <= 0 {
		t.Errorf("the table is %+v", want)
	}
}

// BenchmarkTable computes the table of a class of 60 and the matches that are left, as each request for the table does.
func BenchmarkTable(b *testing.B) {
	st, a := leagueOf(60, rand.New(rand.NewPCG(1, 0)))
	for b.Loop() {
		t := newLeagueTable(st, a, everybody)
		t.rows(a)
		for _, n := range t.programs {
			t.next(a, n)
		}
	}
}

// TestNextOpponents checks that a new program meets everyone before anyone twice, and that the league ends.
func TestNextOpponents(t *testing.T) {
	st, a := leagueOf(1, rand.New(rand.NewPCG(0, 0)))
	for i := range 20 {
		st.Submissions = append(st.Submissions, class.Submission{ID: fmt.Sprint("q", i), Student: fmt.Sprint("t", i), Assignment: "a", Judged: true, Verdict: "accepted"})
	}
	n := &st.Submissions[0]
	seen := map[opponent]int{}
	for n.Rounds < 100 {
		list := newLeagueTable(st, a, everybody).next(a, *n)
		if len(list) == 0 {
			break
		}
		for _, o := range list {
			if seen[o]++; seen[o] > 1 {
				t.Fatalf("%v is played twice", o)
			}
			n.Results = append(n.Results, match(o.name, 2, 2))
		}
		n.Rounds++
	}
	met := map[string]int{}
	for o := range seen {
		met[o.name]++
	}
	if len(met) != 23 || met["q3"] != 5 || met["level:1"] != 12 || n.Rounds != 17 {
		t.Errorf("after %d rounds the program has met %v", n.Rounds, met)
	}
	if beaten, _ := ladder(n.Results, 3); beaten != 3 {
		t.Errorf("it beats level %d", beaten)
	}
}

// TestSimilarOpponents checks that a program that has met all others meets again those of its strength.
func TestSimilarOpponents(t *testing.T) {
	st, a := leagueOf(0, nil)
	for i := range 9 {
		p := class.Submission{ID: fmt.Sprint("p", i), Student: fmt.Sprint("s", i), Assignment: "a", Judged: true, Verdict: "accepted"}
		for j := range i { // each beats those before it, most often those far before it
			p.Results = append(p.Results, match(fmt.Sprint("p", j), 2, min(2, i-j-1)))
		}
		p.Results = append(p.Results, repeat(match("level:1", 0, 0), maxLadder)...)
		st.Submissions = append(st.Submissions, p)
	}
	met := map[string]int{}
	for _, o := range newLeagueTable(st, a, everybody).next(a, st.Submissions[4]) {
		met[o.name]++
	}
	if met["p3"]+met["p5"] < 4 || met["p0"]+met["p8"] > 0 {
		t.Errorf("the fifth of nine meets %v", met)
	}
}

// TestForfeit checks that the program of an erased student forfeits, with the rest of the bracket as it was.
func TestForfeit(t *testing.T) {
	st := &class.State{}
	for i, event := range []string{
		`{"kind":"submitted","submission":"a","student":"ann","to":"l"}`, `{"kind":"submitted","submission":"b","student":"bob","to":"l"}`,
		`{"kind":"submitted","submission":"c","student":"eve","to":"l"}`, `{"kind":"final","to":"l","programs":["a","b","c"]}`,
		`{"kind":"finalplayed","to":"l","match":{"round":1,"first":0,"second":-1,"outcome":7}}`,
	} {
		if err := st.Apply([]byte(event)); err != nil {
			t.Fatalf("event %d: %v", i, err)
		}
	}
	f, _ := st.Final("l")
	g, ok := nextMatch(st, f, class.Class{Students: []class.Student{{ID: "ann"}, {ID: "eve"}}})
	if !ok || g.Outcome != tournament.SecondAbsent && g.Outcome != tournament.FirstAbsent || g.Round != 1 || g.First+g.Second != 3 {
		t.Errorf("the next match is %+v, %v, want Bob to forfeit against Eve", g, ok)
	}
	if err := st.Apply([]byte(`{"kind":"finalplayed","to":"l","match":{"round":1,"first":3,"second":0}}`)); err == nil {
		t.Error("a final has a match of somebody else")
	}
}
