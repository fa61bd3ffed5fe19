package local

import (
	"context"
	"errors"
	"slices"

	"quintet/bots"
	"quintet/engine"
	"quintet/web/wire"
)

// megabytes is the size of the tables of a search: levels 1 to 8 visit at most some ten thousand
// positions, and a page has little memory.
const megabytes = 8

// moveQuestion asks for the move of a level, or of the strongest search as a hint.
type moveQuestion struct {
	Line
	Level string `json:"level"` // such as "level:3"; "" for a hint
	Seed  uint64 `json:"seed"`  // of the errors of a level: another one for each move
}

// hintNodes is how many positions a hint visits.
const hintNodes = 20_000

// nodesTime is how many positions count as a millisecond: so many that no level reaches its limit of time. A move
// depends on positions alone, however slow the device is.
const nodesTime = 1 << 30

// moveAnswer is the move of an engine.
type moveAnswer struct {
	Move  string `json:"move"`
	Nodes uint64 `json:"nodes"` // positions that were visited
}

func (s *Service) move(ctx context.Context, q *moveQuestion, send func(any) error) error {
	m, err := q.match()
	switch {
	case err != nil:
		return err
	case m.Over():
		return wrong("moves", errors.New("the game is over: expected one in progress"))
	}
	name, limit := q.Level, engine.Limit{Pacer: s.pacer(), NodesTime: nodesTime}
	if name == "" {
		name, limit.Nodes = "engine", hintNodes
	}
	p, err := bots.NewPlayer(name, m.Game(), bots.Options{Megabytes: megabytes, Cache: s.cache})
	if err != nil {
		return wrong("level", err)
	}
	defer func() { _ = p.Close() }() // it holds nothing but memory
	p.NewGame(q.Seed)
	mv, err := p.Choose(ctx, m, limit)
	if err != nil {
		return err
	}
	a := moveAnswer{Move: m.Position().Format(mv)}
	if c, ok := p.(interface{ Nodes() (uint64, bool) }); ok {
		a.Nodes, _ = c.Nodes()
	}
	return send(a)
}

// linesQuestion is a position to search.
type linesQuestion struct {
	Line
	Lines  int  `json:"lines"`
	Values bool `json:"values"` // of every legal move
}

// The limits of an analysis: those of the server in positions.
const (
	maxLines = 5
	maxNodes = 100_000_000
)

// The lines of the answer.
type (
	linesView struct {
		Depth int              `json:"depth"`
		Nodes uint64           `json:"nodes"`
		Time  int64            `json:"time"` // milliseconds
		Lines []wire.Variation `json:"lines"`
	}
	doneView struct {
		Done   bool   `json:"done"`
		Reason string `json:"reason"`
	}
)

// lines searches deeper and deeper, until the context ends or there is nothing more to find.
func (s *Service) lines(ctx context.Context, q *linesQuestion, send func(any) error) error {
	m, err := q.match()
	switch {
	case err != nil:
		return err
	case m.Over():
		return send(doneView{true, "over"})
	}
	search, err := bots.Searcher(m.Game(), bots.Options{Megabytes: megabytes, Cache: s.cache})
	if err != nil {
		return err
	}
	wanted := min(max(q.Lines, 1), maxLines)
	if q.Values {
		wanted = len(m.Legal())
	}
	g, began, at := m.Game(), s.now(), engine.At(m)
	var nodes uint64
	for depth := wire.NextDepth(g, at.Position, 0); ; {
		found, n := wire.BestLines(ctx, search, at, engine.Limit{Depth: depth, Nodes: maxNodes - nodes, Pacer: s.pacer()}, wanted)
		nodes += n
		var v linesView
		v.Lines, v.Depth = wire.VariationsOf(g, at.Position, found)
		v.Depth = max(v.Depth, 1) // a win that is seen without a search has no depth
		switch {
		case ctx.Err() != nil:
			return nil //nolint:nilerr // whoever asked has left
		case nodes >= maxNodes:
			return send(doneView{true, "limit"})
		}
		v.Nodes, v.Time = nodes, s.now().Sub(began).Milliseconds()
		if err := send(v); err != nil {
			return err
		}
		switch {
		case !slices.ContainsFunc(v.Lines, func(l wire.Variation) bool { return !l.Proved }):
			return send(doneView{true, "exact"})
		case v.Depth < depth:
			return send(doneView{true, "depth"})
		}
		depth = wire.NextDepth(g, at.Position, max(depth, v.Depth))
	}
}
