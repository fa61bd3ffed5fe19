package rating

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// simulation is a population of known strengths whose members play others of similar rating.
type simulation struct {
	rng     *rand.Rand
	truth   []float64
	ratings []Rating
	at      int64
	fitted  []Result // all games, with the index of the opponent in Opponent.Games
	of      []int    // the player of each
}

// spread is the width of the uniform distribution of true strengths, about that from level 1 to level 10.
const spread = 2400

func simulate(players, games int, seed uint64) *simulation {
	s := &simulation{rng: rand.New(rand.NewPCG(seed, 5)), ratings: make([]Rating, players)}
	for range players {
		s.truth = append(s.truth, Start+spread*(s.rng.Float64()-0.5))
	}
	for range games {
		s.at += msPerDay / 4
		s.round()
	}
	return s
}

// pairs returns opponents: neighbours in the list of ratings, with noise like that of waves.
func (s *simulation) pairs() (list [][2]int) {
	type place struct {
		player int
		key    float64
	}
	order := make([]place, len(s.ratings))
	for i, r := range s.ratings {
		order[i] = place{i, r.Known().Points + 100*s.rng.NormFloat64()}
	}
	slices.SortFunc(order, func(a, b place) int { return cmp.Compare(a.key, b.key) })
	for i := 1; i < len(order); i += 2 {
		list = append(list, [2]int{order[i-1].player, order[i].player})
	}
	return list
}

func logistic(points float64) float64 { return 1 / (1 + math.Exp(-points/scale)) }

func (s *simulation) round() {
	for _, p := range s.pairs() {
		score := float64(0)
		if s.rng.Float64() < logistic(s.truth[p[0]]-s.truth[p[1]]) {
			score = 1
		}
		two := [2]Rating{s.ratings[p[0]], s.ratings[p[1]]}
		Game{Board: "even", Score: score, At: s.at}.Rate(&two, &Anchor{})
		s.ratings[p[0]], s.ratings[p[1]] = two[0], two[1]
		s.of = append(s.of, p[0])
		s.fitted = append(s.fitted, Result{Opponent: Rating{Games: p[1]}, Score: score})
	}
}

// kendall returns Kendall's tau between the true strengths and estimates.
func (s *simulation) kendall(of func(i int) float64) float64 {
	sum, n := 0, len(s.truth)
	for i := range n {
		for j := range i {
			if (s.truth[i] < s.truth[j]) == (of(i) < of(j)) {
				sum++
			} else {
				sum--
			}
		}
	}
	return float64(sum) / float64(n*(n-1)/2)
}

// loss returns the excess of the predictions' expected log loss over that of the true strengths, as a
// fraction of the latter, over pairs as they are played.
func (s *simulation) loss(predict func(i, j int) float64) float64 {
	var got, best float64
	for range 20 {
		for _, p := range s.pairs() {
			q, truth := predict(p[0], p[1]), logistic(s.truth[p[0]]-s.truth[p[1]])
			got -= truth*math.Log(q) + (1-truth)*math.Log(1-q)
			best -= truth*math.Log(truth) + (1-truth)*math.Log(1-truth)
		}
	}
	return got/best - 1
}

// best fits strengths to all games at once, with the prior from which they were drawn. No method that sees
// only results can do better.
func (s *simulation) best() []float64 {
	fit := make([]float64, len(s.truth))
	for range 400 {
		slope, curve := make([]float64, len(fit)), make([]float64, len(fit))
		for n, g := range s.fitted {
			i, j := s.of[n], g.Opponent.Games
			p := logistic(fit[i] - fit[j])
			slope[i] += g.Score - p
			slope[j] -= g.Score - p
			curve[i] += p * (1 - p)
			curve[j] += p * (1 - p)
		}
		for i := range fit {
			prior := scale * scale / (spread * spread / 12.)
			fit[i] += min(max(0.7*scale*(slope[i]-prior*fit[i]/scale)/(curve[i]+prior), -200), 200)
		}
	}
	return fit
}

func (s *simulation) predict(i, j int) float64 { return Expected(s.ratings[i], s.ratings[j], 0) }

func (s *simulation) points(i int) float64 { return s.ratings[i].Points }

// TestSimulation is a small version of BenchmarkRatings with bounds.
func TestSimulation(t *testing.T) {
	s := simulate(300, 60, 1)
	fit := s.best()
	if got, best := s.kendall(s.points), s.kendall(func(i int) float64 { return fit[i] }); got < best-0.012 {
		t.Errorf("Kendall's tau %.4f after 60 games, want almost %.4f", got, best)
	}
	if got := s.loss(s.predict); got > 0.07 {
		t.Errorf("the log loss exceeds that of the true strengths by %.1f %%, want at most 7 %%", 100*got)
	}
}

// BenchmarkRatings measures simulated players, and what the best method could do:
//
//	go test -run '^$' -bench Ratings -benchtime 1x ./people/rating
func BenchmarkRatings(b *testing.B) {
	for b.Loop() {
		s := simulate(2000, 60, 1)
		fit := s.best()
		b.ReportMetric(s.kendall(s.points), "tau")
		b.ReportMetric(100*s.loss(s.predict), "%loss")
		b.ReportMetric(s.kendall(func(i int) float64 { return fit[i] }), "best-tau")
		b.ReportMetric(100*s.loss(func(i, j int) float64 { return logistic((fit[i] - fit[j]) * 0.97) }), "best-%loss")
	}
}
