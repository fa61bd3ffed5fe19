package offload

import (
	"fmt"

	"quintet/engine"
	"quintet/farm"
	"quintet/farm/jobtypes"
	"quintet/game"
	"quintet/serve/analysis"
)

// Bounds of a result, beside those of the rules.
const (
	maxDepth     = 10_000
	maxLineBytes = 1024
	maxNodes     = 2 * analysis.MaxNodes
)

// decodeFound checks and reads a result.
func decodeFound(p game.Position, o analysis.Options, r farm.AnalysisResult) (f analysis.Found, err error) {
	most := o.Lines
	if legal := len(p.Moves(nil)); o.Values || legal < most {
		most = legal
	}
	switch {
	case len(r.Lines) < 1 || len(r.Lines) > most:
		return f, fmt.Errorf("%d lines: expected 1 to %d", len(r.Lines), most)
	case r.Depth < 1 || r.Depth > maxDepth || r.Nodes > maxNodes || r.Time < 0 || r.Time > 2*farm.MaxAnalysisTime:
		return f, fmt.Errorf("depth %d, %d nodes, %s: expected 1 to %d plies, at most %d nodes and %s", r.Depth, r.Nodes, r.Time, maxDepth, maxNodes, 2*farm.MaxAnalysisTime)
	}
	f = analysis.Found{Depth: r.Depth, Nodes: r.Nodes, Time: r.Time}
	first := map[game.Move]bool{}
	for i, sent := range r.Lines {
		l, err := decodeLine(p, sent)
		switch {
		case err != nil:
			return f, fmt.Errorf("line %d: %w", i+1, err)
		case first[l.Moves[0]]:
			return f, fmt.Errorf("line %d: another begins with the same move", i+1)
		case l.Depth > r.Depth:
			return f, fmt.Errorf("line %d: depth %d: expected at most %d", i+1, l.Depth, r.Depth)
		case i > 0 && l.Score > f.Lines[i-1].Score:
			return f, fmt.Errorf("line %d: it is better than the one before", i+1)
		}
		first[l.Moves[0]] = true
		f.Lines = append(f.Lines, l)
	}
	return f, nil
}

// decodeLine checks and reads a line.
func decodeLine(p game.Position, sent farm.AnalyzedLine) (l engine.Line, err error) {
	l = engine.Line{Score: sent.Score, Depth: sent.Depth}
	switch {
	case sent.Score < -engine.Won || sent.Score > engine.Won || sent.Depth < 0:
		return l, fmt.Errorf("score %d at depth %d: expected -%d to %d", sent.Score, sent.Depth, engine.Won, engine.Won)
	case len(sent.Moves) > maxLineBytes:
		return l, fmt.Errorf("%d bytes of moves: expected at most %d", len(sent.Moves), maxLineBytes)
	}
	l.Moves, err = jobtypes.ReadLine(p, sent.Moves)
	if n := len(l.Moves); err == nil && (n < 1 || n > analysis.MaxPV) {
		err = fmt.Errorf("%d moves: expected 1 to %d", n, analysis.MaxPV)
	}
	return l, err
}
