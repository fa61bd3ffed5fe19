package tournament_test

import (
	"testing"

	"quintet/people/tournament"
)

// TestRobin plays round robins: everybody meets everybody, and the sides are even.
func TestRobin(t *testing.T) {
	for n := 2; n <= 12; n++ {
		for cycles := 1; cycles <= 2; cycles++ {
			s := &tournament.State{Form: tournament.Robin, Cycles: cycles, Players: make([]tournament.Player, n)}
			met, firsts := map[[2]int]int{}, make([]int, n)
			for !s.Over() {
				games, err := s.Pair()
				if err != nil || len(games) != (n+1)/2 {
					t.Fatalf("%d players, round %d: %v, %v", n, s.Round(), games, err)
				}
				for _, g := range games {
					if g.Second != tournament.None {
						met[[2]int{min(g.First, g.Second), max(g.First, g.Second)}]++
						firsts[g.First]++
						g.Outcome = tournament.Drawn
					}
					s.Games = append(s.Games, g)
				}
			}
			for pair, times := range met {
				if times != cycles {
					t.Errorf("%d players: %v met %d times, want %d", n, pair, times, cycles)
				}
			}
			if want := n * (n - 1) / 2; len(met) != want {
				t.Errorf("%d players: %d pairs, want %d", n, len(met), want)
			}
			for i, f := range firsts {
				if d := 2*f - cycles*(n-1); d < -1 || d > 1 {
					t.Errorf("%d players, %d cycles: player %d has %d first moves", n, cycles, i, f)
				}
			}
		}
	}
}
