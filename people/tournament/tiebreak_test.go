package tournament_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"quintet/lab/tournaments"
	"quintet/people/tournament"
)

// This file is a second reading of FIDE's tie-breaks (Handbook C.07), in points instead of half points, player by player and
// round by round. For the direct encounter it tries all results of the games that were not played.

const nobody = tournament.None

// ties is the tie-breaks of a player.
type ties struct{ points, cut1, buchholz, sonneborn, wins float64 }

// slow computes tie-breaks of the rounds that are over.
type slow struct {
	s      *tournament.State
	rounds int
}

func newSlow(s *tournament.State) slow {
	c := slow{s, 0}
	for _, g := range s.Games {
		c.rounds = max(c.rounds, g.Round)
	}
	for _, g := range s.Games {
		if g.Outcome == tournament.Running {
			c.rounds = min(c.rounds, g.Round-1)
		}
	}
	return c
}

// sheet is what a player did in a round.
type sheet struct {
	opponent           int
	points             float64
	played, asked, VUR bool // over the board; requested bye (16.1.1); voluntary unplayed round (16.1.2)
}

func (c slow) sheet(p, round int) sheet {
	for _, g := range c.s.Games {
		if g.Round != round || g.First != p && g.Second != p {
			continue
		}
		first := g.First == p
		l := sheet{opponent: g.First + g.Second - p, played: g.Outcome <= tournament.Drawn && g.Second != nobody}
		switch g.Outcome {
		case tournament.FirstWins, tournament.SecondAbsent:
			l.points = map[bool]float64{true: 1}[first]
		case tournament.SecondWins, tournament.FirstAbsent:
			l.points = map[bool]float64{false: 1}[first]
		case tournament.Drawn:
			l.points = 0.5
		case tournament.PairingBye:
			return sheet{opponent: nobody, points: 1}
		case tournament.HalfBye:
			return sheet{opponent: nobody, points: 0.5, asked: true, VUR: true}
		case tournament.ZeroBye:
			return sheet{opponent: nobody, asked: true, VUR: true}
		}
		l.VUR = !l.played && l.points == 0
		return l
	}
	return sheet{opponent: nobody, asked: true, VUR: true}
}

// adjusted returns the score of a player for opponents (16.3).
func (c slow) adjusted(p int) (sum float64) {
	for r := 1; r <= c.rounds; r++ {
		l, last := c.sheet(p, r), true
		for later := r + 1; later <= c.rounds; later++ {
			last = last && c.sheet(p, later).VUR
		}
		if c.s.Form == tournament.Swiss && l.asked && last {
			l.points = 0.5
		}
		sum += l.points
	}
	return sum
}

func (c slow) ties(p int) (t ties) {
	for r := 1; r <= c.rounds; r++ {
		t.points += c.sheet(p, r).points
	}
	least, leastVUR := 1000.0, 1000.0
	for r := 1; r <= c.rounds; r++ {
		l := c.sheet(p, r)
		score := min(t.points, float64(c.s.Rounds)/2) // 16.4.2
		switch {
		case l.opponent != nobody && (l.played || c.s.Form == tournament.Robin):
			score = c.adjusted(l.opponent)
		case l.opponent != nobody:
			score = min(t.points, c.adjusted(l.opponent)) // 16.4.1
		}
		t.buchholz += score
		t.sonneborn += score * l.points
		if l.points == 1 {
			t.wins++
		}
		least = min(least, score)
		if l.VUR {
			leastVUR = min(leastVUR, score)
		}
	}
	switch {
	case c.rounds == 0:
	case leastVUR < 1000: // 16.5
		t.cut1 = t.buchholz - leastVUR
	default:
		t.cut1 = t.buchholz - least
	}
	return t
}

// between returns the average score of a player against another (6.1); ok is false if they have not met.
func (c slow) between(p, q int) (score float64, ok bool) {
	n := 0.0
	for _, g := range c.s.Games {
		if min(g.First, g.Second) != min(p, q) || max(g.First, g.Second) != max(p, q) || g.Outcome == tournament.Running {
			continue
		}
		if l := c.sheet(p, g.Round); l.played || c.s.Form == tournament.Robin {
			score, n = score+l.points, n+1
		}
	}
	return score / max(n, 1), n > 0
}

// encounter returns a group in the order of the direct encounter, those together who stay equal.
func (c slow) encounter(group []int) (list [][]int) {
	if len(group) < 2 {
		return [][]int{group}
	}
	score := map[int]float64{}
	var missing [][2]int
	for i, p := range group {
		for j, q := range group {
			points, ok := c.between(p, q)
			if score[p] += points; !ok && i < j {
				missing = append(missing, [2]int{p, q})
			}
		}
	}
	if len(missing) == 0 {
		classes := split(group, func(p int) float64 { return score[p] })
		if len(classes) == 1 {
			return classes
		}
		for _, class := range classes {
			list = append(list, c.encounter(class)...)
		}
		return list
	}
	rest := slices.Clone(group)
	for c.s.Form == tournament.Swiss {
		i := slices.IndexFunc(rest, func(p int) bool { return leads(p, rest, score, missing) })
		if i < 0 {
			break
		}
		list = append(list, []int{rest[i]})
		rest = slices.Delete(rest, i, i+1)
	}
	if len(list) == 0 {
		return [][]int{group}
	}
	if len(rest) > 0 {
		list = append(list, c.encounter(rest)...)
	}
	return list
}

// leads reports whether a player is alone at the top of others with all results of missing games.
func leads(p int, group []int, score map[int]float64, missing [][2]int) bool {
	if len(missing) == 0 {
		return !slices.ContainsFunc(group, func(q int) bool { return q != p && score[q] >= score[p] })
	}
	for _, winner := range missing[0] {
		score[winner]++
		ok := leads(p, group, score, missing[1:])
		if score[winner]--; !ok {
			return false
		}
	}
	return true
}

// split returns players by falling values, those with the same value together.
func split(list []int, value func(int) float64) (classes [][]int) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b int) int {
		switch d := value(b) - value(a); {
		case d > 1e-9:
			return 1
		case d < -1e-9:
			return -1
		}
		return 0
	})
	for i, p := range list {
		if i == 0 || value(list[i-1])-value(p) > 1e-9 {
			classes = append(classes, nil)
		}
		classes[len(classes)-1] = append(classes[len(classes)-1], p)
	}
	return classes
}

// compare checks the standings.
func (c slow) compare(t *testing.T) {
	t.Helper()
	table := make([]tournament.Standing, len(c.s.Players))
	for _, row := range c.s.Standings() {
		table[row.Player] = row
	}
	all := []int{}
	list := make([]ties, len(table))
	for p, row := range table {
		all = append(all, p)
		list[p] = c.ties(p)
		got := ties{list[p].points, float64(row.Tie.BuchholzCut1) / 2, float64(row.Tie.Buchholz) / 2, float64(row.Tie.SonnebornBerger) / 4, float64(row.Tie.Wins)}
		if got != list[p] {
			t.Errorf("player %d: %+v, want %+v", p, got, list[p])
		}
	}
	points := func(p int) float64 { return float64(table[p].Points) } // of running rounds, too
	keys := []func(int) float64{
		points, func(p int) float64 { return list[p].cut1 }, func(p int) float64 { return list[p].buchholz }, func(p int) float64 { return list[p].sonneborn },
		nil, func(p int) float64 { return list[p].wins },
	}
	if c.s.Form == tournament.Robin {
		keys = []func(int) float64{points, nil, keys[3], keys[5]}
	}
	classes := [][]int{all}
	for _, key := range keys {
		var next [][]int
		for _, class := range classes {
			if key == nil {
				next = append(next, c.encounter(class)...)
			} else {
				next = append(next, split(class, key)...)
			}
		}
		classes = next
	}
	rank := 1
	for _, class := range classes {
		for _, p := range class {
			if table[p].Rank != rank {
				t.Errorf("player %d: rank %d, want %d; %+v", p, table[p].Rank, rank, classes)
			}
		}
		rank += len(class)
	}
	if t.Failed() {
		t.Fatalf("%+v", *c.s)
	}
}

// TestTieBreaks compares the standings of random tournaments, also in the middle of a round.
func TestTieBreaks(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for range 200 {
		s, _ := tournaments.Swiss(rng, 3+rng.IntN(6), 2+rng.IntN(5), func(s *tournament.State, _ []tournament.Game) {
			if s.Round() > 0 {
				newSlow(s).compare(t)
			}
		})
		newSlow(s).compare(t)
		n := 2 + rng.IntN(5)
		s = &tournament.State{Form: tournament.Robin, Cycles: 1 + rng.IntN(4), Players: make([]tournament.Player, n)}
		for !s.Over() {
			games, _ := s.Pair()
			for i := range games {
				if games[i].Second != nobody {
					games[i].Outcome = tournaments.Outcome(rng, 0)
				}
			}
			s.Games = append(s.Games, games...)
			last := &s.Games[len(s.Games)-1]
			if was := last.Outcome; last.Second != nobody && rng.IntN(8) == 0 {
				last.Outcome = tournament.Running
				newSlow(s).compare(t)
				last.Outcome = was
			}
			newSlow(s).compare(t)
		}
	}
}

// TestDirectEncounter compares the standings after all last rounds of a Swiss in which three players are equal in everything
// else: one has beaten the two others, who have not met over the board.
func TestDirectEncounter(t *testing.T) {
	const win, draw, absent = tournament.FirstWins, tournament.Drawn, tournament.FirstAbsent
	outcomes := []tournament.Outcome{win, tournament.SecondWins, draw, absent}
	games := []tournament.Game{
		{Round: 1, First: 5, Second: 1, Outcome: absent}, {Round: 1, First: 3, Second: 2, Outcome: absent}, {Round: 1, First: 4, Second: 0, Outcome: win},
		{Round: 2, First: 0, Second: 3, Outcome: win}, {Round: 2, First: 1, Second: 5, Outcome: win}, {Round: 2, First: 2, Second: 4, Outcome: absent},
		{Round: 3, First: 3, Second: 4, Outcome: win}, {Round: 3, First: 1, Second: 5, Outcome: draw}, {Round: 3, First: 0, Second: 2, Outcome: win},
	}
	for k := range 5 * 3 * 64 { // the partners of player 0, and of the first of the others
		rest := []int{1, 2, 3, 4, 5}
		pairs := []int{0, rest[k%5]}
		rest = slices.Delete(rest, k%5, k%5+1)
		pairs = append(pairs, rest[0], rest[1+k/5%3])
		rest = slices.Delete(rest, 1+k/5%3, 2+k/5%3)[1:]
		pairs = append(pairs, rest...)
		s := &tournament.State{Form: tournament.Swiss, Rounds: 4, Players: make([]tournament.Player, 6), Games: slices.Clone(games)}
		for i := range 3 {
			s.Games = append(s.Games, tournament.Game{Round: 4, First: pairs[2*i], Second: pairs[2*i+1], Outcome: outcomes[k/15>>(2*i)&3]})
		}
		newSlow(s).compare(t)
	}
}
