// Package pattern is a pattern evaluation in Logistello's style for 8 by 8 Othello without pits
// (Buro, "Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello",
// 1997).
//
// Patterns are configurations of 46 overlapping [Shapes]: rows and columns, diagonals, edges and
// corners. The index of a pattern is a number in base 3, and [Weights] hold its weight in each
// stage of the game. The sum of the weights estimates by how many discs the side to move will win.
// The shapes are Logistello's; lab/train trains the weights by self-play.
package pattern

import "math/bits"

// Unit is the number of points of an evaluation for one disc.
const Unit = 100

// Stages of a game, by the number of discs on the board.
const (
	Stages     = 30
	stageWidth = 2
	minDiscs   = 4
)

// Stage returns the stage of a board with the given number of discs, 4 to 64.
func Stage(discs int) int { return min(max(discs-minDiscs, 0)/stageWidth, Stages-1) }

// mobilities is the number of mobility classes.
const mobilities = 32

// tables holds the values of a stage. It has the value of every pattern, mirror images included,
// so that the sum need not look for symmetries.
type tables struct {
	own    [mobilities]int16   // by how many moves the side to move has
	other  [mobilities]int16   // and its opponent, if it were to move
	shapes [patternCount]int16 // in points, as trained
	coarse [patternCount]int8  // the same in units of coarseUnit for Eval: half as much for the caches
}

// coarseUnit is how many points a unit of the coarse values is. They reach 12.7 discs; of the trained
// values, one in 5,000 is larger.
const coarseUnit = 10

// round sets the coarse value of a pattern.
func (t *tables) round(pattern int) {
	const most = 127
	v := int(t.shapes[pattern]) + coarseUnit/2 + coarseUnit*most // not negative within reach, as division rounds towards 0
	t.coarse[pattern] = int8(min(max(v/coarseUnit-most, -most), most))
}

// Weights are the weights of patterns.
type Weights struct {
	stages [Stages]tables
	discs  [65]int16 // by number of discs, which determines the side that moves last
}

// Eval estimates the margin at the end of the game for the side to move, in
// points, by where the discs of the two sides are and how many moves they have.
func (w *Weights) Eval(own, other uint64, moves, replies int) int {
	discs := bits.OnesCount64(own | other)
	t := &w.stages[Stage(discs)]
	v := sum(own, other, t)
	v += int(t.own[min(moves, mobilities-1)]) + int(t.other[min(replies, mobilities-1)]) + int(w.discs[min(discs, 64)])
	return min(max(v, -64*Unit), 64*Unit)
}

// Untrained returns weights that value mobility alone, at 0.6 discs a move.
func Untrained() *Weights {
	const perMove = 60
	w := new(Weights)
	for s := range w.stages {
		for moves := range mobilities {
			w.stages[s].own[moves], w.stages[s].other[moves] = int16(perMove*moves), int16(-perMove*moves)
		}
	}
	return w
}
