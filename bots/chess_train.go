package bots

import (
	"quintet/engine"
	"quintet/game"
	"quintet/games/chess"
	"quintet/lab/train/logistic"
	"quintet/lab/train/network"
	"quintet/lab/train/selfplay"
)

// newChessTrainer returns the trainer of chess. Its games begin with six to nine random
// plies and end once their result is clear. A halt counts as a draw: more men do not
// prove a better position.
func newChessTrainer() *networkTrainer {
	return &networkTrainer{
		plan: selfplay.Plan{
			Game: chess.Game, Games: 20_000, Nodes: 400, Opening: 6, Spread: 3, Plies: 240, HaltsDraw: true,
			Adjudication: selfplay.Adjudication{Win: 1000, Draw: 20, Plies: 6, From: 60},
		},
		settings: network.Settings{
			Inputs: chessInputs, Buckets: chessBuckets, Shared: 2 * 64, Variants: 1, Epochs: 5, Rate: 0.001, Linear: 0.3,
		},
		linear: linearChess(chessStart()), read: readChessNetwork, know: chessKnowledge,
		data: func(trust float64) networkData { return &chessData{trust: trust} },
	}
}

// chessData is positions of chess to learn from.
type chessData struct {
	trust   float64
	samples []chessSample
}

// chessSample is a position with the result expected for the side to move.
type chessSample struct {
	position chess.Position
	target   float32
}

// Len implements network.Data.
func (d *chessData) Len() int { return len(d.samples) }

// Load implements network.Data.
func (d *chessData) Load(i, _ int, x *network.Example) {
	s := &d.samples[i]
	q := &s.position
	ahead := q.Turn()
	if s.target < 0.5 {
		ahead = ahead.Other()
	}
	x.Terms = chessTerms(q, ahead, x.Terms[:0])
	var f chessFeatures
	f.read(q)
	x.Features = append(x.Features[:0], f.list[:f.n]...)
	x.Mask, x.Bucket, x.Target = f.mask, f.bucket(), s.target
}

// chessTerms appends the terms of the linear evaluation, from the view of the side to
// move, if one side is ahead.
func chessTerms(q *chess.Position, ahead game.Side, terms []logistic.Term) []logistic.Term {
	var counts [chessWeightCount]int16
	e := chessEval{weights: &chessTable{}, trace: &counts}
	e.count(q)
	share := float64(e.winnable(q, ahead)) / 8 * float64(sign(q.Turn()))
	phase := float64(phaseOf(q)) / chessPhase
	for f, n := range counts {
		if n == 0 {
			continue
		}
		terms = append(terms,
			logistic.Term{Feature: uint16(2 * f), Count: float32(float64(n) * phase * share)},
			logistic.Term{Feature: uint16(2*f + 1), Count: float32(float64(n) * (1 - phase) * share)})
	}
	return terms
}

// addGame implements networkData. It adds the quiet positions that an evaluation must
// judge: no king is attacked, and the search chose neither a capture, a proved line nor
// a halt.
func (d *chessData) addGame(start game.Position, g *selfplay.Game) error {
	return g.Replay(start, func(p game.Position, ply selfplay.Ply) { //nolint:wrapcheck // it says which move
		q := p.(*chess.Position)
		size := max(ply.Score, -ply.Score)
		if size > engine.MaxEval || size == chessHalt || q.Threatened() || takesMan(p, ply.Move) {
			return
		}
		d.samples = append(d.samples, chessSample{*q, trainTarget(d.trust, g.Result, q.Turn(), ply.Score)})
	})
}
