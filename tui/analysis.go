package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"quintet/engine"
	"quintet/game"
	"quintet/record"
	"quintet/tui/table"
)

// analysis runs an engine on the current position and keeps its latest result.
type analysis struct {
	c        *shared
	t        *table.Table
	on       bool // show the best line
	all      bool // show the value of every move
	searcher engine.Searcher
	job      *job
	at       *record.Node // the node that the job analyses
	whole    bool         // whether the job analyses every move

	line   engine.Line // the latest line
	lineAt *record.Node
	turn   game.Side         // side of the line's score
	values map[game.Move]int // of legal moves, from the view of the side to move
	valued *record.Node
}

// maxAnalysisTime limits the analysis of one position, so that an idle terminal does
// not use the processor forever.
const maxAnalysisTime = 5 * time.Minute

// toggle changes what is shown.
func (a *analysis) toggle(what *bool) tea.Cmd {
	*what = !*what
	return a.restart()
}

// restart analyses the current position. Call it whenever the position may have
// changed.
func (a *analysis) restart() tea.Cmd {
	wanted := (a.on || a.all) && !a.t.Over()
	if wanted && a.at == a.t.At() && a.whole == a.all {
		return nil
	}
	a.job.stop()
	a.at = nil
	if !wanted {
		return nil
	}
	if a.searcher == nil {
		s, err := a.c.env.Searcher(a.t.Game())
		if err != nil {
			a.c.notifyError(err)
			a.on, a.all = false, false
			return nil
		}
		a.searcher = s
	}
	a.at, a.whole = a.t.At(), a.all
	search, pos, whole := a.searcher, engine.At(a.t.Match()), a.all
	a.job = a.c.start(a.job, func(ctx context.Context, send func(call)) {
		if whole {
			a.valueAll(ctx, search, pos, send)
			return
		}
		line := search.Search(ctx, pos, engine.Limit{Time: maxAnalysisTime}, func(l engine.Line) {
			l.Moves = slices.Clone(l.Moves)
			send(a.found(l, nil))
		})
		if ctx.Err() == nil {
			send(a.found(line, nil))
		}
	})
	return a.job.next
}

// valueAll searches every move repeatedly, each time with four times the nodes.
func (a *analysis) valueAll(ctx context.Context, s engine.Searcher, pos engine.Position, send func(call)) {
	const first, last = 64, 1 << 20
	moves := len(pos.Moves(nil))
	for nodes := uint64(first); nodes <= last; nodes *= 4 {
		lines := engine.Lines(ctx, s, pos, engine.Limit{Nodes: nodes}, moves)
		if ctx.Err() != nil || len(lines) == 0 {
			return
		}
		values := map[game.Move]int{}
		for _, l := range lines {
			values[l.Best()] = l.Score
		}
		send(a.found(lines[0], values))
	}
}

// found keeps the latest line, and the values of all moves if they are known.
func (a *analysis) found(line engine.Line, values map[game.Move]int) call {
	return func() tea.Cmd {
		a.line, a.lineAt, a.turn = line, a.at, a.t.Turn()
		if values != nil {
			a.values, a.valued = values, a.at
		}
		return nil
	}
}

// score returns the latest score from the view of the first side.
func (a *analysis) score() (score int, ok bool) {
	if len(a.line.Moves) == 0 {
		return 0, false
	}
	if a.turn == game.Second {
		return -a.line.Score, true
	}
	return a.line.Score, true
}

// lineText returns the best line in notation.
func (a *analysis) lineText() []string {
	if a.lineAt == nil {
		return nil
	}
	m, err := a.t.Record.Match(a.lineAt)
	if err != nil {
		return nil
	}
	return game.FormatMoves(m.Position(), a.line.Moves)
}
