package arena

import (
	"slices"

	"quintet/game"
)

// Standings are the results of a run.
type Standings struct {
	Players  []Standing // in the order of the entrants
	Pairings []Pairing  // in the order in which they play
	Games    int        // counted so far
	Planned  int        // total number of games
}

// Standing is the results of one player, including its own faults and resignations.
type Standing struct {
	Name  string `json:"name"`
	Games int    `json:"games"`
	Counts
}

// swept reports whether the player has won, or lost, every game.
func (s *Standing) swept() bool { return s.Games > 0 && (s.Wins == s.Games || s.Losses == s.Games) }

// Pairing is two players and the score of the first of them.
type Pairing struct {
	A, B  int // indices of Players
	Score Score
}

// add counts a game that the player had a side of.
func (s *Standing) add(r Summary, side int) {
	s.Games++
	switch winner, ok := r.Result.Winner(); {
	case !ok:
		s.Draws++
	case int(winner) == side:
		s.Wins++
	default:
		s.Losses++
		s.end(r.End)
	}
}

// Summary is what standings need to know about a game.
type Summary struct {
	Number  int
	Players [2]int
	Result  game.Result
	End     End
	Key     uint64 // a hash of the players, the start and the moves
}

// Summary returns the summary of the game.
func (r *Record) Summary() Summary {
	key := game.Mix(uint64(r.Players[0])<<32|uint64(r.Players[1]), r.Start.Key())
	for _, mv := range r.Moves {
		key = game.Mix(key, uint64(mv))
	}
	return Summary{r.Number, r.Players, r.Result, r.End, key}
}

// Tally counts pairs in schedule order, whatever the order in which they finish, so
// that the same seed gives the same standings, even if an SPRT stops the run early.
type Tally struct {
	sprt      *SPRT
	schedule  schedule
	standings Standings
	waiting   map[int]Summary // finished games not yet counted
	seen      map[uint64]bool
	decided   bool
}

// NewTally returns the tally of a run without games.
func NewTally(o *Options) *Tally {
	t := &Tally{sprt: o.SPRT, schedule: newSchedule(o), waiting: map[int]Summary{}, seen: map[uint64]bool{}}
	t.standings.Planned = t.schedule.games()
	for _, e := range o.Entrants {
		t.standings.Players = append(t.standings.Players, Standing{Name: e.Name})
	}
	for _, p := range t.schedule.pairings {
		t.standings.Pairings = append(t.standings.Pairings, Pairing{A: p[0], B: p[1]})
	}
	return t
}

// Add adds a finished game and calls counted, if not nil, after each pair that is
// now complete and in order, with the number of its first game.
func (t *Tally) Add(s Summary, counted func(first int)) {
	t.waiting[s.Number] = s
	for !t.Finished() {
		n := t.standings.Games
		first, ok1 := t.waiting[n]
		second, ok2 := t.waiting[n+1]
		if !ok1 || !ok2 {
			return
		}
		delete(t.waiting, n)
		delete(t.waiting, n+1)
		t.count([2]Summary{first, second})
		if counted != nil {
			counted(n)
		}
	}
}

// Finished reports whether the SPRT has decided, or all games are counted.
func (t *Tally) Finished() bool { return t.decided || t.standings.Games >= t.standings.Planned }

// Standings returns a copy of the standings of the pairs that are counted.
func (t *Tally) Standings() Standings {
	s := t.standings
	s.Players, s.Pairings = slices.Clone(s.Players), slices.Clone(s.Pairings)
	return s
}

func (t *Tally) count(games [2]Summary) {
	for _, g := range games {
		for side, i := range g.Players {
			t.standings.Players[i].add(g, side)
		}
	}
	score := &t.standings.Pairings[t.schedule.pairing(games[0].Number)].Score
	score.add(games)
	for _, g := range games {
		if t.seen[g.Key] {
			score.Repeated++
		} else {
			t.seen[g.Key] = true
		}
	}
	if t.sprt != nil {
		score.LLR = t.sprt.LLR(score.Pentanomial)
		t.decided = t.sprt.Verdict(score.LLR) != "open"
	}
	t.standings.Games += 2
}

// recordTally is a tally that keeps the records of games that are not counted yet.
type recordTally struct {
	*Tally
	records map[int]Record
}

// add adds a finished game and reports the pairs that are now counted.
func (t *recordTally) add(r Record, report func(Standings, [2]Record)) {
	t.records[r.Number] = r
	t.Add(r.Summary(), func(first int) {
		games := [2]Record{t.records[first], t.records[first+1]}
		delete(t.records, first)
		delete(t.records, first+1)
		if report != nil {
			report(t.Standings(), games)
		}
	})
}
