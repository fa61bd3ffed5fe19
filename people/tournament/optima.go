package tournament

import (
	"math/bits"

	"quintet/people/pairing"
)

// optima is a set of perfect matchings: those that are best by all criteria so far. It is kept as the
// edges that they may use. Where a matching must have as many edges as possible inside a blossom, the
// edge has a depth, and the matchings are those of the greatest total depth, see [pairing.Solution.Face].
// So criteria are applied one after the other, and each costs at most one matching with small weights,
// where one matching for all of them would need weights of hundreds of bits.
type optima struct {
	n       int
	depth   []int16 // [i*n+j], absent if no matching has the edge
	deepest int
	mate    []int // one of the matchings
	live    []int // vertices whose partner is not fixed yet, in order
}

const absent = -1

// newOptima returns the perfect matchings of n vertices with the edges of a graph; ok is false if there
// are none.
func newOptima(n int, edge func(i, j int) bool) (o *optima, ok bool) {
	o = &optima{n: n, depth: make([]int16, n*n), mate: make([]int, n), live: make([]int, n)}
	for i := range n {
		o.live[i] = i
		for j := range n {
			if i == j || !edge(min(i, j), max(i, j)) {
				o.depth[i*n+j] = absent
			}
		}
	}
	o.solve(0, func(int, int) int { return 0 })
	for _, m := range o.mate {
		if m < 0 {
			return nil, false
		}
	}
	return o, true
}

func (o *optima) has(i, j int) bool { return o.depth[i*o.n+j] != absent }

// minimise keeps the matchings of least cost and returns the cost. Only edges at vertices of the list cost
// anything. The cost of an edge is not negative, and at most what capacity says; i < j.
func (o *optima) minimise(list []int, cost func(i, j int) int) int {
	most := 0
	for _, i := range list {
		for _, j := range o.live {
			if o.has(i, j) {
				c := cost(min(i, j), max(i, j))
				most = max(most, c)
			}
		}
	}
	if most == 0 {
		return 0
	}
	if o.cost(cost) > 0 {
		o.solve(most, cost)
		return o.cost(cost)
	}
	for _, i := range list {
		for _, j := range o.live {
			if o.has(i, j) && cost(min(i, j), max(i, j)) > 0 {
				o.depth[i*o.n+j], o.depth[j*o.n+i] = absent, absent
			}
		}
	}
	return 0
}

// cost returns the cost of the matching.
func (o *optima) cost(cost func(i, j int) int) (total int) {
	for _, i := range o.live {
		if j := o.mate[i]; i < j {
			total += cost(i, j)
		}
	}
	return total
}

// capacity returns the greatest cost of an edge with which all weights remain below the limit of the matching.
func (o *optima) capacity() int {
	half := len(o.live)/2 + 1
	return 1 << (53 - 2*bits.Len(uint(half)) - bits.Len(uint(o.deepest)))
}

// solve finds a matching of least cost, and keeps the edges of all others. A unit of depth outweighs all
// costs, an edge more outweighs everything.
func (o *optima) solve(most int, cost func(i, j int) int) {
	half := len(o.live) / 2
	unit := half*most + 1
	base := half*(o.deepest*unit+most) + 1
	solution := pairing.Solve(len(o.live), func(a, b int) int {
		i, j := o.live[min(a, b)], o.live[max(a, b)]
		d := o.depth[i*o.n+j]
		if d == absent {
			return 0
		}
		return base + int(d)*unit + most - cost(i, j)
	})
	o.deepest = 0
	for a, i := range o.live {
		o.mate[i] = -1
		if m := solution.Mate[a]; m >= 0 {
			o.mate[i] = o.live[m]
		}
		for b, j := range o.live {
			if !o.has(i, j) {
				continue
			}
			d, ok := solution.Face(a, b)
			if !ok {
				d = absent
			}
			o.depth[i*o.n+j] = int16(d)
			o.deepest = max(o.deepest, d)
		}
	}
}

// fix takes matched vertices out.
func (o *optima) fix(i, j int) {
	keep := o.live[:0]
	for _, v := range o.live {
		if v != i && v != j {
			keep = append(keep, v)
		}
	}
	o.live = keep
}

// assign gives each upper player in turn the first lower player that any of the matchings allows, and
// fixes these pairs. This is the first transposition of the lower players, by C.04.3, article 4.2.
func (o *optima) assign(upper []int, lower []bool) (pairs [][2]int) {
	for len(upper) > 0 {
		a := upper[0]
		first := o.first(a, lower)
		done := 1
		if o.mate[a] != first && !o.swap(a, first) {
			done = o.assignNext(upper, lower)
		}
		for _, a := range upper[:done] {
			pairs = append(pairs, [2]int{a, o.mate[a]})
			o.fix(a, o.mate[a])
		}
		upper = upper[done:]
	}
	return pairs
}

// first returns the first lower player that may be paired with a.
func (o *optima) first(a int, lower []bool) int {
	for _, j := range o.live {
		if lower[j] && o.has(a, j) {
			return j
		}
	}
	return o.mate[a]
}

// swap pairs a with b and their partners with each other, if that is one of the matchings.
func (o *optima) swap(a, b int) bool {
	c, d := o.mate[a], o.mate[b]
	if !o.has(c, d) || o.depth[a*o.n+b]+o.depth[c*o.n+d] != o.depth[a*o.n+c]+o.depth[b*o.n+d] {
		return false
	}
	o.mate[a], o.mate[b], o.mate[c], o.mate[d] = b, a, d, c
	return true
}

// assignNext finds the partners of as many upper players as one matching can, and returns their number.
func (o *optima) assignNext(upper []int, lower []bool) int {
	place, count := make([]int, o.n), 0
	for _, j := range o.live {
		if lower[j] {
			place[j] = count
			count++
		}
	}
	scale := make([]int, o.n)
	n, most := 0, 1
	for n < len(upper) && most <= o.capacity()/(count+1) {
		most *= count + 1
		n++
	}
	for k, unit := n-1, 1; k >= 0; k-- {
		scale[upper[k]] = unit
		unit *= count + 1
	}
	o.minimise(upper[:n], func(i, j int) int { return scale[i]*place[j] + scale[j]*place[i] })
	return n
}
