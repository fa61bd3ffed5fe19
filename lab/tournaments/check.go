package tournaments

import (
	"cmp"
	"slices"

	"quintet/people/tournament"
)

// This file is a second reading of the FIDE (Dutch) System, without matchings: it looks at all complete pairings of
// a few players and compares the failures of all criteria, as article 3.8 says. Articles are those of C.04.3.

// line is the round of a player: opponent, colour (1 is white, 0 none) and half points.
type line struct{ opponent, colour, points int }

// Checker knows the rounds before a round.
type Checker struct {
	s      *tournament.State
	round  int
	lines  []map[int]line // by player and round
	here   []int          // players to pair, in order of rank
	number map[int]int    // pairing numbers
}

const nobody = tournament.None

// NewChecker returns a checker of a round.
func NewChecker(s *tournament.State, round int) *Checker {
	c := &Checker{s: s, round: round, number: map[int]int{}}
	paired := map[int]bool{}
	for range s.Players {
		c.lines = append(c.lines, map[int]line{})
	}
	for _, g := range s.Games {
		if g.Round >= round {
			continue
		}
		half := map[tournament.Outcome][2]int{
			tournament.FirstWins: {2, 0}, tournament.SecondWins: {0, 2}, tournament.Drawn: {1, 1}, tournament.FirstAbsent: {0, 2},
			tournament.SecondAbsent: {2, 0}, tournament.PairingBye: {2}, tournament.HalfBye: {1},
		}[g.Outcome]
		colour := 0
		if g.Outcome <= tournament.Drawn {
			colour = 1
		}
		c.lines[g.First][g.Round] = line{g.Second, colour, half[0]}
		if g.Second != nobody {
			c.lines[g.Second][g.Round] = line{g.First, -colour, half[1]}
			paired[g.Second] = true
		}
		paired[g.First] = paired[g.First] || g.Outcome != tournament.HalfBye
	}
	for _, p := range s.Ranking() {
		q := s.Players[p]
		here := !q.Withdrawn && q.Joined <= round && !slices.Contains(q.Byes, round)
		if here {
			c.here = append(c.here, p)
		}
		if here || paired[p] {
			c.number[p] = len(c.number) + 1
		}
	}
	slices.SortStableFunc(c.here, func(a, b int) int { return cmp.Compare(c.score(b, round), c.score(a, round)) })
	return c
}

// score returns the half points before a round.
func (c *Checker) score(p, round int) (sum int) {
	for r, l := range c.lines[p] {
		if r < round {
			sum += l.points
		}
	}
	return sum
}

func (c *Checker) colours(p int) (list []int) {
	for r := 1; r < c.round; r++ {
		if l := c.lines[p][r]; l.colour != 0 {
			list = append(list, l.colour)
		}
	}
	return list
}

// float returns 1 for a downfloat, -1 for an upfloat (1.4).
func (c *Checker) float(p, round int) int {
	l, ok := c.lines[p][round]
	switch {
	case !ok:
		return 0
	case l.colour == 0:
		return min(l.points, 1)
	}
	return cmp.Compare(c.score(p, round), c.score(l.opponent, round))
}

// preference returns the colour that a player should get, and 3 for absolute, 2 for strong, 1 for mild (1.7).
func (c *Checker) preference(p int) (colour, strength int) {
	list, sum := c.colours(p), 0
	for _, x := range list {
		sum += x
	}
	n := len(list)
	switch {
	case n == 0:
		return 0, 0
	case sum > 1 || sum < -1:
		return -sum / max(sum, -sum), 3
	case n > 1 && list[n-1] == list[n-2]:
		return -list[n-1], 3
	case sum != 0:
		return -sum, 2
	}
	return -list[n-1], 1
}

func (c *Checker) top(p int) bool { return c.round == c.s.Rounds && c.score(p, c.round) > c.round-1 }

// may reports whether two players may meet, or one may have the bye (C1 to C3).
func (c *Checker) may(p, q int) bool {
	for _, l := range c.lines[p] {
		if q == nobody && l.colour == 0 && l.points == 2 || q != nobody && l.opponent == q && l.colour != 0 {
			return false
		}
	}
	if q == nobody || c.top(p) || c.top(q) {
		return true
	}
	x, xs := c.preference(p)
	y, ys := c.preference(q)
	return x != y || xs < 3 || ys < 3
}

// white returns who gets white of two players, the higher ranked first (5.2).
func (c *Checker) white(p, q int) int {
	x, xs := c.preference(p)
	y, ys := c.preference(q)
	give := func(to, colour int) int {
		if (to == p) == (colour == 1) {
			return p
		}
		return q
	}
	switch {
	case x == 0 && y == 0:
		if (c.number[p]%2 == 1) == c.s.Lot {
			return q
		}
		return p
	case x != y && x != 0:
		return give(p, x)
	case x != y:
		return give(q, y)
	case xs > ys:
		return give(p, x)
	case ys > xs:
		return give(q, y)
	}
	a, b := c.colours(p), c.colours(q)
	if xs == 3 {
		if dp, dq := c.difference(p), c.difference(q); dp != dq {
			if dp > dq {
				return give(p, x)
			}
			return give(q, y)
		}
	}
	for i := 1; i <= min(len(a), len(b)); i++ {
		if u := a[len(a)-i]; u != b[len(b)-i] {
			return give(p, -u)
		}
	}
	return give(p, x)
}

func (c *Checker) difference(p int) (sum int) {
	for _, x := range c.colours(p) {
		sum += x
	}
	return max(sum, -sum)
}

// Best returns the partners in the best complete pairing, or nil if there is none.
func (c *Checker) Best() (best map[int]int) {
	var least []int
	partner := map[int]int{}
	var try func(bye bool)
	try = func(bye bool) {
		i := slices.IndexFunc(c.here, func(p int) bool { _, ok := partner[p]; return !ok })
		if i < 0 {
			if f := c.failures(partner); best == nil || slices.Compare(f, least) < 0 {
				best, least = map[int]int{}, f
				for p, q := range partner {
					best[p] = q
				}
			}
			return
		}
		p := c.here[i]
		for _, q := range append(slices.Clone(c.here[i+1:]), nobody) {
			if _, taken := partner[q]; q != nobody && taken || q == nobody && !bye || !c.may(p, q) {
				continue
			}
			partner[p] = q
			if q != nobody {
				partner[q] = p
			}
			try(bye && q != nobody)
			delete(partner, p)
			delete(partner, q)
		}
	}
	try(len(c.here)%2 == 1)
	return best
}

// failures returns the failure values of all criteria, bracket by bracket, and behind those of each bracket its place
// in the order of article 4.
func (c *Checker) failures(partner map[int]int) (list []int) {
	for p, q := range partner {
		if q == nobody {
			list = append(list, c.score(p, c.round)) // C5
		}
	}
	var floaters []int
	for at := 0; at < len(c.here); {
		score := c.score(c.here[at], c.round)
		group := c.group(at)
		at += len(group)
		b := &checked{c, partner, slices.Concat(floaters, group), group, c.group(at), score}
		list = append(list, b.failures()...)
		list = append(list, b.order()...)
		floaters = b.floaters(b.all)
	}
	return list
}

// group returns the players from a place on who have the same score.
func (c *Checker) group(at int) (list []int) {
	for i := at; i < len(c.here) && c.score(c.here[i], c.round) == c.score(c.here[at], c.round); i++ {
		list = append(list, c.here[i])
	}
	return list
}

// checked is a bracket of a complete pairing.
type checked struct {
	*Checker
	partner              map[int]int
	all, group, followed []int
	level                int
}

// floaters returns the players of a bracket whose partners are not in it.
func (b *checked) floaters(all []int) (list []int) {
	for _, p := range all {
		if !slices.Contains(all, b.partner[p]) {
			list = append(list, p)
		}
	}
	return list
}

func (b *checked) scores(list []int) (scores []int) {
	for _, p := range list {
		scores = append(scores, b.score(p, b.round))
	}
	slices.Sort(scores)
	slices.Reverse(scores)
	return scores
}

func (b *checked) failures() []int {
	floaters := b.floaters(b.all)
	list := append([]int{len(floaters)}, b.scores(floaters)...) // C6, C7
	if len(floaters) > 0 && len(b.followed) > 0 {               // C8
		next := b.floaters(slices.Concat(floaters, b.followed))
		list = append(append(list, len(next)), b.scores(next)...)
	}
	unplayed := 0
	if len(floaters) == 1 && b.partner[floaters[0]] == nobody { // C9
		unplayed = b.round - 1 - len(b.colours(floaters[0]))
	}
	list = append(append(list, unplayed), b.colourFailures()...)
	var differences []int
	for age := 1; age <= 2; age++ {
		down, up := 0, 0
		var downs, ups []int
		for _, p := range b.all {
			q := b.partner[p]
			mdp, floats := b.score(p, b.round) > b.level, slices.Contains(floaters, p)
			switch {
			case !mdp && floats && b.float(p, b.round-age) == 1:
				down++ // C14, C16
			case mdp && floats && b.float(p, b.round-age) == 1:
				downs = append(downs, 1000+b.score(p, b.round)) // C18, C20
			case mdp && !floats && b.float(p, b.round-age) == 1:
				downs = append(downs, b.score(p, b.round)-b.level)
			}
			if mdp && !floats && b.float(q, b.round-age) == -1 {
				up++ // C15, C17
				ups = append(ups, b.score(p, b.round)-b.level)
			}
		}
		list = append(list, down, up)
		for _, d := range [][]int{downs, ups} {
			slices.Sort(d)
			slices.Reverse(d)
			differences = append(differences, d...)
		}
	}
	return append(list, differences...)
}

// colourFailures returns those of C10 to C13.
func (b *checked) colourFailures() []int {
	wide, thrice, any, strong := 0, 0, 0, 0
	for i, p := range b.all {
		q := b.partner[p]
		if slices.Index(b.all, q) < i {
			continue
		}
		w := b.white(p, q)
		for _, x := range [2]int{p, q} {
			colour := -1
			if x == w {
				colour = 1
			}
			want, strength := b.preference(x)
			if want == -colour {
				any++
				if strength > 1 {
					strong++
				}
			}
			list, sum := b.colours(x), 0
			for _, k := range list {
				sum += k
			}
			if n := len(list); (b.top(p) || b.top(q)) && n > 1 && list[n-1] == colour && list[n-2] == colour {
				thrice++
			}
			if sum += colour; (b.top(p) || b.top(q)) && (sum > 2 || sum < -2) {
				wide++
			}
		}
	}
	return []int{wide, thrice, any, strong}
}

// order returns the place of the bracket's pairs in the order in which they are generated (articles 3.7 and 4).
func (b *checked) order() (list []int) {
	var partners []int
	rest := slices.Clone(b.group)
	for k, p := range b.all {
		if q := b.partner[p]; b.score(p, b.round) > b.level && slices.Contains(b.all, q) {
			list = append(list, k)
			partners = append(partners, slices.Index(b.all, q))
			rest = slices.DeleteFunc(rest, func(r int) bool { return r == q })
		}
	}
	list = append(list, partners...)
	var upper, down, up []int
	for k, p := range rest {
		if slices.Index(rest, b.partner[p]) > k {
			upper = append(upper, k)
		}
	}
	sum := 0
	for k := range rest {
		switch is := slices.Contains(upper, k); {
		case is && k >= len(upper):
			up = append(up, k)
			sum += k
		case !is && k < len(upper):
			down = append([]int{-k}, down...)
			sum -= k
		}
	}
	list = append(slices.Concat(append(list, len(up), sum), down), up...)
	for _, k := range upper {
		list = append(list, slices.Index(rest, b.partner[rest[k]]))
	}
	return list
}
