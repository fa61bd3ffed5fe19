package arena

import "quintet/game"

// Standings are the results of a run.
type Standings struct {
	Players  []Standing // in the order of the entrants
	Pairings []Pairing  // in the order in which they play
	Games    int        // counted so far
	Planned  int        // total number of games
}

// Standing is the results of one player, including its own faults and resignations.
type Standing struct {
	Name       string `json:"name"`
	Games      int    `json:"games"`
	Wins       int    `json:"wins"`
	Losses     int    `json:"losses"`
	Draws      int    `json:"draws"`
	Illegal    int    `json:"illegal"`
	TimeLosses int    `json:"time_losses"`
	Crashes    int    `json:"crashes"`
	Resigned   int    `json:"resignations"`
}

// Share returns the player's points as a share of all, from 0 to 1.
func (s *Standing) Share() float64 {
	if s.Games == 0 {
		return 0.5
	}
	return (float64(s.Wins) + float64(s.Draws)/2) / float64(s.Games)
}

// swept reports whether the player has won, or lost, every game.
func (s *Standing) swept() bool { return s.Games > 0 && (s.Wins == s.Games || s.Losses == s.Games) }

// Pairing is two players and the score of the first of them.
type Pairing struct {
	A, B  int // indices of Players
	Score Score
}

// add counts a game.
func (s *Standing) add(r Record, won, lost bool) {
	s.Games++
	switch {
	case won:
		s.Wins++
	case !lost:
		s.Draws++
	default:
		s.Losses++
		switch r.End {
		case Illegal:
			s.Illegal++
		case TimeLoss:
			s.TimeLosses++
		case Crash:
			s.Crashes++
		case Resigned:
			s.Resigned++
		}
	}
}

// tally counts pairs in schedule order, whatever the order in which they finish, so
// that the same seed gives the same standings, even if an SPRT stops the run early.
type tally struct {
	o         *Options
	schedule  schedule
	standings Standings
	waiting   map[int]Record // finished games not yet counted
	seen      map[uint64]bool
	decided   bool
}

func newTally(o *Options) *tally {
	t := &tally{o: o, schedule: newSchedule(o), waiting: map[int]Record{}, seen: map[uint64]bool{}}
	t.standings.Planned = t.schedule.games()
	for _, e := range o.Entrants {
		t.standings.Players = append(t.standings.Players, Standing{Name: e.Name})
	}
	for _, p := range t.schedule.pairings {
		t.standings.Pairings = append(t.standings.Pairings, Pairing{A: p[0], B: p[1]})
	}
	return t
}

// add adds a finished game and counts the pairs that are now complete and in order.
func (t *tally) add(r Record, report func(Standings, [2]Record)) {
	t.waiting[r.Number] = r
	for !t.decided && t.standings.Games < t.standings.Planned {
		n := t.standings.Games
		first, ok1 := t.waiting[n]
		second, ok2 := t.waiting[n+1]
		if !ok1 || !ok2 {
			return
		}
		delete(t.waiting, n)
		delete(t.waiting, n+1)
		t.count([2]Record{first, second})
		if report != nil {
			report(t.standings.clone(), [2]Record{first, second})
		}
	}
}

func (t *tally) count(games [2]Record) {
	for _, r := range games {
		winner, ok := r.Result.Winner()
		for side, i := range r.Players {
			t.standings.Players[i].add(r, ok && int(winner) == side, ok && int(winner) != side)
		}
	}
	score := &t.standings.Pairings[t.schedule.pairing(games[0].Number)].Score
	score.add(games)
	for _, r := range games {
		if key := r.key(); t.seen[key] {
			score.Repeated++
		} else {
			t.seen[key] = true
		}
	}
	if t.o.SPRT != nil {
		score.LLR = t.o.SPRT.LLR(score.Pentanomial)
		t.decided = t.o.SPRT.Decided(score.LLR)
	}
	t.standings.Games += 2
}

// key returns a hash of the players, the start and the moves.
func (r *Record) key() uint64 {
	key := game.Mix(uint64(r.Players[0])<<32|uint64(r.Players[1]), r.Start.Key())
	for _, mv := range r.Moves {
		key = game.Mix(key, uint64(mv))
	}
	return key
}

// clone returns a deep copy.
func (s Standings) clone() Standings {
	s.Players = append([]Standing(nil), s.Players...)
	s.Pairings = append([]Pairing(nil), s.Pairings...)
	return s
}
