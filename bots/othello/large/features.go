package large

import "quintet/bots/othello/linear"

// Features computes the features of positions of one game. It is not safe for concurrent use.
type Features struct{ evaluator evaluator }

// NewFeatures prepares for the positions of a game.
func NewFeatures(p Position) *Features {
	g := geometryOf(p)
	return &Features{*newEvaluator(new(linear.Weights), &g)}
}

// Shape returns the cells of the board.
func (f *Features) Shape() *linear.Shape { return f.evaluator.geometry.shape() }

// Of returns the features of a position, and the number of empty cells.
func (f *Features) Of(p Position) (r linear.Row, empty int) {
	b := f.evaluator.geometry.boardOf(p)
	f.evaluator.features(&b, &r)
	return r, b.empty
}

// Margin returns the lead of the side to move in discs at the end of a game. Cells that are left
// empty go to the winner.
func (f *Features) Margin(p Position) int {
	g := f.evaluator.geometry
	b := g.boardOf(p)
	return g.margin(&b)
}
