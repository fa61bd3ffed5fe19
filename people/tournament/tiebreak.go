package tournament

import "slices"

// This file computes Buchholz and Sonneborn-Berger with the rules for unplayed rounds of FIDE's Handbook C.07,
// article 16, of 2026.

// played is a round of a player.
type played struct {
	opponent  int // None in a bye or an absence
	points    int
	over      bool // over the board
	requested bool // a bye that the player asked for, or an absence (16.1.1)
	voluntary bool // requested, or lost by forfeit (16.1.2)
}

// tieBreaks fills in Buchholz and Sonneborn-Berger.
func (s *State) tieBreaks(table []Standing) {
	rounds := s.history()
	adjusted := make([]int, len(rounds))
	for i, list := range rounds {
		adjusted[i] = adjustedScore(list, s.Form)
	}
	for i := range table {
		t := &table[i]
		own := 0
		for _, p := range rounds[t.Player] {
			own += p.points
			if p.points == 2 {
				t.Tie.Wins++
			}
		}
		var all, voluntary []int
		for _, p := range rounds[t.Player] {
			score := s.contribution(p, own, adjusted)
			t.Tie.Buchholz += score
			t.Tie.SonnebornBerger += score * p.points
			if p.voluntary {
				voluntary = append(voluntary, score)
			}
			all = append(all, score)
		}
		t.Tie.BuchholzCut1 = t.Tie.Buchholz
		if len(voluntary) > 0 {
			all = voluntary // cut first (16.5)
		}
		if len(all) > 0 {
			t.Tie.BuchholzCut1 -= slices.Min(all)
		}
	}
}

// contribution returns the score of the opponent, or of the dummy that stands for one (16.4).
func (s *State) contribution(p played, own int, adjusted []int) int {
	switch {
	case p.opponent == None:
		return min(own, s.Rounds)
	case p.over || s.Form == Robin:
		return adjusted[p.opponent]
	}
	return min(own, adjusted[p.opponent])
}

// adjustedScore returns the score that a player contributes to opponents: a requested bye after which the player
// did not play any more is a draw (16.3).
func adjustedScore(list []played, form Form) (score int) {
	gone := form == Swiss
	for _, p := range slices.Backward(list) {
		if gone && p.requested {
			score++
		} else {
			score += p.points
		}
		gone = gone && p.voluntary
	}
	return score
}

// history returns the finished rounds of each player.
func (s *State) history() [][]played {
	last := s.Round()
	if s.running() {
		last--
	}
	rounds := make([][]played, len(s.Players))
	for i := range rounds {
		rounds[i] = make([]played, max(last, 0))
		for r := range rounds[i] {
			rounds[i][r] = played{opponent: None, requested: true, voluntary: true}
		}
	}
	for _, g := range s.Games {
		if g.Round > last {
			continue
		}
		rounds[g.First][g.Round-1] = g.side(true)
		if g.Second != None {
			rounds[g.Second][g.Round-1] = g.side(false)
		}
	}
	return rounds
}

// side returns the round of the first or the second player.
func (g Game) side(first bool) played {
	p := played{opponent: g.Second, points: g.Outcome.points(first), over: g.Outcome.Played() && g.Second != None}
	if !first {
		p.opponent = g.First
	}
	p.requested = g.Outcome == HalfBye || g.Outcome == ZeroBye
	p.voluntary = p.requested || g.Second != None && !p.over && p.points == 0
	return p
}
