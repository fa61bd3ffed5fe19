package bots

import (
	"quintet/engine"
	"quintet/engine/nnue"
	"quintet/game"
	"quintet/games/chess"
	"quintet/games/loa"
	"quintet/games/neighbors"
)

// This file shows the evaluations by networks to the trainers in lab/train.

// NetworkEvaluation is an evaluation by linear weights and a network, which can be trained.
type NetworkEvaluation struct {
	Inputs, Buckets int // features and outputs of the network

	// Read reads a network of these sizes, with the linear weights beside it.
	Read func(file []byte) (*nnue.Network, error)

	// Knowledge guides a search by weights, and by a network if it is not nil.
	Knowledge func(linear []int32, net *nnue.Network) engine.Knowledge

	// Judges reports whether a position, with the move and the score that a search chose in it,
	// is one that the evaluation must judge. It need not where captures, wins in one or proofs
	// decide.
	Judges func(p game.Position, m game.Move, score int) bool
}

// ChessEvaluation returns the evaluation of chess. TraceChess reads positions for it.
func ChessEvaluation() NetworkEvaluation {
	return NetworkEvaluation{chessInputs, chessBuckets, readChessNetwork, chessKnowledge, judgesChess}
}

// judgesChess reports whether a position is quiet: no king is attacked, and the search chose neither
// a capture, a proved line nor a halt.
func judgesChess(p game.Position, m game.Move, score int) bool {
	size := max(score, -score)
	return size <= engine.MaxEval && size != chessHalt && !threatened(p) && !takesMan(p, m)
}

// TraceChess sets in to what the evaluation of chess reads. The terms are those of the linear
// evaluation if one side is ahead, from the view of the side to move.
func TraceChess(q *chess.Position, ahead game.Side, in *nnue.Input) {
	var counts [chessWeightCount]int16
	e := chessEval{weights: &chessTable{}, trace: &counts}
	e.count(q)
	share := float64(e.winnable(q, ahead)) / 8 * float64(sign(q.Turn()))
	phase := float64(phaseOf(q)) / chessPhase
	in.Terms = in.Terms[:0]
	for f, n := range counts {
		if n != 0 {
			in.Terms = append(in.Terms,
				nnue.Term{Feature: uint16(2 * f), Count: float32(float64(n) * phase * share)},
				nnue.Term{Feature: uint16(2*f + 1), Count: float32(float64(n) * (1 - phase) * share)})
		}
	}
	in.Features = append(in.Features[:0], e.input.list[:e.input.n]...)
	in.Mask, in.Bucket = e.input.mask, e.input.bucket()
}

// ConnectionShared is the number of features of a connection game's network that stand only for
// the side and cell of a piece: feature f has the side and cell of f % ConnectionShared.
const ConnectionShared = connectionBoard

// LOAEvaluation returns the evaluation of Lines of Action. TraceConnection reads positions for it.
func LOAEvaluation() NetworkEvaluation { return connectionEvaluation(loa.Targets, loaKnowledge) }

// NeighborsEvaluation returns the evaluation of Neighbors. TraceConnection reads positions for it.
func NeighborsEvaluation() NetworkEvaluation {
	return connectionEvaluation(neighbors.Targets, neighborsKnowledge)
}

func connectionEvaluation(targets moving, know func([]int32, *nnue.Network) engine.Knowledge) NetworkEvaluation {
	k := winInOne{targets: targets}
	return NetworkEvaluation{
		Inputs: connectionInputs, Buckets: 1, Read: readNetwork, Knowledge: know,
		Judges: func(p game.Position, _ game.Move, score int) bool { return !k.proved(p, score) },
	}
}

// TraceConnection sets in to what the evaluation of a connection game reads. own are the pieces
// of the side to move, and targets are the cells that a piece can move to.
func TraceConnection(targets func(from int, own, other uint64) uint64, own, other uint64, in *nnue.Input) {
	var trace [connectionWeights]float32
	var weights connectionTable
	e := connectionEval{weights: &weights, targets: targets, trace: &trace}
	e.count(own, other)
	in.Features, in.Mask, in.Terms = append(in.Features[:0], e.features[:e.n]...), 1, in.Terms[:0]
	for f, n := range trace {
		if n != 0 {
			in.Terms = append(in.Terms, nnue.Term{Feature: uint16(f), Count: n})
		}
	}
}
