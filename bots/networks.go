package bots

import (
	"bytes"
	"fmt"

	"quintet/engine"
	"quintet/engine/nnue"
	"quintet/game"
	"quintet/games/chess"
)

// This file has the common code of evaluations by networks, and exports it for the trainers in
// lab/train.

// NetworkEvaluation is an evaluation by linear weights and a network, which can be trained.
type NetworkEvaluation struct {
	Inputs, Buckets int    // features and outputs of the network
	linear          int    // number of linear weights
	file            []byte // the weights that come with the program

	// Knowledge guides a search by weights, and by a network if it is not nil.
	Knowledge func(linear []int32, net *nnue.Network) engine.Knowledge

	// Judges reports whether a position, with the move and the score that a search chose in it,
	// is one that the evaluation must judge. It need not where captures, wins in one or proofs
	// decide.
	Judges func(p game.Position, m game.Move, score int) bool
}

// Read reads a network of these sizes, with the linear weights beside it.
func (e NetworkEvaluation) Read(file []byte) (*nnue.Network, error) {
	net, err := nnue.Read(bytes.NewReader(file))
	if err != nil {
		return nil, err //nolint:wrapcheck // it says what failed
	}
	if len(net.Rows) != e.Inputs || len(net.Linear) != e.linear || len(net.Output) != e.Buckets {
		return nil, fmt.Errorf("%d features, %d linear weights and %d outputs, expected %d, %d and %d",
			len(net.Rows), len(net.Linear), len(net.Output), e.Inputs, e.linear, e.Buckets)
	}
	return net, nil
}

// network returns the network that comes with the program.
func (e NetworkEvaluation) network() *nnue.Network {
	net, err := e.Read(e.file)
	if err != nil {
		panic("embedded weights: " + err.Error())
	}
	return net
}

// trained guides a search by the network that comes with the program.
func (e NetworkEvaluation) trained() engine.Knowledge {
	net := e.network()
	return e.Knowledge(net.Linear, net)
}

// ChessEvaluation returns the evaluation of chess. TraceChess reads positions for it.
func ChessEvaluation() NetworkEvaluation {
	return NetworkEvaluation{chessInputs, chessBuckets, chessLinear, chessNetwork, chessKnowledge, judgesChess}
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
	share := float64(sign(q.Turn()))
	if !e.winnable(q, ahead) {
		share /= 4
	}
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

func connectionEvaluation(file []byte, targets moving, margin int, tuning engine.Tuning) NetworkEvaluation {
	k := winInOne{targets: targets}
	return NetworkEvaluation{
		Inputs: connectionInputs, Buckets: 1, linear: connectionWeights, file: file,
		Knowledge: func(linear []int32, net *nnue.Network) engine.Knowledge {
			return connectionKnowledge(linear, net, targets, margin, tuning)
		},
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
