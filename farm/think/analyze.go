package think

import (
	"context"
	"errors"
	"fmt"

	"quintet/bots"
	"quintet/engine"
	"quintet/farm"
	"quintet/farm/jobtypes"
	"quintet/game"
	"quintet/serve/analysis"
)

// analyzer returns what makes analyses as a server does.
func analyzer(cache *bots.Cache) *analysis.Analyzer {
	return analysis.New(analysis.Config{Searcher: func(g game.Game) (engine.Searcher, error) {
		return bots.Searcher(g, bots.Options{Megabytes: analysis.TableMegabytes, Cache: cache})
	}})
}

// Analyze analyzes a position until the context ends or there is nothing more to find. It
// reports each deeper result, and returns why it has ended. A panic of the search is an error.
func (t *Thinker) Analyze(ctx context.Context, r farm.AnalysisRequest, report func(farm.AnalysisResult)) (reason string, err error) {
	defer func() {
		if p := recover(); p != nil {
			reason, err = "", fmt.Errorf("panic: %v", p)
		}
	}()
	if err := t.sameProgram(r.Version, r.Program); err != nil {
		return "", err
	}
	if r.Lines < 1 || r.Lines > analysis.MaxLines {
		return "", fmt.Errorf("%d lines: expected 1 to %d", r.Lines, analysis.MaxLines)
	}
	m, err := matchOf(jobtypes.ReviewGame{Game: r.Game, Start: r.Start, Moves: r.Moves})
	if err != nil {
		return "", err
	}
	task := t.analyzer.Task(m, analysis.Options{Lines: r.Lines, Values: r.Values})
	defer task.End(context.Canceled)
	for more, depth := true, 0; more; {
		more = task.Step(ctx)
		if found, _ := task.Found(); found.Depth > depth {
			depth = found.Depth
			report(encode(m.Position(), found))
		}
	}
	if err := context.Cause(ctx); err != nil {
		return "", err
	}
	_, why := task.Latest()
	if why == "" || why == analysis.Fault {
		return "", errors.New("the search has failed")
	}
	return string(why), nil
}

// encode returns the message of what an analysis has found.
func encode(p game.Position, f analysis.Found) farm.AnalysisResult {
	r := farm.AnalysisResult{Depth: f.Depth, Nodes: f.Nodes, Time: f.Time}
	for _, l := range f.Lines {
		r.Lines = append(r.Lines, farm.AnalyzedLine{Score: l.Score, Depth: l.Depth, Moves: jobtypes.FormatLine(p, l.Moves)})
	}
	return r
}
