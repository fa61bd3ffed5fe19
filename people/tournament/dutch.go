package tournament

import "slices"

// This file pairs a round by the FIDE (Dutch) System: brackets (articles 1.9 and 3) and the order in which
// candidates are tried (article 4). The set of all complete pairings is narrowed by one criterion after the
// other, and then by the order, until one pairing is left. Since it never becomes empty, the completion
// criterion C4 always holds.

// dutch pairs the entrants of a round. Vertices are their indices, the best first. With an odd number
// there is one vertex more, for the bye.
type dutch struct {
	*optima
	list  []entrant
	bye   int // the vertex, or None
	lot   int8
	pairs [][2]int
}

// pairDutch returns the pairs of a round, the higher ranked player first, and who gets the bye or None.
// ok is false if no pairing is complete.
func pairDutch(list []entrant, lot int8) (pairs [][2]int, bye int, ok bool) {
	d := &dutch{list: list, bye: None, lot: lot}
	n := len(list)
	if n%2 == 1 {
		d.bye = n
		n++
	}
	d.optima, ok = newOptima(n, func(i, j int) bool {
		if j == d.bye {
			return list[i].bye
		}
		return compatible(&list[i], &list[j])
	})
	if !ok {
		return nil, None, false
	}
	if d.bye == None {
		d.brackets(None)
		return d.pairs, None, true
	}
	score := d.minimise([]int{d.bye}, func(i, j int) int { // C5
		if j == d.bye {
			return list[i].score
		}
		return 0
	})
	d.brackets(score)
	return d.pairs, d.mate[d.bye], true
}

// brackets pairs one bracket after the other. byeScore is the score of the player with the bye, or None.
func (d *dutch) brackets(byeScore int) {
	var floaters []int
	for {
		b := d.bracket(floaters)
		if len(b.residents) == 0 {
			return
		}
		b.byeScore = byeScore
		b.criteria()
		b.order()
		floaters = b.left()
	}
}

// bracket is the players to pair next: the downfloaters of the last bracket and the residents, who have
// the next score.
type bracket struct {
	*dutch
	all, mdps, residents []int // in order of rank; mdps are the moved-down players
	following            []int // the residents of the following bracket
	in, next             []bool
	score                int // of the residents
	byeScore             int
}

// bracket returns the bracket of the highest score that is left.
func (d *dutch) bracket(floaters []int) *bracket {
	b := &bracket{dutch: d, mdps: floaters, in: make([]bool, d.n), next: make([]bool, d.n)}
	for _, v := range floaters {
		b.in[v] = true
	}
	b.residents = d.group(b.in)
	for _, v := range b.residents {
		b.in[v] = true
		b.score = d.list[v].score
	}
	b.following = d.group(b.in)
	for _, v := range b.following {
		b.next[v] = true
	}
	b.all = slices.Concat(b.mdps, b.residents)
	return b
}

// group returns the players with the highest score of those who are left and not in a bracket.
func (d *dutch) group(in []bool) (list []int) {
	for _, v := range d.live {
		if in[v] || v == d.bye {
			continue
		}
		if len(list) > 0 && d.list[v].score != d.list[list[0]].score {
			break
		}
		list = append(list, v)
	}
	return list
}

// left returns the players of the bracket who are not paired.
func (b *bracket) left() (list []int) {
	for _, v := range b.live {
		if b.in[v] {
			list = append(list, v)
		}
	}
	return list
}

// order fixes the pairs of the bracket: of the best candidates it takes the one that is generated first.
func (b *bracket) order() {
	if len(b.mdps) > 0 {
		b.orderMDPs()
	}
	list := b.left()
	rest := slices.DeleteFunc(list, func(v int) bool { return b.list[v].score != b.score })
	pairs := 0
	for _, v := range rest {
		if m := b.mate[v]; v < m && b.in[m] {
			pairs++
		}
	}
	upper := b.exchange(rest, pairs)
	lower := make([]bool, b.n)
	for _, v := range rest {
		lower[v] = !slices.Contains(upper, v)
	}
	b.pairs = append(b.pairs, b.assign(upper, lower)...)
}

// orderMDPs fixes the pairs of moved-down players with residents: the first of these players (4.4), with the
// first residents (4.2).
func (b *bracket) orderMDPs() {
	b.prefer(b.mdps, func(_, m int) bool { return b.in[m] })
	var upper []int
	for _, v := range b.mdps {
		if b.in[b.mate[v]] {
			upper = append(upper, v)
		}
	}
	lower := make([]bool, b.n)
	for _, v := range b.residents {
		lower[v] = true
	}
	b.pairs = append(b.pairs, b.assign(upper, lower)...)
}

// prefer keeps the matchings in which the first vertices of a list have a property, each more important than
// all that follow. The property depends on the vertex and its partner.
func (b *bracket) prefer(list []int, has func(v, mate int) bool) {
	for len(list) > 0 {
		bit := make([]int, b.n)
		n, unit := 0, 1
		for n < len(list) && unit <= b.capacity()/4 {
			unit *= 2
			n++
		}
		for k, v := range list[:n] {
			bit[v] = unit >> (k + 1)
		}
		b.minimise(list[:n], func(i, j int) (cost int) {
			if bit[i] > 0 && !has(i, j) {
				cost = bit[i]
			}
			if bit[j] > 0 && !has(j, i) {
				cost += bit[j]
			}
			return cost
		})
		list = list[n:]
	}
}

// exchange returns the upper players of a homogeneous bracket or a remainder with a number of pairs: at first
// the best, then others after the exchanges of article 4.3.
func (b *bracket) exchange(list []int, pairs int) (upper []int) {
	place := make([]int, b.n)
	for i := range place {
		place[i] = None
	}
	for k, v := range list {
		place[v] = k
	}
	inside := func(i, j int) bool { return place[i] != None && place[j] != None }
	exchanges := b.minimise(list, func(i, j int) int {
		if inside(i, j) && place[i] >= pairs {
			return 1 // i < j, so both are lower players, and i must move up
		}
		return 0
	})
	upper, lower := list[:pairs], list[pairs:]
	if exchanges == 0 {
		return upper
	}
	b.minimise(list, func(i, j int) int {
		switch {
		case inside(i, j) && place[i] >= pairs:
			return place[i] - pairs // moves up
		case inside(i, j) && place[j] < pairs:
			return pairs - 1 - place[j] // moves down
		case !inside(i, j) && place[i] != None && place[i] < pairs:
			return pairs - 1 - place[i]
		case !inside(i, j) && place[j] != None && place[j] < pairs:
			return pairs - 1 - place[j]
		}
		return 0
	})
	movesDown := func(v, m int) bool { return place[m] == None || place[m] < place[v] }
	movesUp := func(v, m int) bool { return place[m] > place[v] }
	last := slices.Clone(upper)
	slices.Reverse(last)
	b.prefer(last, movesDown)
	b.prefer(lower, movesUp)
	var now []int
	for _, v := range list {
		if m := b.mate[v]; place[v] < pairs && !movesDown(v, m) || place[v] >= pairs && movesUp(v, m) {
			now = append(now, v)
		}
	}
	return now
}
