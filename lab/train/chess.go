package train

import (
	"quintet/bots"
	"quintet/game"
	"quintet/games/chess"
	"quintet/lab/train/network"
	"quintet/lab/train/selfplay"
)

// newChessTrainer returns the trainer of chess. Its games begin with six to nine random
// plies and end once their result is clear. A halt counts as a draw: more men do not
// prove a better position.
func newChessTrainer() *networkTrainer {
	e := bots.ChessEvaluation()
	return &networkTrainer{
		NetworkEvaluation: e,
		plan: selfplay.Plan{
			Game: chess.Game, Games: 20_000, Nodes: 400, Opening: 6, Spread: 3, Plies: 240, HaltsDraw: true,
			Adjudication: selfplay.Adjudication{Win: 1000, Draw: 20, Plies: 6, From: 60},
		},
		settings: network.Settings{
			Inputs: e.Inputs, Buckets: e.Buckets, Shared: 2 * 64, Variants: 1, Epochs: 5, Rate: 0.001, Linear: 0.3,
		},
		linear: chessStart(),
		data:   func() networkData { return &chessData{} },
	}
}

// chessData is positions of chess to learn from.
type chessData struct{ samples []chessSample }

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
	ahead := s.position.Turn()
	if s.target < 0.5 {
		ahead = ahead.Other()
	}
	bots.TraceChess(&s.position, ahead, &x.Input)
	x.Target = s.target
}

// add implements networkData.
func (d *chessData) add(p game.Position, target float32) {
	d.samples = append(d.samples, chessSample{*p.(*chess.Position), target})
}
