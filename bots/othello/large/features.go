package large

import "quintet/bots/othello/linear"

// Features computes the features of positions of one game, for tests of faster code. It is not safe for
// concurrent use.
type Features struct{ evaluator evaluator }

// NewFeatures prepares for the positions of a game.
func NewFeatures(p Position) *Features {
	g := geometryOf(p)
	return &Features{*newEvaluator(new(linear.Weights), &g)}
}

// Of returns the features of a position, and the number of empty cells.
func (f *Features) Of(p Position) (r linear.Row, empty int) {
	b := f.evaluator.geometry.boardOf(p)
	f.evaluator.features(&b, &r)
	return r, b.empty
}
