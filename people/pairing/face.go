package pairing

// Solution is a matching of the greatest weight and the dual variables that prove it.
type Solution struct {
	Mate []int // the partner of each vertex, -1 if it has none

	m     *matcher
	tight []int // blossoms whose dual variable is positive
}

// Solve is like [MaxWeight], and also returns what [Solution.Face] needs to find all optimal matchings.
func Solve(n int, weight func(i, j int) int) Solution {
	m := newMatcher(n, weight)
	for m.phase() {
	}
	s := Solution{Mate: make([]int, n), m: m}
	for i := range s.Mate {
		s.Mate[i] = m.mate[i+1] - 1
	}
	for b := n + 1; b <= m.used; b++ {
		if m.outer[b] != 0 && m.dual[b] > 0 {
			s.tight = append(s.tight, b)
		}
	}
	return s
}

// Face describes all perfect matchings of the greatest weight, if the solution is perfect. By complementary
// slackness these are the perfect matchings that use only edges for which ok is true, and as many edges as
// possible inside each blossom with a positive dual variable. So they are the perfect matchings of those edges
// with the greatest total depth, the number of such blossoms around an edge.
func (s Solution) Face(i, j int) (depth int, ok bool) {
	e := s.m.edges[i+1][j+1]
	if e.weight <= 0 {
		return 0, false
	}
	slack := s.m.slackOf(e)
	for _, b := range s.tight {
		if s.m.via[b][i+1] != 0 && s.m.via[b][j+1] != 0 {
			slack += s.m.dual[b]
			depth++
		}
	}
	return depth, slack == 0
}
