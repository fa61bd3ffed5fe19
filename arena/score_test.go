package arena_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"quintet/arena"
)

// drawPair draws the half points of a pair of games between players of a known
// difference. At most a third of the games are drawn. The opening is worth up to bias of
// Elo to a side, in one game to the one player and in the other to the other.
func drawPair(r *rand.Rand, elo, bias float64) (half int) {
	edge := bias * (2*r.Float64() - 1)
	for _, e := range []float64{edge, -edge} {
		share := 1 / (1 + math.Pow(10, -(elo+e)/400))
		draws := min(1.0/6, share, 1-share)
		switch x := r.Float64(); {
		case x < share-draws:
			half += 2
		case x < share+draws:
			half++
		}
	}
	return half
}

// simulate draws pairs until the test decides.
func simulate(r *rand.Rand, test arena.SPRT, elo, bias float64) (verdict string) {
	var score arena.Score
	for verdict = "open"; verdict == "open"; verdict = test.Verdict(test.LLR(score.Pentanomial)) {
		score.Pentanomial[drawPair(r, elo, bias)]++
	}
	return verdict
}

// TestSPRT simulates engines of known strength: wrong decisions come at most as
// often as the test says, give or take three standard deviations.
func TestSPRT(t *testing.T) {
	const runs = 400
	test := arena.SPRT{Elo0: 0, Elo1: 20}
	for i, c := range []struct {
		elo, bias float64
		right     string
	}{{0, 0, "H0"}, {0, 100, "H0"}, {20, 0, "H1"}, {20, 100, "H1"}} {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		wrong := 0
		for range runs {
			if verdict := simulate(r, test, c.elo, c.bias); verdict != c.right {
				wrong++
			}
		}
		if wrong > runs/20+13 {
			t.Errorf("%+.0f Elo, openings worth %.0f: %d of %d decisions are wrong, want one in twenty", c.elo, c.bias, wrong, runs)
		}
	}
	if test.LLR([5]int{}) != 0 || test.Verdict(0) != "open" {
		t.Error("a test without games has an opinion")
	}
}

// TestElo checks that the interval holds the true difference in 95 of 100 cases.
func TestElo(t *testing.T) {
	const runs = 1000
	r := rand.New(rand.NewPCG(2, 2))
	const truth = 35.0
	share := 1 / (1 + math.Pow(10, -truth/400))
	held := 0
	for range runs {
		var s arena.Score
		for range 200 {
			half := 0
			for range 2 {
				if r.Float64() < share {
					half += 2
				}
			}
			s.Pentanomial[half]++
		}
		if elo, margin := s.Elo(); math.Abs(elo-truth) <= margin {
			held++
		}
	}
	if held < 920 || held > 980 {
		t.Errorf("%d of %d intervals hold the true difference, want 950", held, runs)
	}
}

func TestEdges(t *testing.T) {
	var none arena.Score
	if elo, margin := none.Elo(); elo != 0 || margin != 0 || none.Superiority() != 0.5 || none.Share() != 0.5 {
		t.Errorf("no games: %v ± %v", elo, margin)
	}
	all := arena.Score{Counts: arena.Counts{Wins: 20}, Pentanomial: [5]int{4: 10}}
	if elo, margin := all.Elo(); math.IsInf(elo, 0) || elo < 500 || math.IsNaN(margin) || all.Superiority() < 0.99 || all.Share() != 1 {
		t.Errorf("everything won: %v ± %v, superior with %v", elo, margin, all.Superiority())
	}
}

// TestSweep checks for a one-sided bound after a sweep, and an interval after any other
// score. A true lead at the bound must sweep one match in twenty.
func TestSweep(t *testing.T) {
	for _, test := range []struct {
		pentanomial [5]int
		want        string
	}{
		{[5]int{4: 8}, "Elo > +275 (95 % bound)"},
		{[5]int{8}, "Elo < -275 (95 % bound)"},
		{[5]int{4: 1}, "Elo > -216 (95 % bound)"},
		{[5]int{2: 8}, "Elo +0 ± 57"},
		{[5]int{3: 1, 4: 7}, "Elo +597 ± 562"},
		{[5]int{}, "Elo +0 ± 0"},
	} {
		s := arena.Score{Pentanomial: test.pentanomial}
		if got := s.EloText(); got != test.want {
			t.Errorf("%v: %s, want %s", test.pentanomial, got, test.want)
		}
		bound, ok := s.EloBound()
		if s.Pentanomial[0] > 0 {
			bound = -bound
		}
		if won := math.Pow(1/(1+math.Pow(10, -bound/400)), 2*float64(s.Pairs())); ok && math.Abs(won-0.05) > 1e-9 {
			t.Errorf("%v: a lead of %.1f sweeps %.3f of matches, want 0.05", test.pentanomial, bound, won)
		}
	}
}

// TestSweptRating checks that a player with only wins or only losses has a rating
// without an error.
func TestSweptRating(t *testing.T) {
	s := arena.Standings{
		Players: []arena.Standing{{Games: 8, Counts: arena.Counts{Wins: 8}}, {Games: 8, Counts: arena.Counts{Losses: 8}}, {Games: 8, Counts: arena.Counts{Wins: 4, Losses: 4}}},
		Pairings: []arena.Pairing{
			{A: 0, B: 1, Score: arena.Score{Pentanomial: [5]int{4: 2}}},
			{A: 0, B: 2, Score: arena.Score{Pentanomial: [5]int{4: 2}}},
			{A: 2, B: 1, Score: arena.Score{Pentanomial: [5]int{4: 2}}},
		},
	}
	for i, r := range s.Ratings() {
		if swept := i != 1; r.Swept != swept || (r.Error == 0) != swept {
			t.Errorf("rating %d: %+v", i+1, r)
		}
	}
}
