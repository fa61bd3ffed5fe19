package tournament

import "math/bits"

// This file pairs knockouts: the usual bracket of seeds, in which the first two can only meet in the final.
// A drawn game is replayed with the sides changed. After the last replay one game decides: if it is drawn, too,
// the second player goes through, who is the better seed.

// match is two players of a round of a knockout; the better seed is high.
type match struct {
	high, low int // players, None if there was nobody
	games     []Game
}

// Meeting is two players of a round of a knockout.
type Meeting struct {
	High, Low int // players, the better seed first; None if there was nobody
	Winner    int // None while it is open
	Games     []Game
}

// Bracket returns the meetings of the rounds that are known, and the winner of the last one or None.
func (s *State) Bracket() (list [][]Meeting, champion int) {
	rounds, champion := s.bracketRounds()
	for _, round := range rounds {
		meetings := make([]Meeting, len(round))
		for i, m := range round {
			meetings[i] = Meeting{High: m.high, Low: m.low, Winner: None, Games: m.games}
			if w, ok := s.winner(m); ok {
				meetings[i].Winner = w
			}
		}
		list = append(list, meetings)
	}
	return list, champion
}

// bracketRounds returns the matches of all rounds that are known, and the winner of the last one or None.
func (s *State) bracketRounds() (rounds [][]match, champion int) {
	places, seed := s.places()
	for len(places) > 1 {
		round := make([]match, len(places)/2)
		for i := range round {
			round[i] = match{high: places[2*i], low: places[2*i+1]}
			if m := &round[i]; m.high == None || m.low != None && seed[m.low] < seed[m.high] {
				m.high, m.low = m.low, m.high
			}
		}
		s.addGames(round, len(rounds)+1)
		rounds = append(rounds, round)
		places = places[:0:0]
		for _, m := range round {
			w, ok := s.winner(m)
			if !ok {
				return rounds, None
			}
			places = append(places, w)
		}
	}
	if len(places) == 0 {
		return rounds, None
	}
	return rounds, places[0]
}

// places returns the first round of the bracket, None for a bye, and the seed of each player.
func (s *State) places() (places, seed []int) {
	starters := s.starters()
	seed = make([]int, len(s.Players))
	for i, p := range starters {
		seed[p] = i
	}
	if len(starters) == 0 {
		return nil, seed
	}
	order := []int{0}
	for range bits.Len(uint(len(starters) - 1)) {
		var next []int
		for _, o := range order {
			next = append(next, o, 2*len(order)-1-o)
		}
		order = next
	}
	for _, o := range order {
		if o < len(starters) {
			places = append(places, starters[o])
		} else {
			places = append(places, None)
		}
	}
	return places, seed
}

func (s *State) addGames(round []match, number int) {
	of := make([]*match, len(s.Players))
	for i := range round {
		for _, p := range [2]int{round[i].high, round[i].low} {
			if p != None {
				of[p] = &round[i]
			}
		}
	}
	for _, g := range s.Games {
		if m := of[g.First]; g.Round == number && m != nil {
			m.games = append(m.games, g)
		}
	}
}

// winner returns who goes through; ok is false if that is still open.
func (s *State) winner(m match) (player int, ok bool) {
	if m.low == None {
		return m.high, m.high == None || len(m.games) > 0
	}
	if len(m.games) == 0 {
		return None, false
	}
	g := m.games[len(m.games)-1]
	switch g.Outcome {
	case Running:
		return None, false
	case FirstWins, SecondAbsent:
		return g.First, true
	case SecondWins, FirstAbsent:
		return g.Second, true
	case Drawn:
		return g.Second, g.Decider
	}
	return m.high, true // neither came
}

// knockout returns the games to begin now: the first games of a round when the last one is decided, and replays
// at once.
func (s *State) knockout() (games []Game) {
	rounds, champion := s.bracketRounds()
	if champion != None || len(rounds) == 0 {
		return nil
	}
	for _, m := range rounds[len(rounds)-1] {
		_, done := s.winner(m)
		if done || len(m.games) > 0 && m.games[len(m.games)-1].Outcome == Running {
			continue
		}
		games = append(games, s.next(m, len(rounds)))
	}
	return games
}

// next returns the next game of a match that is open.
func (s *State) next(m match, round int) Game {
	g := Game{Round: round, Leg: len(m.games), First: m.low, Second: m.high}
	switch {
	case m.low == None:
		return Game{Round: round, First: m.high, Second: None, Outcome: PairingBye}
	case g.Leg > s.Replays:
		g.Decider = true
	case g.Leg > 0:
		last := m.games[g.Leg-1]
		g.First, g.Second = last.Second, last.First
	case s.firstMoves(m.high) < s.firstMoves(m.low):
		g.First, g.Second = m.high, m.low
	}
	return s.settled(g)
}

// firstMoves counts the games that a player began.
func (s *State) firstMoves(player int) (n int) {
	for _, g := range s.Games {
		if g.First == player && g.Second != None {
			n++
		}
	}
	return n
}

// knockoutPoints replaces the points of the table: two for each match won.
func (s *State) knockoutPoints(table []Standing) {
	for i := range table {
		table[i].Points = 0
	}
	rounds, _ := s.bracketRounds()
	for _, round := range rounds {
		for _, m := range round {
			if w, ok := s.winner(m); ok && w != None {
				table[w].Points += 2
			}
		}
	}
}
