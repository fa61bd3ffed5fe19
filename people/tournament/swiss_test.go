package tournament_test

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"quintet/people/tournament"
)

// TestDutch compares the rounds of small tournaments with the best of all complete pairings.
func TestDutch(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	rounds := 0
	for range intenv("TOURNAMENTS", 150) {
		n := 3 + rng.IntN(6)
		s, _ := randomSwiss(rng, n, 2+rng.IntN(5), func(s *tournament.State, games []tournament.Game) {
			c := newChecker(s, s.Round()+1)
			best := c.best()
			if (best == nil || len(c.here) < 2) != (games == nil) {
				t.Fatalf("round %d: paired %v, want %v", c.round, games, best)
			}
			c.compare(t, games, best)
			rounds++
		})
		if t.Failed() {
			t.Fatalf("%+v", s)
		}
	}
	t.Logf("%d rounds", rounds)
}

// compare checks the games of a round against partners, if there are any, and the absolute criteria, and colours.
func (c *checker) compare(t *testing.T, games []tournament.Game, best map[int]int) {
	t.Helper()
	rank := func(p int) int { return slices.Index(c.here, p) }
	seen := map[int]int{}
	for _, g := range games {
		seen[g.First]++
		if g.Outcome == tournament.HalfBye {
			if !slices.Contains(c.s.Players[g.First].Byes, c.round) {
				t.Errorf("round %d: player %d did not ask for a bye", c.round, g.First)
			}
			continue
		}
		if q, ok := best[g.First]; ok && q != g.Second {
			t.Errorf("round %d: player %d meets %d, want %d", c.round, g.First, g.Second, q)
		}
		if rank(g.First) < 0 || !c.may(g.First, g.Second) {
			t.Errorf("round %d: players %d and %d may not meet", c.round, g.First, g.Second)
		}
		if g.Second == nobody {
			continue
		}
		seen[g.Second]++
		a, b := g.First, g.Second
		if rank(b) < rank(a) {
			a, b = b, a
		}
		if c.white(a, b) != g.First {
			t.Errorf("round %d: player %d has the first move against %d", c.round, g.First, g.Second)
		}
	}
	for _, p := range c.here {
		if games != nil && seen[p] != 1 {
			t.Errorf("round %d: player %d has %d games", c.round, p, seen[p])
		}
	}
}

// TestLargeSwiss checks the absolute criteria in larger tournaments.
func TestLargeSwiss(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for _, n := range []int{20, 33, 60} {
		check := func(s *tournament.State, games []tournament.Game) { newChecker(s, s.Round()+1).compare(t, games, nil) }
		if s, err := randomSwiss(rng, n, 7, check); err != nil || s.Round() != 7 {
			t.Errorf("%d players, round %d: %v", n, s.Round(), err)
		}
	}
}

// randomSwiss plays a random Swiss with byes, late entries, forfeits and withdrawals.
func randomSwiss(rng *rand.Rand, n, rounds int, check func(*tournament.State, []tournament.Game)) (*tournament.State, error) {
	s := &tournament.State{Form: tournament.Swiss, Rounds: rounds, Lot: rng.IntN(2) == 1}
	for i := range n {
		p := tournament.Player{ID: strconv.Itoa(i), Rating: 1500 + rng.IntN(600)}
		if rng.IntN(12) == 0 {
			p.Joined = 1 + rng.IntN(rounds)
		}
		if rng.IntN(8) == 0 {
			p.Byes = []int{1 + rng.IntN(rounds)}
		}
		s.Players = append(s.Players, p)
	}
	for !s.Over() {
		games, err := s.Pair()
		check(s, games)
		if err != nil {
			return s, err
		}
		for _, g := range games {
			if g.Second != tournament.None {
				g.Outcome = outcome(rng, s.Players[g.First].Rating-s.Players[g.Second].Rating)
			}
			s.Games = append(s.Games, g)
		}
		if rng.IntN(3) == 0 {
			s.Players[rng.IntN(n)].Withdrawn = true
		}
	}
	return s, nil
}

func outcome(rng *rand.Rand, difference int) tournament.Outcome {
	switch x := rng.IntN(100); {
	case x < 2:
		return tournament.FirstAbsent
	case x < 4:
		return tournament.SecondAbsent
	case x < 5:
		return tournament.BothAbsent
	case x < 30:
		return tournament.Drawn
	}
	if rng.IntN(1200) < 600+difference {
		return tournament.FirstWins
	}
	return tournament.SecondWins
}
