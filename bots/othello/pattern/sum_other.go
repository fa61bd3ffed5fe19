//go:build !amd64

package pattern

// sum adds up what the pictures on a board are worth.
func sum(own, other uint64, t *tables) int { return sumPlain(own, other, t) }
