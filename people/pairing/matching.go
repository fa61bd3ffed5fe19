package pairing

import "slices"

// This file is the matching: Edmonds' blossom algorithm with dual variables, O(n³). The form is
// that of Galil, "Efficient algorithms for finding maximum matching in graphs" (ACM Computing
// Surveys 18, 1986), section 3, on a dense matrix: a shrunken blossom is a vertex with a number
// above n. For each blossom and each vertex the matrix has the edge of least slack between them.

// edge is an edge between two real vertices that joins two vertices or blossoms. Weight 0 means no edge.
type edge struct{ u, v, weight int }

// Labels of vertices in the search of a phase.
const (
	free = -1
	even = 0 // at an even distance from an unmatched vertex
	odd  = 1
)

const never = 1 << 62 // above any change of a dual variable: these stay below four times the greatest weight

// matcher is the state of the algorithm. Vertices are 1 to n, blossoms n+1 and more, 0 is none.
type matcher struct {
	n, used  int      // used is the largest number of a blossom
	edges    [][]edge // [u][v] between vertices or blossoms
	dual     []int    // twice the dual variable
	mate     []int    // real vertex at the other end, 0 if unmatched
	slack    []int    // vertex whose edge to this one has the least slack
	outer    []int    // the outermost blossom that contains the vertex
	parent   []int    // real vertex through which an odd vertex was reached
	children [][]int  // of a blossom, in the order of its cycle, the base first
	via      [][]int  // [b][x] is the child of b that contains the real vertex x
	label    []int
	seen     []int // the last search for a common ancestor that visited the vertex
	round    int
	queue    []int
}

// MaxWeight returns a matching of the greatest total weight among n vertices: mate[i] is the
// partner of i, -1 if it has none. weight is symmetric; pairs of weight 0 or less are never
// matched. It takes O(n³) time and about 3n² words of memory. Weights must be below 1<<56.
func MaxWeight(n int, weight func(i, j int) int) (mate []int) { return Solve(n, weight).Mate }

func newMatcher(n int, weight func(i, j int) int) *matcher {
	size := n + n/2 + 2
	ints := func() []int { return make([]int, size) }
	m := &matcher{
		n: n, used: n, edges: make([][]edge, size), dual: ints(), mate: ints(), slack: ints(), outer: ints(), parent: ints(),
		children: make([][]int, size), via: make([][]int, size), label: ints(), seen: ints(),
	}
	most := 0
	for u := range size {
		m.edges[u], m.via[u] = make([]edge, size), make([]int, n+1)
		if u <= n {
			m.outer[u], m.via[u][u] = u, u
		}
	}
	for u := 1; u <= n; u++ {
		for v := 1; v <= n; v++ {
			m.edges[u][v] = edge{u: u, v: v}
			if u != v {
				m.edges[u][v].weight = max(weight(u-1, v-1), 0)
			}
			most = max(most, m.edges[u][v].weight)
		}
	}
	for u := 1; u <= n; u++ {
		m.dual[u] = most
	}
	return m
}

// slackOf returns twice the slack of an edge: its dual variables less its weight.
func (m *matcher) slackOf(e edge) int {
	return m.dual[e.u] + m.dual[e.v] - 2*m.edges[e.u][e.v].weight
}

// offerSlack makes u the vertex of least slack of x if its slack is less.
func (m *matcher) offerSlack(u, x int) {
	if m.slack[x] == 0 || m.slackOf(m.edges[u][x]) < m.slackOf(m.edges[m.slack[x]][x]) {
		m.slack[x] = u
	}
}

func (m *matcher) findSlack(x int) {
	m.slack[x] = 0
	for u := 1; u <= m.n; u++ {
		if m.edges[u][x].weight > 0 && m.outer[u] != x && m.label[m.outer[u]] == even {
			m.offerSlack(u, x)
		}
	}
}

// push adds the real vertices of a vertex or blossom to the queue.
func (m *matcher) push(x int) {
	if x <= m.n {
		m.queue = append(m.queue, x)
		return
	}
	for _, c := range m.children[x] {
		m.push(c)
	}
}

func (m *matcher) setOuter(x, b int) {
	m.outer[x] = b
	if x > m.n {
		for _, c := range m.children[x] {
			m.setOuter(c, b)
		}
	}
}

// pathTo orients the cycle of a blossom so that the path from its base to a child is even. It returns the
// child's place.
func (m *matcher) pathTo(b, child int) int {
	list := m.children[b]
	place := slices.Index(list, child)
	if place%2 == 1 {
		slices.Reverse(list[1:])
		return len(list) - place
	}
	return place
}

// match matches u with v along their edge. If u is a blossom, it adjusts the matching inside.
func (m *matcher) match(u, v int) {
	m.mate[u] = m.edges[u][v].v
	if u <= m.n {
		return
	}
	e := m.edges[u][v]
	child := m.via[u][e.u]
	place := m.pathTo(u, child)
	for i := range place {
		m.match(m.children[u][i], m.children[u][i^1])
	}
	m.match(child, v)
	m.children[u] = slices.Concat(m.children[u][place:], m.children[u][:place]) // its base is now the child
}

// augment flips the matching along the alternating path from u to the root, starting with u-v.
func (m *matcher) augment(u, v int) {
	for {
		next := m.outer[m.mate[u]]
		m.match(u, v)
		if next == 0 {
			return
		}
		m.match(next, m.outer[m.parent[next]])
		u, v = m.outer[m.parent[next]], next
	}
}

// ancestor returns the nearest common ancestor of two even vertices, or 0 if they are in different trees.
func (m *matcher) ancestor(u, v int) int {
	for m.round++; u != 0 || v != 0; u, v = v, u {
		if u == 0 {
			continue
		}
		if m.seen[u] == m.round {
			return u
		}
		m.seen[u] = m.round
		if u = m.outer[m.mate[u]]; u != 0 {
			u = m.outer[m.parent[u]]
		}
	}
	return 0
}

// shrink makes a blossom of the cycle through u, v and their nearest common ancestor.
func (m *matcher) shrink(u, base, v int) {
	b := m.n + 1
	for b <= m.used && m.outer[b] != 0 {
		b++
	}
	m.used = max(m.used, b)
	m.dual[b], m.label[b], m.mate[b] = 0, even, m.mate[base]
	list := []int{base}
	for x := u; x != base; {
		odd := m.outer[m.mate[x]]
		list = append(list, x, odd)
		m.push(odd)
		x = m.outer[m.parent[odd]]
	}
	slices.Reverse(list[1:])
	for x := v; x != base; {
		odd := m.outer[m.mate[x]]
		list = append(list, x, odd)
		m.push(odd)
		x = m.outer[m.parent[odd]]
	}
	m.children[b] = list
	m.setOuter(b, b)
	m.joinEdges(b)
}

// joinEdges gives a new blossom the edges of least slack of its children.
func (m *matcher) joinEdges(b int) {
	for x := 1; x <= m.used; x++ {
		m.edges[b][x].weight, m.edges[x][b].weight = 0, 0
	}
	for x := 1; x <= m.n; x++ {
		m.via[b][x] = 0
	}
	for _, c := range m.children[b] {
		for x := 1; x <= m.used; x++ {
			if m.edges[b][x].weight == 0 || m.edges[c][x].weight > 0 && m.slackOf(m.edges[c][x]) < m.slackOf(m.edges[b][x]) {
				m.edges[b][x], m.edges[x][b] = m.edges[c][x], m.edges[x][c]
			}
		}
		for x := 1; x <= m.n; x++ {
			if m.via[c][x] != 0 {
				m.via[b][x] = c
			}
		}
	}
	m.findSlack(b)
}

// expand dissolves an odd blossom whose dual variable is 0.
func (m *matcher) expand(b int) {
	for _, c := range m.children[b] {
		m.setOuter(c, c)
	}
	entry := m.via[b][m.edges[b][m.parent[b]].u]
	place := m.pathTo(b, entry)
	list := m.children[b]
	for i := 0; i < place; i += 2 {
		x, next := list[i], list[i+1]
		m.parent[x] = m.edges[next][x].u
		m.label[x], m.label[next] = odd, even
		m.slack[x] = 0
		m.findSlack(next)
		m.push(next)
	}
	m.label[entry], m.parent[entry] = odd, m.parent[b]
	for _, x := range list[place+1:] {
		m.label[x] = free
		m.findSlack(x)
	}
	m.outer[b] = 0
}

// tight follows an edge without slack from an even vertex, and reports whether it augmented.
func (m *matcher) tight(e edge) bool {
	u, v := m.outer[e.u], m.outer[e.v]
	switch m.label[v] {
	case free:
		m.parent[v], m.label[v] = e.u, odd
		next := m.outer[m.mate[v]]
		m.slack[v], m.slack[next] = 0, 0
		m.label[next] = even
		m.push(next)
	case even:
		base := m.ancestor(u, v)
		if base == 0 {
			m.augment(u, v)
			m.augment(v, u)
			return true
		}
		m.shrink(u, base, v)
	}
	return false
}

// phase finds an augmenting path of least cost and augments along it. It returns false if no path increases
// the weight.
func (m *matcher) phase() bool {
	m.queue = m.queue[:0]
	for x := 1; x <= m.used; x++ {
		m.label[x], m.slack[x] = free, 0
		if m.outer[x] == x && m.mate[x] == 0 {
			m.parent[x], m.label[x] = 0, even
			m.push(x)
		}
	}
	if len(m.queue) == 0 {
		return false
	}
	for {
		if m.grow() {
			return true
		}
		if !m.adjust() {
			return false
		}
		if m.followTight() {
			return true
		}
		m.expandEmpty()
	}
}

// grow follows the edges without slack from the queue, and reports whether it augmented.
func (m *matcher) grow() bool {
	for len(m.queue) > 0 {
		u := m.queue[0]
		m.queue = m.queue[1:]
		if m.label[m.outer[u]] == odd {
			continue
		}
		for v := 1; v <= m.n; v++ {
			if m.edges[u][v].weight == 0 || m.outer[u] == m.outer[v] {
				continue
			}
			if m.slackOf(m.edges[u][v]) == 0 {
				if m.tight(m.edges[u][v]) {
					return true
				}
			} else {
				m.offerSlack(u, m.outer[v])
			}
		}
	}
	return false
}

// adjust changes the dual variables until the slack of an edge or the dual variable of a blossom is 0. It
// returns false if the dual variable of an unmatched vertex is 0 first.
func (m *matcher) adjust() bool {
	d := m.step()
	for u := 1; u <= m.n; u++ {
		switch m.label[m.outer[u]] {
		case even:
			if m.dual[u] <= d {
				return false
			}
			m.dual[u] -= d
		case odd:
			m.dual[u] += d
		}
	}
	for b := m.n + 1; b <= m.used; b++ {
		if m.outer[b] == b {
			switch m.label[b] {
			case even:
				m.dual[b] += 2 * d
			case odd:
				m.dual[b] -= 2 * d
			}
		}
	}
	m.queue = m.queue[:0]
	return true
}

// step returns the largest possible change of the dual variables.
func (m *matcher) step() int {
	d := never
	for b := m.n + 1; b <= m.used; b++ {
		if m.outer[b] == b && m.label[b] == odd {
			d = min(d, m.dual[b]/2)
		}
	}
	for x := 1; x <= m.used; x++ {
		if m.outer[x] != x || m.slack[x] == 0 {
			continue
		}
		switch s := m.slackOf(m.edges[m.slack[x]][x]); m.label[x] {
		case free:
			d = min(d, s)
		case even:
			d = min(d, s/2)
		}
	}
	return d
}

func (m *matcher) followTight() bool {
	for x := 1; x <= m.used; x++ {
		if u := m.slack[x]; m.outer[x] == x && u != 0 && m.outer[u] != x && m.slackOf(m.edges[u][x]) == 0 && m.tight(m.edges[u][x]) {
			return true
		}
	}
	return false
}

func (m *matcher) expandEmpty() {
	for b := m.n + 1; b <= m.used; b++ {
		if m.outer[b] == b && m.label[b] == odd && m.dual[b] == 0 {
			m.expand(b)
		}
	}
}
