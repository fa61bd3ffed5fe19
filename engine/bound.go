package engine

// Bound says what a score in a transposition table means.
type Bound uint8

// The bounds.
const (
	NoBound    Bound = iota // unknown
	Exact                   // the value
	LowerBound              // the search was cut off: the value is at least the score
	UpperBound              // fail low: the value is at most the score
)

// BoundOf returns the bound of a score searched between alpha and beta.
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

// ScoreToTable converts a score for storage in a table: wins and losses count their
// distance from the position, at ply, instead of the root.
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
func ScoreFromTable(score, ply int) int { return ScoreToTable(score, -ply) }
