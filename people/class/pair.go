package class

// Pair pairs students for a round, in the order of the list: each with the opponent they have met least often, on
// the side they have had less often. If their number is odd, one is left over.
func (s *State) Pair(students []string) (pairs [][2]string) {
	met, first, sat := map[[2]string]int{}, map[string]int{}, map[string]int{}
	for _, round := range s.Rounds {
		for _, g := range round {
			met[g.Seats]++
			met[[2]string{g.Seats[1], g.Seats[0]}]++
			first[g.Seats[0]]++
			first[g.Seats[1]]--
			sat[g.Seats[0]]++
			sat[g.Seats[1]]++
		}
	}
	done := map[string]bool{}
	for len(students)-len(done) > 1 {
		a := fewest(students, func(o string) (int, bool) { return sat[o], done[o] })
		done[a] = true
		b := fewest(students, func(o string) (int, bool) { return met[[2]string{a, o}], done[o] })
		done[b] = true
		if first[a] > first[b] {
			a, b = b, a
		}
		pairs = append(pairs, [2]string{a, b})
	}
	return pairs
}

// fewest returns the first student of a list with the lowest count, except those skipped.
func fewest(students []string, count func(string) (n int, skip bool)) (best string) {
	least := 0
	for _, o := range students {
		if n, skip := count(o); !skip && (best == "" || n < least) {
			best, least = o, n
		}
	}
	return best
}
