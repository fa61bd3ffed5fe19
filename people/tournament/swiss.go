package tournament

import (
	"cmp"
	"slices"
)

// swiss returns the games and byes of a round.
func (s *State) swiss(round int) ([]Game, error) {
	list := s.entrants(round)
	var games []Game
	list = slices.DeleteFunc(list, func(e entrant) bool {
		p := s.Players[e.player]
		if !p.Withdrawn && p.Joined <= round && !e.here {
			games = append(games, Game{Round: round, First: e.player, Second: None, Outcome: HalfBye})
		}
		return !e.here
	})
	slices.SortFunc(list, func(a, b entrant) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.number, b.number)) })
	lot := white
	if s.Lot {
		lot = black
	}
	pairs, bye, ok := pairDutch(list, lot)
	if !ok || len(pairs) == 0 {
		return nil, ErrNoPairing
	}
	if bye != None {
		games = slices.Insert(games, 0, Game{Round: round, First: list[bye].player, Second: None, Outcome: PairingBye})
	}
	return slices.Concat(boards(list, pairs, lot, round), games), nil
}

// boards returns the games of pairs, those with the highest scores first.
func boards(list []entrant, pairs [][2]int, lot int8, round int) []Game {
	slices.SortFunc(pairs, func(a, b [2]int) int {
		return cmp.Or(
			cmp.Compare(list[b[0]].score, list[a[0]].score),
			cmp.Compare(list[b[1]].score, list[a[1]].score),
			cmp.Compare(a[0], b[0]))
	})
	games := make([]Game, len(pairs))
	for i, p := range pairs {
		a, b := &list[p[0]], &list[p[1]]
		if !whites(a, b, lot) {
			a, b = b, a
		}
		games[i] = Game{Round: round, First: a.player, Second: b.player}
	}
	return games
}
