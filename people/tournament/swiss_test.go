package tournament_test

import (
	"math/rand/v2"
	"testing"

	"quintet/lab/tournaments"
	"quintet/people/tournament"
)

// TestDutch compares the rounds of small tournaments with the best of all complete pairings.
func TestDutch(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	rounds := 0
	for range intenv("TOURNAMENTS", 150) {
		n := 3 + rng.IntN(6)
		s, _ := tournaments.Swiss(rng, n, 2+rng.IntN(5), func(s *tournament.State, games []tournament.Game) {
			c := tournaments.NewChecker(s, s.Round()+1)
			best := c.Best()
			if (best == nil || c.Players() < 2) != (games == nil) {
				t.Fatalf("after round %d: paired %v, want %v", s.Round(), games, best)
			}
			for _, fault := range c.Faults(games, best) {
				t.Error(fault)
			}
			rounds++
		})
		if t.Failed() {
			t.Fatalf("%+v", s)
		}
	}
	t.Logf("%d rounds", rounds)
}

// TestLargeSwiss checks the absolute criteria in larger tournaments.
func TestLargeSwiss(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for _, n := range []int{20, 33, 60} {
		check := func(s *tournament.State, games []tournament.Game) {
			for _, fault := range tournaments.NewChecker(s, s.Round()+1).Faults(games, nil) {
				t.Error(fault)
			}
		}
		if s, err := tournaments.Swiss(rng, n, 7, check); err != nil || s.Round() != 7 {
			t.Errorf("%d players, round %d: %v", n, s.Round(), err)
		}
	}
}
