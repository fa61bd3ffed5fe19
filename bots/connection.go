package bots

import (
	"math/bits"

	"quintet/engine"
	"quintet/engine/nnue"
	"quintet/game"
	"quintet/game/board8"
	"quintet/games/loa"
	"quintet/games/neighbors"
)

// sidesOf returns the pieces of the side to move and of its opponent in a connection game, in which a
// side wins by connecting its pieces. Searches ask for them at every move, and an assertion to an interface
// takes many times as long as one to a type, in a page.
func sidesOf(p game.Position) (own, other uint64) {
	if q, ok := p.(*loa.Position); ok {
		return q.Sides()
	}
	return p.(*neighbors.Position).Sides()
}

// moving returns the targets of a piece on a cell.
type moving func(from int, own, other uint64) uint64

// connectionKnowledge returns the Knowledge of a connection game, with an evaluation by the
// weights and, if not nil, the network. Null moves are permitted everywhere: passing is always
// worse than moving.
func connectionKnowledge(weights []int32, net *nnue.Network, targets moving, margin int, tuning engine.Tuning) engine.Knowledge {
	k := winInOne{targets: targets}
	return engine.Knowledge{
		Eval: newConnectionScorer((*connectionTable)(weights), net, targets).eval, Candidates: k.candidates, Noisy: takesPiece, Tactics: k.tactics,
		Order: connectionOrder, Danger: k.danger, Threat: k.threat, Null: func(game.Position) bool { return true },
		Margin: margin, Tuning: tuning,
	}
}

// connectionPuzzles says where the puzzles of connection games come from.
func connectionPuzzles() PuzzleSource {
	return PuzzleSource{Weak: 3, Strong: 6, Last: 16, Fewest: 2, Turns: 3, Horizon: 3}
}

// The offsets of the features in a connectionTable. Most are common in programs for Lines
// of Action (Winands, van den Herik and Uiterwijk, "An evaluation function for Lines of
// Action", 2003): placement, distance from the centre of mass, mobility, quads, connections
// and covered area. Those about strays, the pieces outside the largest group, are ours.
// Means are divided by the number of the side's pieces, so that captures have no value of
// their own.
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
	connectionArea     = connectionMiddle + 1                  // cells of the bounding rectangle of all pieces
	connectionQuads    = connectionArea + 1                    // mean: squares of 2 by 2 cells with 3 pieces, with 4
	connectionLinks    = connectionQuads + 2                   // mean: pairs of pieces next to each other
	connectionJoins    = connectionLinks + 1                   // by number of strays that can join the largest group in one move
	connectionStuck    = connectionJoins + 8                   // by number of strays that cannot move
	connectionFar      = connectionStuck + 8                   // strays by distance from the largest group, from 2 on
	connectionTempo    = connectionFar + 6                     // the right to move
	connectionWeights  = connectionTempo + 1                   // number of weights
	connectionMost     = connectionStuck - 1 - connectionJoins // the largest number of strays with its own weight
)

// connectionTable holds the weights of an evaluation, in its units.
type connectionTable [connectionWeights]int32

// connectionEval is one evaluation: the sum of weights times feature counts. It is for training, which needs the
// counts, and tests compare searches with it: those have a connectionScorer, which is faster.
type connectionEval struct {
	weights *connectionTable
	targets moving
	whole   int32                       // sum of features that are not means
	mean    int32                       // sum of features to divide by the number of pieces
	trace   *[connectionWeights]float32 // feature counts for training, or nil
	sign    int32                       // 1 for the side to move, -1 for its opponent
	pieces  int32                       // number of the current side's pieces

	features [64]uint16 // network features, one for each piece
	n        int        // number of features
}

// count returns the score for the side of own.
func (e *connectionEval) count(own, other uint64) int {
	e.sign = 1
	score := e.side(own, other)
	e.add(connectionTempo, 1)
	score += e.whole
	e.sign, e.whole = -1, 0
	score -= e.side(other, own) + e.whole
	return int(score)
}

// add counts a feature n times.
func (e *connectionEval) add(feature int, n int32) {
	e.whole += e.weights[feature] * n
	if e.trace != nil {
		e.trace[feature] += float32(n * e.sign)
	}
}

// addMean counts a feature n times, divided by the number of pieces.
func (e *connectionEval) addMean(feature int, n int32) {
	e.mean += e.weights[feature] * n
	if e.trace != nil {
		e.trace[feature] += float32(n*e.sign) / float32(e.pieces)
	}
}

// side adds the features of a side and returns the sum of its means.
func (e *connectionEval) side(own, other uint64) int32 {
	e.pieces, e.mean = int32(bits.OnesCount64(own)), 0
	e.add(connectionPieces+int(e.pieces), 1)
	e.spread(own)
	e.shapes(own)
	main := e.groups(own)
	e.moves(own, other, main)
	return e.mean / e.pieces
}

// spread counts distances from the centre of mass, in fractions 1/n of a cell, because the
// centre need not be a cell.
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

// addPart counts a fraction n/of of a feature.
func (e *connectionEval) addPart(feature int, n, of int32) {
	e.whole += e.weights[feature] * n / of
	if e.trace != nil {
		e.trace[feature] += float32(n*e.sign) / float32(of)
	}
}

func distance(a, b int32) int32 { return max(a-b, b-a) }

// foldedCell numbers the cells up to the symmetry of the board.
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

// shapes counts quads and connections.
func (e *connectionEval) shapes(own uint64) {
	three, four, links := shapesOf(own)
	e.addMean(connectionQuads, three)
	e.addMean(connectionQuads+1, four)
	e.addMean(connectionLinks, links)
}

// shapesOf returns the numbers of quads of three and four pieces, by their top left corner, and that of connections.
func shapesOf(own uint64) (threes, fours, links int32) {
	right, down := own>>1&^columnH, own>>8
	diagonal := own >> 9 &^ columnH
	four := own & right & down & diagonal
	// Three: one of the two pairs is full and the other has one piece.
	three := (own&right&(down^diagonal) | down&diagonal&(own^right)) &^ four
	return int32(bits.OnesCount64(three)), int32(bits.OnesCount64(four)), int32(bits.OnesCount64(own&right) + bits.OnesCount64(own&down) +
		bits.OnesCount64(own&diagonal) + bits.OnesCount64(own&^columnA&(own>>7)))
}

// groups counts groups and the distances of strays from the largest group, which it
// returns.
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

// moves counts mobility, captures and the moves of strays.
func (e *connectionEval) moves(own, other, main uint64) {
	beside := board8.Around(main)
	joins, stuck, captures := 0, 0, 0
	for m := own; m != 0; m &= m - 1 {
		cell := bits.TrailingZeros64(m)
		to := e.targets(cell, own, other)
		mobility, role := bits.OnesCount64(to), rolePart
		e.addMean(connectionMobility+mobility, 1)
		captures += bits.OnesCount64(to & other)
		if m&-m&main == 0 {
			role = roleStray
			if to&beside != 0 {
				joins++
				role = roleJoins
			}
			if to == 0 {
				stuck++
			}
		}
		e.feature(role, mobility, cell)
	}
	e.addMean(connectionCaptures, int32(captures))
	e.add(connectionJoins+min(joins, connectionMost), 1)
	e.add(connectionStuck+min(stuck, connectionMost), 1)
}

// takesPiece reports whether a piece is captured.
func takesPiece(p game.Position, m game.Move) bool {
	_, other := sidesOf(p)
	return m != game.Pass && other&board8.Bit(m.To()) != 0
}

// connectionOrder tries moves toward the middle of the side's pieces first.
func connectionOrder(_ game.Position, m game.Move) int {
	from, ok := m.From()
	if !ok {
		return 0
	}
	return 10 * int(fromCentre[from&63]-fromCentre[m.To()&63])
}

func abs(n int) int { return max(n, -n) }

// fromCentre has the distance of each cell from the middle of the board, in half steps.
var fromCentre = makeFromCentre()

func makeFromCentre() (distance [64]int8) {
	for c := range distance {
		distance[c] = int8(max(abs(2*(c/8)-7), abs(2*(c%8)-7)))
	}
	return distance
}
