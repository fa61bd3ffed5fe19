package tournament

import "math/bits"

// This file pairs knockouts: the usual bracket of seeds, in which the first two can only meet in the final.
// A drawn game is replayed with the sides changed. After the last replay one game decides: if it is drawn, too,
// the second player goes through, who is the better seed.

// Meeting is two players of a round of a knockout.
type Meeting struct {
	High, Low int // players, the better seed first; None if there was nobody
	Winner    int // None while it is open, and if nobody came
	Games     []Game

	decided bool // Winner is final, also if it is None
}

// Bracket returns the meetings of the rounds that are known, and the winner of the last one or None.
func (s *State) Bracket() (rounds [][]Meeting, champion int) {
	places, seed := s.places()
	for len(places) > 1 {
		round := make([]Meeting, len(places)/2)
		for i := range round {
			round[i] = Meeting{High: places[2*i], Low: places[2*i+1]}
			if m := &round[i]; m.High == None || m.Low != None && seed[m.Low] < seed[m.High] {
				m.High, m.Low = m.Low, m.High
			}
		}
		s.addGames(round, len(rounds)+1)
		rounds = append(rounds, round)
		places = places[:0:0]
		for i := range round {
			m := &round[i]
			m.Winner, m.decided = m.outcome()
			if m.decided {
				places = append(places, m.Winner)
			}
		}
		if len(places) < len(round) {
			return rounds, None
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

func (s *State) addGames(round []Meeting, number int) {
	of := make([]*Meeting, len(s.Players))
	for i := range round {
		for _, p := range [2]int{round[i].High, round[i].Low} {
			if p != None {
				of[p] = &round[i]
			}
		}
	}
	for _, g := range s.Games {
		if m := of[g.First]; g.Round == number && m != nil {
			m.Games = append(m.Games, g)
		}
	}
}

// outcome returns who goes through, or None if that is not decided.
func (m *Meeting) outcome() (player int, decided bool) {
	switch {
	case m.Low == None && m.High == None:
		return None, true
	case len(m.Games) == 0:
		return None, false
	case m.Low == None:
		return m.High, true
	}
	g := m.Games[len(m.Games)-1]
	switch g.Outcome {
	case Running:
		return None, false
	case FirstWins, SecondAbsent:
		return g.First, true
	case SecondWins, FirstAbsent:
		return g.Second, true
	case Drawn:
		if g.Decider {
			return g.Second, true
		}
		return None, false
	}
	return m.High, true // neither came
}

// knockout returns the games to begin now: the first games of a round when the last one is decided, and replays
// at once.
func (s *State) knockout() (games []Game) {
	rounds, champion := s.Bracket()
	if champion != None || len(rounds) == 0 {
		return nil
	}
	for _, m := range rounds[len(rounds)-1] {
		if m.decided || len(m.Games) > 0 && m.Games[len(m.Games)-1].Outcome == Running {
			continue
		}
		games = append(games, s.next(m, len(rounds)))
	}
	return games
}

// next returns the next game of a meeting that is open.
func (s *State) next(m Meeting, round int) Game {
	g := Game{Round: round, Leg: len(m.Games), First: m.Low, Second: m.High}
	switch {
	case m.Low == None:
		return Game{Round: round, First: m.High, Second: None, Outcome: PairingBye}
	case g.Leg > s.Replays:
		g.Decider = true
	case g.Leg > 0:
		last := m.Games[g.Leg-1]
		g.First, g.Second = last.Second, last.First
	case s.firstMoves(m.High) < s.firstMoves(m.Low):
		g.First, g.Second = m.High, m.Low
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
	rounds, _ := s.Bracket()
	for _, round := range rounds {
		for _, m := range round {
			if m.Winner != None {
				table[m.Winner].Points += 2
			}
		}
	}
}
