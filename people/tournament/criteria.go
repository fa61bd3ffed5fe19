package tournament

import "slices"

// This file has the criteria C6 to C21 of the FIDE (Dutch) System (articles 2.4.1 to 2.4.16), in their order.

// criteria keeps the pairings that are best for the bracket.
func (b *bracket) criteria() {
	floaters := b.count(func(i, j int) bool { return b.floater(i, j) != None }) // C6
	if floaters > 0 {
		b.scores(b.all, b.floater, b.mdps) // C7: only moved-down players matter, residents have one score
		b.lookAhead()                      // C8
	}
	if b.byeScore >= b.score && floaters == 1 { // C9
		b.minimise(b.all, func(i, j int) int {
			if j == b.bye && b.in[i] {
				return b.list[i].unplayed
			}
			return 0
		})
	}
	b.colours()
	for age := range 2 { // C14 to C17
		b.count(func(i, j int) bool {
			f := b.floater(i, j)
			return f != None && b.list[f].score == b.score && b.list[f].float[age] == down
		})
		b.count(func(i, j int) bool { return b.met(i, j) && b.list[j].float[age] == up })
	}
	if len(b.mdps) > 0 {
		b.repeats()
	}
}

// count minimises a number of pairs.
func (b *bracket) count(is func(i, j int) bool) int {
	return b.minimise(b.all, func(i, j int) int {
		if is(i, j) {
			return 1
		}
		return 0
	})
}

// floater returns the downfloater of a pair of players of whom one is in the bracket and the other below it.
func (b *bracket) floater(i, j int) int {
	if b.in[i] && !b.in[j] {
		return i // i < j, and the bracket has the best of those who are left
	}
	return None
}

// met reports whether a moved-down player is paired with a resident.
func (b *bracket) met(i, j int) bool {
	return b.in[i] && b.in[j] && b.list[i].score > b.score && b.list[j].score == b.score
}

// scores minimises the scores of the players that pick returns of each pair, in descending order. who are
// the players whose scores may count, in order of rank.
func (b *bracket) scores(list []int, pick func(i, j int) int, who []int) {
	for k, v := range who {
		score := b.list[v].score
		if k > 0 && b.list[who[k-1]].score == score {
			continue
		}
		b.minimise(list, func(i, j int) int {
			if p := pick(i, j); p != None && b.list[p].score == score {
				return 1
			}
			return 0
		})
	}
}

// lookAhead applies C6 and C7 to the following bracket (C8).
func (b *bracket) lookAhead() {
	if len(b.following) == 0 {
		return
	}
	list := slices.Concat(b.all, b.following)
	floater := func(i, j int) int {
		here, there := b.in[i] || b.next[i], b.in[j] || b.next[j]
		if here && !there {
			return i
		}
		return None
	}
	b.minimise(list, func(i, j int) int {
		if floater(i, j) != None {
			return 1
		}
		return 0
	})
	b.scores(list, floater, b.all) // those of the following bracket have one score
}

// colours applies C10 to C13.
func (b *bracket) colours() {
	if slices.ContainsFunc(b.all, func(v int) bool { return b.list[v].top }) {
		for _, bad := range []func(e *entrant, colour int8) bool{wide, thrice} {
			b.minimise(b.all, func(i, j int) int { return b.topscorers(i, j, bad) })
		}
	}
	clash := func(i, j int) bool {
		return b.in[i] && b.in[j] && b.list[i].want != 0 && b.list[i].want == b.list[j].want
	}
	b.count(clash)
	b.count(func(i, j int) bool { return clash(i, j) && min(b.list[i].strength, b.list[j].strength) >= strong })
}

// topscorers counts the players of a pair with a topscorer whose colour is bad.
func (b *bracket) topscorers(i, j int, bad func(*entrant, int8) bool) (n int) {
	if !b.in[i] || !b.in[j] {
		return 0
	}
	x, y := &b.list[i], &b.list[j]
	if !x.top && !y.top {
		return 0
	}
	colour := black
	if whites(x, y, b.lot) {
		colour = white
	}
	if bad(x, colour) {
		n++
	}
	if bad(y, -colour) {
		n++
	}
	return n
}

// wide reports whether a colour makes the colour difference wider than two (C10).
func wide(e *entrant, colour int8) bool { return abs(e.diff+int(colour)) > 2 }

// thrice reports whether a player would have the colour three times in a row (C11).
func thrice(e *entrant, colour int8) bool {
	n := len(e.colours)
	return n > 1 && e.colours[n-1] == colour && e.colours[n-2] == colour
}

// repeats applies C18 to C21: the score differences of moved-down players who floated down before, and of
// opponents who floated up before. The difference of one who floats on is above all others.
func (b *bracket) repeats() {
	for age := range 2 {
		b.scores(b.all, func(i, j int) int {
			if f := b.floater(i, j); f != None && b.list[f].float[age] == down {
				return f
			}
			return None
		}, b.mdps)
		b.scores(b.all, func(i, j int) int {
			if b.met(i, j) && b.list[j].float[age] == up {
				return i
			}
			return None
		}, b.mdps)
	}
}
