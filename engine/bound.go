package engine

// Bound says what a score in a transposition table means.
type Bound uint8

// The bounds.
const (
	NoBound    Bound = iota // nothing is known
	Exact                   // the value
	LowerBound              // the search was cut off: the value is at least the score
	UpperBound              // no move reached the window: the value is at most the score
)

// BoundOf returns what a score means that was searched between alpha and beta.
func BoundOf(score, alpha, beta int) Bound {
	switch {
	case score >= beta:
		return LowerBound
	case score <= alpha:
		return UpperBound
	}
	return Exact
}

// Cuts reports whether a stored score decides a search between alpha and beta.
func (b Bound) Cuts(score, alpha, beta int) bool {
	switch b {
	case Exact:
		return true
	case LowerBound:
		return score >= beta
	case UpperBound:
		return score <= alpha
	}
	return false
}

// ScoreToTable returns a score as a table stores it: wins and losses count the
// distance from the position, which is so many plies from the root, not from the
// root.
func ScoreToTable(score, ply int) int {
	switch {
	case score > MaxEval:
		return score + ply
	case score < -MaxEval:
		return score - ply
	}
	return score
}

// ScoreFromTable reverses ScoreToTable, for a position that may be elsewhere in the
// tree.
func ScoreFromTable(score, ply int) int {
	switch {
	case score > MaxEval:
		return score - ply
	case score < -MaxEval:
		return score + ply
	}
	return score
}
