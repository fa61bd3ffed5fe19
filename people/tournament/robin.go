package tournament

import "slices"

// This file pairs a round robin by the Berger tables of FIDE's Handbook C.05, annex 1.

func (s *State) robinRounds() int {
	n := len(s.starters())
	n += n % 2
	return max(n-1, 0) * max(s.Cycles, 1)
}

// robin returns the games of a round. An odd number of players has one without a game each round.
func (s *State) robin(round int) (games []Game) {
	ranking := s.starters()
	n := len(ranking) + len(ranking)%2
	cycle, r := (round-1)/(n-1), (round-1)%(n-1)
	for board := range n / 2 {
		a, b := berger(n, r, board)
		if cycle%2 == 1 {
			a, b = b, a
		}
		if a >= len(ranking) || b >= len(ranking) {
			games = append(games, Game{Round: round, First: ranking[min(a, b)], Second: None, Outcome: ZeroBye})
			continue
		}
		games = append(games, s.settled(Game{Round: round, First: ranking[a], Second: ranking[b]}))
	}
	return games
}

// berger returns the places, from 0, of the first and the second player of a board in round r, from 0,
// of n players. The last place changes sides every round; the others move on by n/2.
func berger(n, r, board int) (first, second int) {
	m := n - 1
	start := r * (n / 2) % m
	if board == 0 {
		if r%2 == 0 {
			return start, m
		}
		return m, start
	}
	return (start + board) % m, (start - board + m) % m
}

// starters returns the ranking of the players who were there at the start. Late entrants have no place in
// the Berger table.
func (s *State) starters() []int {
	return slices.DeleteFunc(s.Ranking(), func(p int) bool { return s.Players[p].Joined > 1 })
}

// settled forfeits the game of a player who has left.
func (s *State) settled(g Game) Game {
	a, b := s.Players[g.First].Withdrawn, s.Players[g.Second].Withdrawn
	switch {
	case a && b:
		g.Outcome = BothAbsent
	case a:
		g.Outcome = FirstAbsent
	case b:
		g.Outcome = SecondAbsent
	}
	return g
}
