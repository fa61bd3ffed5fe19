package bots

import (
	"math/bits"

	"quintet/game"
	"quintet/game/board8"
)

// connectionPosition is a position of a connection game: a side wins by gathering its
// pieces in one group.
type connectionPosition interface {
	game.Position
	Pieces(s game.Side) uint64
	Sides() (own, other uint64)
}

// moving returns where a piece of a game may go from a cell.
type moving func(from int, own, other uint64) uint64

// Where the weights of each feature begin in a connectionTable. Most are what
// programs for Lines of Action count (Winands, van den Herik and Uiterwijk, "An
// evaluation function for Lines of Action", 2003): where pieces stand, how far
// from their centre of mass, mobility, quads, connections and the area that
// they cover. What hinders strays is ours. Those called a mean are divided
// by the number of the side's pieces, so that to capture does not pay by itself.
const (
	connectionCells    = 0                                     // mean, by cell, the board folded eightfold
	connectionMobility = connectionCells + 10                  // mean, by number of moves
	connectionCaptures = connectionMobility + 9                // mean: moves that capture
	connectionPieces   = connectionCaptures + 1                // by number of pieces
	connectionStrays   = connectionPieces + 13                 // by number of pieces outside the largest group
	connectionGroups   = connectionStrays + 12                 // by number of groups
	connectionSpread   = connectionGroups + 13                 // mean distance from the centre of mass
	connectionFarthest = connectionSpread + 1                  // the largest such distance
	connectionMiddle   = connectionFarthest + 1                // distance of the centre of mass from that of the board
	connectionArea     = connectionMiddle + 1                  // cells of the least rectangle around all pieces
	connectionQuads    = connectionArea + 1                    // mean: squares of 2 by 2 cells with 3 pieces, with 4
	connectionLinks    = connectionQuads + 2                   // mean: pairs of pieces next to each other
	connectionJoins    = connectionLinks + 1                   // by number of strays that can join the largest group by a move
	connectionStuck    = connectionJoins + 8                   // by number of strays that cannot move
	connectionFar      = connectionStuck + 8                   // strays by distance from the largest group, from 2 on
	connectionTempo    = connectionFar + 6                     // the move
	connectionWeights  = connectionTempo + 1                   // how many there are
	connectionMost     = connectionStuck - 1 - connectionJoins // the largest number of strays told apart there
)

// connectionTable holds the weights of an evaluation, in its units.
type connectionTable [connectionWeights]int32

// connectionEval is one evaluation: the sum of weights times counts.
type connectionEval struct {
	weights *connectionTable
	targets moving
	whole   int32                       // sum of what is counted once for a side
	mean    int32                       // of what is divided by its pieces
	trace   *[connectionWeights]float32 // what was counted, for training; else nil
	sign    int32                       // 1 for the side to move, -1 for its opponent
	pieces  int32                       // of the side that is looked at
}

// evalGather returns an evaluation by the weights.
func evalGather(weights *connectionTable, targets moving) func(game.Position) int {
	return func(p game.Position) int {
		own, other := p.(connectionPosition).Sides()
		e := connectionEval{weights: weights, targets: targets}
		return min(max(e.count(own, other), -15_000), 15_000)
	}
}

// count returns the score for the side of the first pieces.
func (e *connectionEval) count(own, other uint64) int {
	e.sign = 1
	score := e.side(own, other)
	e.add(connectionTempo, 1)
	score += e.whole
	e.sign, e.whole = -1, 0
	score -= e.side(other, own) + e.whole
	return int(score)
}

// add counts a feature so many times.
func (e *connectionEval) add(feature int, n int32) {
	e.whole += e.weights[feature] * n
	if e.trace != nil {
		e.trace[feature] += float32(n * e.sign)
	}
}

// addMean counts a feature so many times, divided by the number of pieces.
func (e *connectionEval) addMean(feature int, n int32) {
	e.mean += e.weights[feature] * n
	if e.trace != nil {
		e.trace[feature] += float32(n*e.sign) / float32(e.pieces)
	}
}

// side returns the part of a side's score that is a mean, and adds the rest.
func (e *connectionEval) side(own, other uint64) int32 {
	e.pieces, e.mean = int32(bits.OnesCount64(own)), 0
	e.add(connectionPieces+int(e.pieces), 1)
	e.spread(own)
	e.shapes(own)
	main := e.groups(own)
	e.moves(own, other, main)
	return e.mean / e.pieces
}

// spread counts how far from each other the pieces are. Distances are in n-ths of
// a cell, so that the centre of mass need not be one.
func (e *connectionEval) spread(own uint64) {
	n := e.pieces
	rows, cols := int32(0), int32(0)
	top, left, bottom, right := int32(7), int32(7), int32(0), int32(0)
	for m := own; m != 0; m &= m - 1 {
		c := int32(bits.TrailingZeros64(m))
		row, col := c>>3, c&7
		rows, cols = rows+row, cols+col
		top, left, bottom, right = min(top, row), min(left, col), max(bottom, row), max(right, col)
		e.addMean(connectionCells+int(foldedCell[c&63]), 1)
	}
	sum, farthest := int32(0), int32(0)
	for m := own; m != 0; m &= m - 1 {
		c := int32(bits.TrailingZeros64(m))
		d := max(distance(c>>3*n, rows), distance(c&7*n, cols))
		sum, farthest = sum+d, max(farthest, d)
	}
	e.addPart(connectionSpread, sum, n*n)
	e.addPart(connectionFarthest, farthest, n)
	e.addPart(connectionMiddle, max(distance(2*rows, 7*n), distance(2*cols, 7*n)), 2*n)
	e.add(connectionArea, (bottom-top+1)*(right-left+1))
}

// addPart counts a feature by a fraction.
func (e *connectionEval) addPart(feature int, n, of int32) {
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
func (e *connectionEval) shapes(own uint64) {
	right, down := own>>1&^columnH, own>>8
	diagonal := own >> 9 &^ columnH
	four := own & right & down & diagonal
	// Three: one is missing where exactly one of two pairs is full, and the
	// other has one.
	three := (own&right&(down^diagonal) | down&diagonal&(own^right)) &^ four
	e.addMean(connectionQuads, int32(bits.OnesCount64(three)))
	e.addMean(connectionQuads+1, int32(bits.OnesCount64(four)))
	e.addMean(connectionLinks, int32(bits.OnesCount64(own&right)+bits.OnesCount64(own&down)+
		bits.OnesCount64(own&diagonal)+bits.OnesCount64(own&^columnA&(own>>7))))
}

// groups counts the groups and how far the strays are from the largest, which
// it returns.
func (e *connectionEval) groups(own uint64) uint64 {
	groups, main, most := 0, uint64(0), 0
	for m := own; m != 0; groups++ {
		g := board8.Group(m&-m, own)
		m &^= g
		if n := bits.OnesCount64(g); n > most {
			main, most = g, n
		}
	}
	e.add(connectionGroups+groups, 1)
	strays := own &^ main
	e.add(connectionStrays+bits.OnesCount64(strays), 1)
	near := main | board8.Around(main)
	for d := 0; strays != 0 && d < 6; d++ {
		near |= board8.Around(near)
		e.add(connectionFar+d, int32(bits.OnesCount64(strays&near)))
		strays &^= near
	}
	return main
}

// moves counts what pieces and strays can do.
func (e *connectionEval) moves(own, other, main uint64) {
	beside := board8.Around(main)
	joins, stuck, captures := 0, 0, 0
	for m := own; m != 0; m &= m - 1 {
		to := e.targets(bits.TrailingZeros64(m), own, other)
		e.addMean(connectionMobility+bits.OnesCount64(to), 1)
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
	e.addMean(connectionCaptures, int32(captures))
	e.add(connectionJoins+min(joins, connectionMost), 1)
	e.add(connectionStuck+min(stuck, connectionMost), 1)
}

// takesPiece reports whether a piece is captured.
func takesPiece(p game.Position, m game.Move) bool {
	_, other := p.(connectionPosition).Sides()
	return m != game.Pass && other&board8.Bit(m.To()) != 0
}

// connectionOrder tries moves toward the middle of the side's pieces first.
func connectionOrder(_ game.Position, m game.Move) int {
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
