package tournament

import (
	"cmp"
	"slices"
)

// This file ranks equal players by the games among them, by the direct encounter of FIDE's Handbook C.07, article 6.

// DirectPoint is a point in [Tie].Direct, which so has the average of up to four games of two players.
const DirectPoint = 24

// encounter is the games of a player against another.
type encounter struct{ points, games int }

// encounters has the games of each two players.
type encounters struct {
	of    map[[2]int]encounter
	swiss bool
}

// encounters returns the games that count: forfeits of a Swiss do not (6.1.1).
func (s *State) encounters() encounters {
	met := encounters{map[[2]int]encounter{}, s.Form == Swiss}
	for _, g := range s.Games {
		if g.Second == None || g.Outcome == Running || met.swiss && !g.Outcome.Played() {
			continue
		}
		for side, k := range [2][2]int{{g.First, g.Second}, {g.Second, g.First}} {
			e := met.of[k]
			met.of[k] = encounter{e.points + g.Outcome.points(side == 0), e.games + 1}
		}
	}
	return met
}

// direct ranks equal players, as far as the games among them do, and fills in what ranks them.
func (met encounters) direct(equal []Standing) {
	group := make([]*direct, len(equal))
	for i := range equal {
		group[i] = &direct{Standing: &equal[i]}
	}
	met.rank(group, 0, true)
}

// direct is a player in the separate standings of a group.
type direct struct {
	*Standing

	score   int // of averages (6.1.2)
	missing int // opponents in the group that the player has not met
}

// rank ranks a group whose first place is the given one.
func (met encounters) rank(group []*direct, first int, outer bool) {
	whole := true
	for _, a := range group {
		a.Tie.place = -first
		a.score, a.missing = met.among(a, group)
		whole = whole && a.missing == 0
	}
	slices.SortStableFunc(group, func(a, b *direct) int { return cmp.Compare(b.score, a.score) })
	switch {
	case len(group) < 2:
	case whole:
		met.rankWhole(group, first, outer)
	case met.swiss:
		met.rankLeaders(group, first, outer)
	}
}

// among returns the score of a player in a group.
func (met encounters) among(a *direct, group []*direct) (score, missing int) {
	for _, b := range group {
		if e := met.of[[2]int{a.Player, b.Player}]; e.games > 0 {
			score += e.points * DirectPoint / 2 / e.games
		} else if a != b {
			missing++
		}
	}
	return score, missing
}

// rankWhole ranks a sorted group in which all have met, and then again those who are equal in it (6.2).
func (met encounters) rankWhole(group []*direct, first int, outer bool) {
	for start := 0; start < len(group); {
		end := start
		for ; end < len(group) && group[end].score == group[start].score; end++ {
			if outer {
				group[end].Tie.Direct = group[end].score
			}
			group[end].Tie.place = -first - start
		}
		if end-start < len(group) {
			met.rank(slices.Clone(group[start:end]), first+start, false)
		}
		start = end
	}
}

// rankLeaders ranks those who lead a sorted group whatever the games would bring that were not played, and then the
// others again (6.3).
func (met encounters) rankLeaders(group []*direct, first int, outer bool) {
	n := 0
	for n < len(group) && !slices.ContainsFunc(group[n+1:], func(b *direct) bool { return b.score+b.missing*DirectPoint >= group[n].score }) {
		if outer {
			group[n].Tie.Direct = group[n].score
		}
		group[n].Tie.place = -first - n
		n++
	}
	if n > 0 {
		met.rank(slices.Clone(group[n:]), first+n, false)
	}
}
