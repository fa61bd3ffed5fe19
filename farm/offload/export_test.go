package offload

import (
	"context"

	"quintet/farm"
	"quintet/farm/scheduler"
	"quintet/game"
	"quintet/serve/analysis"
)

// The times that the tests look at.
const (
	AckTime   = ackTime
	BeatTime  = beatTime
	Overtime  = overtime
	FirstTime = firstTime
)

// ChooseOf is Choose without a connection.
var ChooseOf = choose

// Follow follows an analysis on a worker without a connection, and returns why it has ended.
func Follow(ctx context.Context, t Thinker, a *Analysis) (analysis.Reason, error) {
	return a.follow(ctx, t, farm.AnalysisRequest{})
}

// NewAnalysis returns an analysis that nothing follows.
func NewAnalysis(m *game.Match, o analysis.Options) *Analysis {
	return &Analysis{game: m.Game(), position: m.Position().Clone(), options: o, cancel: func() {}, changed: make(chan struct{}, 1)}
}

// Take is take.
func (a *Analysis) Take(answer farm.ThinkAnswer) (analysis.Reason, error) { return a.take(answer) }

// Found is found.
func (s *Searches) Found(workers []scheduler.WorkerView) { s.found(workers) }
