package tournament

import "slices"

// entrant is a player in a round of a Swiss, with all that the rules of the FIDE (Dutch) System ask of the
// rounds before (Handbook C.04.3, in force from 2026; the numbers of articles are its own).
type entrant struct {
	player   int // in the state
	number   int // pairing number, from 1 in the order of the ranking: only those who were paired in a round have one
	score    int // half points
	colours  []int8
	diff     int    // colour difference: first moves less second moves
	want     int8   // preferred colour, 0 if none
	strength int    // of the preference
	float    [2]int // of the last round and of the one before: down, up or 0
	unplayed int
	bye      bool // may get the pairing-allocated bye (C2)
	top      bool // topscorer (1.8)
	met      map[int]bool
	paired   bool // in a round before
	here     bool // to be paired in this round
}

// Colours, as in chess: the player with the first move is white.
const (
	white int8 = 1
	black int8 = -1
)

// Strengths of preferences (1.7).
const (
	mild = 1 + iota
	strong
	absolute
)

// Floats (1.4).
const (
	down = -1
	up   = 1
)

// entrants returns all players before a round, in the order of the state.
func (s *State) entrants(round int) []entrant {
	list := make([]entrant, len(s.Players))
	for i := range list {
		list[i] = entrant{player: i, bye: true, met: map[int]bool{}}
	}
	for _, g := range s.Games {
		if g.Round < round {
			list[g.First].add(g, list, round)
		}
	}
	for i := range list {
		e := &list[i]
		e.prefer()
		e.unplayed = round - 1 - len(e.colours)
		e.top = round == s.Rounds && e.score > round-1
		e.here = !s.Players[i].Withdrawn && s.Players[i].Joined <= round && !slices.Contains(s.Players[i].Byes, round)
	}
	number := 0
	for _, p := range s.Ranking() {
		if list[p].paired || list[p].here {
			number++
			list[p].number = number
		}
	}
	return list
}

// add takes the game of the first player into account, for both.
func (e *entrant) add(g Game, list []entrant, round int) {
	age := round - 1 - g.Round
	if g.Second == None {
		e.paired = e.paired || g.Outcome == PairingBye
		e.result(g.Outcome.points(true), age, 0, false)
		return
	}
	o := &list[g.Second]
	e.paired, o.paired = true, true
	between := e.score - o.score
	played := g.Outcome.Played()
	if played {
		e.colours, o.colours = append(e.colours, white), append(o.colours, black)
		e.diff++
		o.diff--
		e.met[o.player], o.met[e.player] = true, true
	}
	e.result(g.Outcome.points(true), age, between, played)
	o.result(g.Outcome.points(false), age, -between, played)
}

// result adds the points of a game, age rounds before the last one, against an opponent whose score was lower by
// between.
func (e *entrant) result(points, age, between int, played bool) {
	float := 0
	switch {
	case !played && points > 0, played && between > 0:
		float = down
	case played && between < 0:
		float = up
	}
	if age < len(e.float) {
		e.float[age] = float
	}
	if !played && points == 2 {
		e.bye = false
	}
	e.score += points
}

// prefer finds the colour that the player should get next (1.7).
func (e *entrant) prefer() {
	n := len(e.colours)
	if n == 0 {
		return
	}
	twice := n > 1 && e.colours[n-1] == e.colours[n-2]
	switch {
	case e.diff > 1:
		e.want, e.strength = black, absolute
	case e.diff < -1:
		e.want, e.strength = white, absolute
	case twice:
		e.want, e.strength = -e.colours[n-1], absolute
	case e.diff != 0:
		e.want, e.strength = int8(-e.diff), strong
	default:
		e.want, e.strength = -e.colours[n-1], mild
	}
}

// compatible reports whether two players may meet (C1 and C3).
func compatible(a, b *entrant) bool {
	if a.met[b.player] {
		return false
	}
	clash := a.strength == absolute && b.strength == absolute && a.want == b.want
	return !clash || a.top || b.top
}

// whites reports whether a, who is ranked before b, has the first move (5.2). lot is the initial colour of
// the first of the ranking (5.1).
func whites(a, b *entrant, lot int8) bool {
	if a.want != b.want {
		return a.want == white || b.want == black
	}
	if a.want != 0 {
		if a.strength != b.strength {
			return (a.want == white) == (a.strength > b.strength)
		}
		if x, y := abs(a.diff), abs(b.diff); a.strength == absolute && x != y {
			return (a.want == white) == (x > y)
		}
	}
	for i, j := len(a.colours)-1, len(b.colours)-1; i >= 0 && j >= 0; i, j = i-1, j-1 {
		if a.colours[i] != b.colours[j] {
			return a.colours[i] == black
		}
	}
	if a.want != 0 {
		return a.want == white
	}
	return (a.number%2 == 1) == (lot == white)
}

func abs(n int) int { return max(n, -n) }
