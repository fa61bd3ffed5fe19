package tournament

import (
	"cmp"
	"slices"
)

// Standing is the place of a player.
type Standing struct {
	Player int
	Rank   int // from 1; equal players share it
	Points int // half points; in an arena its points; in a knockout two for each opponent beaten
	Wins   int // of games, by forfeit or over the board
	Draws  int // of games
	Losses int // of games
	Games  int // that ended
	Streak int // of an arena: wins in a row up to now
	Tie    Tie
}

// Tie is the tie-breaks, by the names of FIDE's Handbook C.07: Buchholz in half points, Sonneborn-Berger in
// quarters. They count finished rounds.
type Tie struct {
	BuchholzCut1    int
	Buchholz        int
	SonnebornBerger int
	Direct          int // see DirectPoint; 0 unless it ranks the player
	Wins            int // rounds with the points of a win, with or without a game

	place int // by the direct encounter, negative: among those who are equal so far
}

// Standings returns the table, the leader first. Points decide, and then
//
//   - in a Swiss Buchholz cut 1, Buchholz, Sonneborn-Berger, direct encounter and wins,
//   - in a round robin direct encounter, Sonneborn-Berger and wins,
//   - in an arena wins.
//
// Players who are equal in all of that share a rank.
func (s *State) Standings() []Standing {
	if s.Form == Arena {
		return s.Table().Standings()
	}
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
	order := [][]func(*Standing) int{{points}, {wins}}
	switch s.Form {
	case Knockout:
		s.knockoutPoints(table)
		order = order[:1]
	case Swiss:
		s.tieBreaks(table)
		order = [][]func(*Standing) int{{points, cut1, buchholz, sonneborn}, {tieWins}}
	case Robin:
		s.tieBreaks(table)
		order = [][]func(*Standing) int{{points}, {sonneborn, tieWins}}
	}
	s.rank(table, order)
	return table
}

func points(t *Standing) int    { return t.Points }
func wins(t *Standing) int      { return t.Wins }
func cut1(t *Standing) int      { return t.Tie.BuchholzCut1 }
func buchholz(t *Standing) int  { return t.Tie.Buchholz }
func sonneborn(t *Standing) int { return t.Tie.SonnebornBerger }
func place(t *Standing) int     { return t.Tie.place }
func tieWins(t *Standing) int   { return t.Tie.Wins }

// rank sorts the table by the first keys, the direct encounter and the last keys.
func (s *State) rank(table []Standing, order [][]func(*Standing) int) {
	slices.SortStableFunc(table, func(a, b Standing) int { return cmp.Compare(s.Players[b.Player].Rating, s.Players[a.Player].Rating) })
	keys := order[0]
	slices.SortStableFunc(table, func(a, b Standing) int { return compare(keys, &b, &a) })
	if s.Form == Swiss || s.Form == Robin {
		met := s.encounters()
		for start, end := range groups(table, keys) {
			met.direct(table[start:end])
		}
		keys = append(slices.Clone(keys), place)
	}
	if len(order) > 1 {
		keys = append(slices.Clone(keys), order[1]...)
	}
	slices.SortStableFunc(table, func(a, b Standing) int { return compare(keys, &b, &a) })
	setRanks(table, keys)
}

// setRanks fills in the ranks of a sorted table. Equal players share one.
func setRanks(table []Standing, keys []func(*Standing) int) {
	for start, end := range groups(table, keys) {
		for i := start; i < end; i++ {
			table[i].Rank = start + 1
		}
	}
}

func compare(keys []func(*Standing) int, a, b *Standing) int {
	for _, k := range keys {
		if c := cmp.Compare(k(a), k(b)); c != 0 {
			return c
		}
	}
	return 0
}

// groups yields the start and the end of each run of equal players in a sorted table.
func groups(table []Standing, keys []func(*Standing) int) func(yield func(start, end int) bool) {
	return func(yield func(start, end int) bool) {
		for start := 0; start < len(table); {
			end := start + 1
			for end < len(table) && compare(keys, &table[start], &table[end]) == 0 {
				end++
			}
			if !yield(start, end) {
				return
			}
			start = end
		}
	}
}

// add counts a game or a bye with its points.
func (t *Standing) add(o Outcome, first bool) {
	t.Points += o.points(first)
	t.count(o, first)
}

// count counts a game.
func (t *Standing) count(o Outcome, first bool) {
	if o == Running || o > BothAbsent {
		return
	}
	t.Games++
	switch o.points(first) {
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
