package classes

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"quintet/arena"
	"quintet/people/class"
)

// This file is the arithmetic of leagues: who plays whom next, the table, and the levels that a program beats. All
// of it follows from the results, so the table does not depend on the order of the games.

// Limits of a league. A match is a pair of games. A round is a unit of work: the server stores its games together.
const (
	roundMatches = 8  // of a round
	maxMeetings  = 20 // matches of two programs
	maxLadder    = 50 // matches against a level, if the test does not decide before
	leastLadder  = 10
	ladderBound  = 3.6 // of the log-likelihood ratio
	enough       = 100 // matches of a program, after which only others begin matches with it
	maxRounds    = 100 // of a program
)

// beats says whether a program beats a level: "H1", "H0", or "open". It is a sequential test of 0 against 100 Elo. A
// short test estimates the variance badly, so it has a least number of matches, and a stricter bound than Wald's for
// 5 %: with these, at most 5 % of programs as strong as the level beat it, see TestLadderError.
func beats(pentanomial [5]int, matches int) string {
	test := &arena.SPRT{Elo0: 0, Elo1: 100}
	llr := test.LLR(pentanomial)
	verdict := test.Verdict(llr)
	if matches < leastLadder || verdict == "H1" && llr < ladderBound {
		return "open"
	}
	return verdict
}

func levelName(n int) string { return "level:" + strconv.Itoa(n) }

// ladder returns the level up to which a program beats all levels, and the next one to play; 0 if there is none.
func ladder(results []class.Result, top int) (beaten, next int) {
	for level := 1; level <= top; level++ {
		var pentanomial [5]int
		matches := 0
		for _, r := range results {
			if r.Opponent == levelName(level) {
				pentanomial[r.Half()]++
				matches++
			}
		}
		switch verdict := beats(pentanomial, matches); {
		case verdict == "H1":
			beaten = level
		case verdict == "H0" || matches >= maxLadder:
			return beaten, 0
		default:
			return beaten, level
		}
	}
	return beaten, 0
}

// points returns the points of a program for the levels that it beats, and says what they are for.
func points(results []class.Result, a class.Assignment) (points float64, rule string) {
	beaten, _ := ladder(results, a.League.Level)
	if beaten > 0 {
		rule = fmt.Sprintf("beats level %d (sequential test, error at most 5 %%)", beaten)
	}
	return a.Points * float64(beaten) / float64(a.League.Level), rule
}

// leagueTable is the standings of a league.
type leagueTable struct {
	programs  []class.Submission
	standings arena.Standings // of the programs, then of the levels that they have met
	at        map[string]int  // indexes of its players, by submission or name of a level
	pairings  map[[2]int]int  // indexes of its pairings
	elo       []float64       // of its players, once needed
}

// newLeagueTable counts all games of the programs that play now.
func newLeagueTable(st *class.State, a class.Assignment, in func(student string) bool) *leagueTable {
	t := &leagueTable{programs: st.Programs(a.ID, in), at: map[string]int{}, pairings: map[[2]int]int{}}
	for _, n := range t.programs {
		t.player(n.ID)
	}
	for level := 1; level <= a.League.Level; level++ {
		if slices.ContainsFunc(t.programs, func(n class.Submission) bool { return met(n, levelName(level)) > 0 }) {
			t.player(levelName(level))
		}
	}
	for i, n := range t.programs {
		for _, r := range n.Results {
			if j, ok := t.at[r.Opponent]; ok && i != j {
				t.add(i, j, r)
			}
		}
	}
	return t
}

func (t *leagueTable) player(name string) {
	t.at[name] = len(t.standings.Players)
	t.standings.Players = append(t.standings.Players, arena.Standing{Name: name})
}

// pairing returns the pairing of two players, the first of which has the lower index.
func (t *leagueTable) pairing(a, b int) *arena.Pairing {
	i, ok := t.pairings[[2]int{a, b}]
	if !ok {
		i = len(t.standings.Pairings)
		t.pairings[[2]int{a, b}] = i
		t.standings.Pairings = append(t.standings.Pairings, arena.Pairing{A: a, B: b})
	}
	return &t.standings.Pairings[i]
}

// add counts a match of a against b.
func (t *leagueTable) add(a, b int, r class.Result) {
	for _, g := range r.Games {
		t.count(a, g.Points, g.End)
		t.count(b, 2-g.Points, g.End)
	}
	half := r.Half()
	if a > b {
		a, b, half = b, a, 4-half
	}
	t.pairing(a, b).Score.Pentanomial[half]++
}

// count counts a game of a player.
func (t *leagueTable) count(player, points int, end string) {
	s := &t.standings.Players[player]
	s.Games++
	switch points {
	case 2:
		s.Wins++
		return
	case 1:
		s.Draws++
		return
	}
	s.Losses++
	switch arena.End(end) {
	case arena.Illegal:
		s.Illegal++
	case arena.TimeLoss:
		s.TimeLosses++
	case arena.Crash:
		s.Crashes++
	}
}

// matches returns how many matches two players have played.
func (t *leagueTable) matches(a, b int) int {
	if i, ok := t.pairings[[2]int{min(a, b), max(a, b)}]; ok {
		return t.standings.Pairings[i].Score.Pairs()
	}
	return 0
}

// opponent is an opponent in a round, and the number of the match, which decides its opening.
type opponent struct {
	name  string
	match int
}

// next returns the opponents of the next round of a program; none if it has played enough. Half of a round is for
// the ladder, while that is open. The rest goes to programs that it has not met, then to those of similar strength:
// a match tells us more if its result is uncertain, and less if the two have met often.
func (t *leagueTable) next(a class.Assignment, n class.Submission) (list []opponent) {
	me, ok := t.at[n.ID]
	if !ok || n.Rounds >= maxRounds {
		return nil
	}
	if _, level := ladder(n.Results, a.League.Level); level > 0 {
		for i := range roundMatches / 2 {
			list = append(list, opponent{levelName(level), met(n, levelName(level)) + i})
		}
	}
	met, total := map[int]int{}, 0
	for other := range t.programs {
		met[other] = t.matches(me, other)
		total += met[other]
	}
	for len(list) < roundMatches && total < max(enough, len(t.programs)) {
		other := -1
		for i := range t.programs {
			if i != me && met[i] < maxMeetings && (other < 0 || t.prefers(me, i, other, met)) {
				other = i
			}
		}
		if other < 0 {
			break
		}
		list = append(list, opponent{t.programs[other].ID, met[other]})
		met[other]++
		total++
	}
	return list
}

// prefers reports whether a player should rather meet a than b, given how often it has met them.
func (t *leagueTable) prefers(me, a, b int, met map[int]int) bool {
	if met[a] == 0 || met[b] == 0 {
		return met[a] < met[b]
	}
	return t.tells(me, a)/float64(met[a]) > t.tells(me, b)/float64(met[b])
}

// tells returns how uncertain the result of two players is: how much a match tells about their strength.
func (t *leagueTable) tells(a, b int) float64 {
	if t.elo == nil {
		t.rate()
	}
	p := 1 / (1 + math.Pow(10, (t.elo[a]-t.elo[b])/400))
	return p * (1 - p)
}

// rate computes the ratings, the best first.
func (t *leagueTable) rate() []arena.Rating {
	list := t.standings.Ratings()
	t.elo = make([]float64, len(list))
	for _, r := range list {
		t.elo[r.Player] = r.Elo
	}
	return list
}

// row is a line of the table.
type row struct {
	Name       string  `json:"name"`
	You        bool    `json:"you"`
	Submission string  `json:"submission"` // "" for a level
	Level      int     `json:"level"`      // of a level; of a program, the strongest that it beats
	Elo        float64 `json:"elo"`
	Error      float64 `json:"error"`   // half of the 95 % interval
	Decided    bool    `json:"decided"` // whether there is an interval: the program has won and lost games
	Games      int     `json:"games"`
	Wins       int     `json:"wins"`
	Draws      int     `json:"draws"`
	Losses     int     `json:"losses"`
	Illegal    int     `json:"illegal"`
	Time       int     `json:"time"`
	Crashes    int     `json:"crashes"`
}

// rows returns the table, the best first.
func (t *leagueTable) rows(a class.Assignment) []row {
	list := []row{}
	slices.SortFunc(t.standings.Pairings, func(a, b arena.Pairing) int { return cmp.Or(a.A-b.A, a.B-b.B) }) // the same sums
	clear(t.pairings)
	for i, p := range t.standings.Pairings {
		t.pairings[[2]int{p.A, p.B}] = i
	}
	for _, r := range t.rate() {
		s := t.standings.Players[r.Player]
		one := row{
			Elo: r.Elo, Error: r.Error, Decided: s.Games > 0 && !r.Swept, Games: s.Games, Wins: s.Wins, Draws: s.Draws, Losses: s.Losses,
			Illegal: s.Illegal, Time: s.TimeLosses, Crashes: s.Crashes,
		}
		if r.Player < len(t.programs) {
			n := t.programs[r.Player]
			one.Submission = n.ID
			one.Level, _ = ladder(n.Results, a.League.Level)
		} else {
			one.Name = s.Name
			one.Level, _ = strconv.Atoi(s.Name[len("level:"):])
		}
		list = append(list, one)
	}
	slices.SortStableFunc(list, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.Elo, a.Elo), cmp.Compare(a.Submission, b.Submission))
	})
	return list
}

// met returns how many matches a program has begun with a player.
func met(n class.Submission, name string) (matches int) {
	for _, r := range n.Results {
		if r.Opponent == name {
			matches++
		}
	}
	return matches
}
