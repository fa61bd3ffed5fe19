package offload

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"quintet/farm"
	"quintet/game"
	"quintet/serve/analysis"
)

// Times of an analysis. A worker that dies costs at most beatTime, one that is alive and finds
// nothing firstTime.
const (
	firstTime    = 2 * time.Second // until the first result
	maxAnalyses  = 32              // at a time
	analysisRest = 5 * time.Second // without asking, after a worker was lost
)

// Analysis is an analysis on a worker. It implements analysis.RemoteTask.
type Analysis struct {
	game     game.Game
	position game.Position
	options  analysis.Options
	cancel   context.CancelFunc
	changed  chan struct{} // takes one

	// These belong to the goroutine that follows the worker.
	worker string // that has accepted it, "" before
	found  analysis.Found

	mu     sync.Mutex // guards the rest
	latest analysis.Result
	reason analysis.Reason
}

// Analyze implements analysis.Remote: it lets a worker analyze the position that a match has
// reached. The reason is analysis.Lost at once if no worker is free, beatTime after the last
// heartbeat of a worker that dies, and if a worker finds nothing for firstTime or answers what
// cannot be right.
func (s *Searches) Analyze(m *game.Match, o analysis.Options) (t analysis.RemoteTask, ok bool) {
	position, ok := describe(m)
	if !ok {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.analyzers || s.analyses >= maxAnalyses || time.Now().Before(s.analysisRest) {
		return nil, false
	}
	r := farm.AnalysisRequest{
		Version: farm.Version, Program: s.build.Program, Game: position.Game, Start: position.Start, Moves: position.Moves,
		Lines: o.Lines, Values: o.Values,
	}
	ctx, cancel := context.WithCancel(s.ctx)
	a := &Analysis{game: m.Game(), position: m.Position().Clone(), options: o, cancel: cancel, changed: make(chan struct{}, 1)}
	s.analyses++
	s.all.Go(func() {
		defer cancel()
		reason, err := a.follow(ctx, s.thinker, r)
		s.endAnalysis(err)
		a.update(func() { a.reason = reason })
	})
	return a, true
}

// endAnalysis notes the end of an analysis. After an error no worker is asked for a while,
// unless it only says that all are busy.
func (s *Searches) endAnalysis(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.analyses--
	if err == nil || errors.Is(err, errBusy) {
		return
	}
	s.analysisRest = time.Now().Add(analysisRest)
	s.config.Log.Warn("a worker does not analyze a position: this server does", "reason", err)
}

// Changed implements analysis.Source.
func (a *Analysis) Changed() <-chan struct{} { return a.changed }

// Latest implements analysis.Source.
func (a *Analysis) Latest() (analysis.Result, analysis.Reason) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.latest, a.reason
}

// Close ends the analysis: the worker stops.
func (a *Analysis) Close() { a.cancel() }

// update changes what Latest returns.
func (a *Analysis) update(change func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change()
	select {
	case a.changed <- struct{}{}:
	default: // the reader has not taken the change before, and will see both
	}
}

// follow asks a worker and takes its results as long as heartbeats come. It returns why the
// analysis has ended; after an error that is analysis.Lost.
func (a *Analysis) follow(ctx context.Context, t Thinker, r farm.AnalysisRequest) (analysis.Reason, error) {
	q := request{send: func() (<-chan farm.ThinkAnswer, string, func(), error) { return t.Analyze(r) }}
	defer q.end()
	if err := q.sendNext(); err != nil {
		return analysis.Lost, err
	}
	defer func() { a.lease(t, farm.AnalysisLease{ID: q.id, Release: true}) }()
	renew, late, slow := time.NewTicker(farm.AnalysisRenewal), time.NewTimer(beatTime), time.NewTimer(firstTime)
	defer renew.Stop()
	defer late.Stop()
	defer slow.Stop()
	for {
		select {
		case <-ctx.Done():
			return analysis.Lost, nil
		case <-renew.C:
			a.lease(t, farm.AnalysisLease{ID: q.id})
		case <-late.C:
			if len(q.answers) == 0 { // otherwise this server was late
				return analysis.Lost, a.silence()
			}
		case <-slow.C:
			return analysis.Lost, errNoResult
		case answer := <-q.answers:
			if a.worker == "" && q.declined(answer) {
				if err := q.sendNext(); err != nil {
					return analysis.Lost, err
				}
				continue
			}
			late.Reset(beatTime)
			first := a.found.Depth == 0
			if reason, err := a.take(answer); reason != "" {
				return reason, err
			}
			if first && a.found.Depth > 0 {
				slow.Reset(farm.MaxAnalysisTime + overtime)
			}
		}
	}
}

// lease renews or releases the lease at the worker.
func (a *Analysis) lease(t Thinker, l farm.AnalysisLease) {
	if a.worker != "" {
		_ = t.Lease(a.worker, l) // without it the lease expires
	}
}

// silence returns the error of a worker that does not answer.
func (a *Analysis) silence() error {
	if a.worker == "" {
		return errMute
	}
	return errLost
}

// take takes an answer of the worker. It returns a reason if the analysis ends.
func (a *Analysis) take(answer farm.ThinkAnswer) (analysis.Reason, error) {
	switch {
	case answer.State == farm.ThinkBusy || answer.State == farm.ThinkNobody:
		return analysis.Lost, errBusy
	case answer.State == farm.ThinkAccepted && a.worker == "":
		a.worker = answer.Text
	case answer.State == farm.ThinkAlive && a.worker != "":
	case answer.State == farm.ThinkResult && a.worker != "" && answer.Result != nil:
		found, err := decodeFound(a.position, a.options, *answer.Result)
		if err == nil && (found.Depth <= a.found.Depth || found.Nodes < a.found.Nodes || found.Time < a.found.Time) {
			err = errors.New("it is not deeper than the last")
		}
		if err != nil {
			return analysis.Lost, fmt.Errorf("a worker's result cannot be right: %w", err)
		}
		a.found = found
		described := analysis.Describe(a.game, a.position, found)
		a.update(func() { a.latest = described })
	case answer.State == farm.ThinkDone && a.found.Depth > 0:
		return a.ended(analysis.Reason(answer.Text))
	case answer.State == farm.ThinkFailed:
		return analysis.Lost, fmt.Errorf("%w: %.200q", errNoAnalysis, answer.Text)
	default:
		return analysis.Lost, fmt.Errorf("a worker's answer %.20q cannot be right", answer.State)
	}
	return "", nil
}

// Errors of analyses, beside those of moves.
var (
	errNoResult   = errors.New("the worker finds nothing")
	errNoAnalysis = errors.New("the worker could not analyze the position")
)

// ended checks why a worker has ended the analysis.
func (a *Analysis) ended(reason analysis.Reason) (analysis.Reason, error) {
	switch reason {
	case analysis.Depth, analysis.Limit:
		return reason, nil
	case analysis.Exact:
		result, _ := a.Latest()
		for _, l := range result.Lines {
			if !l.Proved {
				return analysis.Lost, errors.New("a worker says that every line is proved: one is not")
			}
		}
		return reason, nil
	}
	return analysis.Lost, fmt.Errorf("a worker ends an analysis for %.20q: expected %s, %s or %s", reason, analysis.Exact, analysis.Depth, analysis.Limit)
}
