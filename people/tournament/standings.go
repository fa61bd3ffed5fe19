package tournament

import (
	"cmp"
	"slices"
)

// Standing is the place of a player. Points and tie-breaks of all forms but the arena are in half
// points, Sonneborn-Berger in quarters.
type Standing struct {
	Player int
	Rank   int // from 1; equal players share it
	Points int
	Wins   int
	Draws  int
	Losses int
	Games  int   // played or won by forfeit
	Sheet  []int // of an arena: the points of each game
	Streak int   // of an arena: wins in a row up to now
	Tie    Tie
}

// Tie is the tie-breaks, by the names of FIDE's Handbook C.07.
type Tie struct {
	BuchholzCut1    int
	Buchholz        int
	SonnebornBerger int
	Direct          int // points against those with equal points, if all of them met
	Wins            int
}

// Standings returns the table, the leader first. The order is that of Points and then, in a Swiss,
// Buchholz cut 1, Buchholz, Sonneborn-Berger, direct encounter and wins; in a round robin direct encounter,
// Sonneborn-Berger and wins; in an arena the games that it took. In a knockout it is the round reached.
func (s *State) Standings() []Standing {
	table := make([]Standing, len(s.Players))
	for i := range table {
		table[i].Player = i
	}
	for _, g := range s.Games {
		table[g.First].add(g.Outcome, true)
		if g.Second != None {
			table[g.Second].add(g.Outcome, false)
		}
	}
	slices.SortStableFunc(table, func(a, b Standing) int { return cmp.Compare(b.Points, a.Points) })
	for i := range table {
		table[i].Rank = i + 1
		if i > 0 && table[i].Points == table[i-1].Points {
			table[i].Rank = table[i-1].Rank
		}
	}
	return table
}

func (t *Standing) add(o Outcome, first bool) {
	p := o.points(first)
	t.Points += p
	if o == Running || o > SecondAbsent {
		return
	}
	t.Games++
	switch p {
	case 2:
		t.Wins++
	case 1:
		t.Draws++
	default:
		t.Losses++
	}
}

// points returns the half points of the first or the second player.
func (o Outcome) points(first bool) int {
	switch o {
	case PairingBye:
		return 2
	case Drawn, HalfBye:
		return 1
	case FirstWins, SecondAbsent:
		if first {
			return 2
		}
	case SecondWins, FirstAbsent:
		if !first {
			return 2
		}
	}
	return 0
}
