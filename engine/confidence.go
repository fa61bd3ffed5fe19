package engine

// confidence follows how sure a search is of its best move, from one iteration to the next.
type confidence struct {
	stable int     // iterations for which the best move has been the same
	fall   int     // by how much the score fell in the last iteration
	effort float64 // share of the last iteration's nodes below the best move
}

// usualEffort is the effort that neither shortens nor lengthens a search.
const usualEffort = 5.0 / 9

// efforter is a Tree that counts the nodes of its root moves. Effort and falling scores change
// the time of such trees alone: scores of other searches have other scales, for which the
// factor has not been measured.
type efforter interface {
	// effort returns the share of the nodes of the last call of Search that were visited below
	// the best move.
	effort() float64
}

// note takes an iteration into account, with the line before it and its own.
func (s *confidence) note(t Tree, last, line Line) {
	if s.stable++; line.Best() != last.Best() {
		s.stable = 0
	}
	e, ok := t.(efforter)
	if !ok {
		return
	}
	s.effort, s.fall = e.effort(), 0
	if last.Depth > 0 {
		s.fall = last.Score - line.Score
	}
}

// factor returns by how much to multiply the time after which no iteration starts.
func (s *confidence) factor() float64 {
	stability := float64(14-2*min(s.stable, 4)) / 10
	effort := 1 + 0.9*(usualEffort-s.effort)
	falling := min(max(1+float64(s.fall)/150, 0.85), 1.6)
	return stability * effort * falling
}
