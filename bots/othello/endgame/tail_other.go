//go:build !amd64

package endgame

// tail returns the value of a board with 1 to 6 empty cells on which the side to move can
// move; see tailPlain.
func (s *Solver) tail(own, other, empty uint64, alpha, beta int) int {
	return s.tailPlain(own, other, empty, oddQuadrants(empty), alpha, beta, false)
}
