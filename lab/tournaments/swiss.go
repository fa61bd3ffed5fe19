// Package tournaments simulates Swiss tournaments and arenas, and checks their pairings.
package tournaments

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"quintet/people/tournament"
)

// Swiss plays a random Swiss with byes, late entries, forfeits and withdrawals. It calls check with the games
// of each round before they are played.
func Swiss(rng *rand.Rand, n, rounds int, check func(*tournament.State, []tournament.Game)) (*tournament.State, error) {
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
				g.Outcome = Outcome(rng, s.Players[g.First].Rating-s.Players[g.Second].Rating)
			}
			s.Games = append(s.Games, g)
		}
		if rng.IntN(3) == 0 {
			s.Players[rng.IntN(n)].Withdrawn = true
		}
	}
	return s, nil
}

// Outcome returns a random outcome of a game of players whose ratings differ.
func Outcome(rng *rand.Rand, difference int) tournament.Outcome {
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

// Players returns how many players are there for the round.
func (c *Checker) Players() int { return len(c.here) }

// Faults returns what is wrong with the games of a round: partners other than the best ones, if they are not nil, what the
// absolute criteria forbid, colours, and players without a game.
func (c *Checker) Faults(games []tournament.Game, best map[int]int) (faults []string) {
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Sprintf("round %d: ", c.round)+fmt.Sprintf(format, args...))
	}
	rank := func(p int) int { return slices.Index(c.here, p) }
	seen := map[int]int{}
	for _, g := range games {
		seen[g.First]++
		if g.Outcome == tournament.HalfBye {
			if !slices.Contains(c.s.Players[g.First].Byes, c.round) {
				fault("player %d did not ask for a bye", g.First)
			}
			continue
		}
		if q, ok := best[g.First]; ok && q != g.Second {
			fault("player %d meets %d, want %d", g.First, g.Second, q)
		}
		if rank(g.First) < 0 || !c.may(g.First, g.Second) {
			fault("players %d and %d may not meet", g.First, g.Second)
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
			fault("player %d has the first move against %d", g.First, g.Second)
		}
	}
	for _, p := range c.here {
		if games != nil && seen[p] != 1 {
			fault("player %d has %d games", p, seen[p])
		}
	}
	return faults
}
