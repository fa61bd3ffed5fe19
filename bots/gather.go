package bots

import (
	"math/bits"

	"quintet/game"
	"quintet/game/board8"
)

// gathering is a position of a game in which pieces are gathered in a group.
type gathering interface {
	game.Position
	Pieces(s game.Side) uint64
	Sides() (own, other uint64)
}

// moving returns where a piece of a game may go from a cell.
type moving func(from int, own, other uint64) uint64

// Where the weights of each feature begin in a gatherTable. Most are what
// programs for Lines of Action count (Winands, van den Herik and Uiterwijk, "An
// evaluation function for Lines of Action", 2003): where pieces stand, how far
// from their centre of mass, mobility, quads, connections and the area that
// they cover. What hinders strays is ours. Those called a mean are divided
// by the number of the side's men, so that to capture does not pay by itself.
const (
	gatherCells    = 0                             // mean, by cell, the board folded eightfold
	gatherMobility = gatherCells + 10              // mean, by number of moves
	gatherCaptures = gatherMobility + 9            // mean: moves that capture
	gatherMen      = gatherCaptures + 1            // by number of men
	gatherStrays   = gatherMen + 13                // by number of men outside the largest group
	gatherGroups   = gatherStrays + 12             // by number of groups
	gatherSpread   = gatherGroups + 13             // mean distance from the centre of mass
	gatherFarthest = gatherSpread + 1              // the largest such distance
	gatherMiddle   = gatherFarthest + 1            // distance of the centre of mass from that of the board
	gatherArea     = gatherMiddle + 1              // cells of the least rectangle around all men
	gatherQuads    = gatherArea + 1                // mean: squares of 2 by 2 cells with 3 men, with 4
	gatherLinks    = gatherQuads + 2               // mean: pairs of men next to each other
	gatherJoins    = gatherLinks + 1               // by number of strays that can join the largest group by a move
	gatherStuck    = gatherJoins + 8               // by number of strays that cannot move
	gatherFar      = gatherStuck + 8               // strays by distance from the largest group, from 2 on
	gatherTempo    = gatherFar + 6                 // the move
	gatherWeights  = gatherTempo + 1               // how many there are
	gatherMost     = gatherStuck - 1 - gatherJoins // the largest number of strays told apart there
)

// gatherTable holds the weights of an evaluation, in its units.
type gatherTable [gatherWeights]int32

// gatherEval is one evaluation: the sum of weights times counts.
type gatherEval struct {
	weights *gatherTable
	targets moving
	whole   int32                   // sum of what is counted once for a side
	mean    int32                   // of what is divided by its men
	trace   *[gatherWeights]float32 // what was counted, for training; else nil
	sign    int32                   // 1 for the side to move, -1 for its opponent
	men     int32                   // of the side that is looked at
}

// evalGather returns an evaluation by the weights.
func evalGather(weights *gatherTable, targets moving) func(game.Position) int {
	return func(p game.Position) int {
		own, other := p.(gathering).Sides()
		e := gatherEval{weights: weights, targets: targets}
		return min(max(e.count(own, other), -15_000), 15_000)
	}
}

// count returns the score for the side of the first men.
func (e *gatherEval) count(own, other uint64) int {
	e.sign = 1
	score := e.side(own, other)
	e.add(gatherTempo, 1)
	score += e.whole
	e.sign, e.whole = -1, 0
	score -= e.side(other, own) + e.whole
	return int(score)
}

// add counts a feature so many times.
func (e *gatherEval) add(feature int, n int32) {
	e.whole += e.weights[feature] * n
	if e.trace != nil {
		e.trace[feature] += float32(n * e.sign)
	}
}

// addMean counts a feature so many times, divided by the number of men.
func (e *gatherEval) addMean(feature int, n int32) {
	e.mean += e.weights[feature] * n
	if e.trace != nil {
		e.trace[feature] += float32(n*e.sign) / float32(e.men)
	}
}

// side returns the part of a side's score that is a mean, and adds the rest.
func (e *gatherEval) side(own, other uint64) int32 {
	e.men, e.mean = int32(bits.OnesCount64(own)), 0
	e.add(gatherMen+int(e.men), 1)
	e.spread(own)
	e.shapes(own)
	main := e.groups(own)
	e.moves(own, other, main)
	return e.mean / e.men
}

// spread counts how far from each other the men are. Distances are in n-ths of
// a cell, so that the centre of mass need not be one.
func (e *gatherEval) spread(own uint64) {
	n := e.men
	rows, cols := int32(0), int32(0)
	top, left, bottom, right := int32(7), int32(7), int32(0), int32(0)
	for m := own; m != 0; m &= m - 1 {
		c := int32(bits.TrailingZeros64(m))
		row, col := c>>3, c&7
		rows, cols = rows+row, cols+col
		top, left, bottom, right = min(top, row), min(left, col), max(bottom, row), max(right, col)
		e.addMean(gatherCells+int(foldedCell[c&63]), 1)
	}
	sum, farthest := int32(0), int32(0)
	for m := own; m != 0; m &= m - 1 {
		c := int32(bits.TrailingZeros64(m))
		d := max(distance(c>>3*n, rows), distance(c&7*n, cols))
		sum, farthest = sum+d, max(farthest, d)
	}
	e.addPart(gatherSpread, sum, n*n)
	e.addPart(gatherFarthest, farthest, n)
	e.addPart(gatherMiddle, max(distance(2*rows, 7*n), distance(2*cols, 7*n)), 2*n)
	e.add(gatherArea, (bottom-top+1)*(right-left+1))
}

// addPart counts a feature by a fraction.
func (e *gatherEval) addPart(feature int, n, of int32) {
	e.whole += e.weights[feature] * n / of
	if e.trace != nil {
		e.trace[feature] += float32(n*e.sign) / float32(of)
	}
}

func distance(a, b int32) int32 { return max(a-b, b-a) }

// foldedCell numbers the cells, those alike by the symmetry of the board
// together.
var foldedCell = makeFoldedCell()

func makeFoldedCell() (folded [64]uint8) {
	for c := range folded {
		row, col := min(c/8, 7-c/8), min(c%8, 7-c%8)
		row, col = min(row, col), max(row, col)
		folded[c] = uint8(col*(col+1)/2 + row)
	}
	return folded
}

const (
	columnA uint64 = 0x0101010101010101
	columnH        = columnA << 7
)

// shapes counts quads, by the corner at their top left, and connections.
func (e *gatherEval) shapes(own uint64) {
	right, down := own>>1&^columnH, own>>8
	diagonal := own >> 9 &^ columnH
	four := own & right & down & diagonal
	// Three: one is missing where exactly one of two pairs is full, and the
	// other has one.
	three := (own&right&(down^diagonal) | down&diagonal&(own^right)) &^ four
	e.addMean(gatherQuads, int32(bits.OnesCount64(three)))
	e.addMean(gatherQuads+1, int32(bits.OnesCount64(four)))
	e.addMean(gatherLinks, int32(bits.OnesCount64(own&right)+bits.OnesCount64(own&down)+
		bits.OnesCount64(own&diagonal)+bits.OnesCount64(own&^columnA&(own>>7))))
}

// groups counts the groups and how far the strays are from the largest, which
// it returns.
func (e *gatherEval) groups(own uint64) uint64 {
	groups, main, most := 0, uint64(0), 0
	for m := own; m != 0; groups++ {
		g := board8.Group(m&-m, own)
		m &^= g
		if n := bits.OnesCount64(g); n > most {
			main, most = g, n
		}
	}
	e.add(gatherGroups+groups, 1)
	strays := own &^ main
	e.add(gatherStrays+bits.OnesCount64(strays), 1)
	near := main | board8.Around(main)
	for d := 0; strays != 0 && d < 6; d++ {
		near |= board8.Around(near)
		e.add(gatherFar+d, int32(bits.OnesCount64(strays&near)))
		strays &^= near
	}
	return main
}

// moves counts what men and strays can do.
func (e *gatherEval) moves(own, other, main uint64) {
	beside := board8.Around(main)
	joins, stuck, captures := 0, 0, 0
	for m := own; m != 0; m &= m - 1 {
		to := e.targets(bits.TrailingZeros64(m), own, other)
		e.addMean(gatherMobility+bits.OnesCount64(to), 1)
		captures += bits.OnesCount64(to & other)
		if m&-m&main == 0 {
			if to&beside != 0 {
				joins++
			}
			if to == 0 {
				stuck++
			}
		}
	}
	e.addMean(gatherCaptures, int32(captures))
	e.add(gatherJoins+min(joins, gatherMost), 1)
	e.add(gatherStuck+min(stuck, gatherMost), 1)
}

// takesPiece reports whether a piece is captured.
func takesPiece(p game.Position, m game.Move) bool {
	_, other := p.(gathering).Sides()
	return m != game.Pass && other&board8.Bit(m.To()) != 0
}

// gatherOrder tries moves toward the middle of the side's pieces first.
func gatherOrder(_ game.Position, m game.Move) int {
	from, ok := m.From()
	if !ok {
		return 0
	}
	return 10 * (fromCentre(from) - fromCentre(m.To()))
}

func abs(n int) int { return max(n, -n) }

// fromCentre is how far a cell lies from the middle of the board, in half
// steps.
func fromCentre(c game.Cell) int {
	return max(abs(2*int(c/8)-7), abs(2*int(c%8)-7))
}
