//go:build !amd64

package pattern

// sum adds up the values of the patterns on a board.
func sum(own, other uint64, t *tables) int { return sumPlain(own, other, t) }
