package tui

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
)

// thought is what is known so far of a position.
type thought struct {
	turn   int // a number of the position
	side   game.Side
	line   engine.Line
	values map[game.Move]int // of the moves, from the view of the side to move
	round  int               // of values
}

// thinker analyses the position on the board while people look at it. What it
// finds is read when the screen is drawn next, so that nothing flickers.
type thinker struct {
	common *Common
	game   game.Game
	stop   context.CancelFunc // of the present search; nil if none

	busy   sync.Mutex // guards search: one at a time
	search engine.Searcher

	mu   sync.Mutex // guards what follows
	last thought
	err  error
}

// firstRound is how many positions the first value of a move takes; each round
// takes four times as many, up to lastRound.
const (
	firstRound = 200
	lastRound  = 200 << 16
)

// start begins to think about a position, and stops what was thought before.
func (t *thinker) start(p engine.Position, turn int, values bool) tea.Cmd {
	t.halt()
	cmd, stop := t.common.Background(func(ctx context.Context) tea.Msg {
		t.busy.Lock()
		defer t.busy.Unlock()
		if err := t.ready(); err != nil {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.err = err
			return nil
		}
		if values {
			t.valueMoves(ctx, p, turn)
		} else {
			t.search.Search(ctx, p, engine.Limit{}, func(l engine.Line) { t.note(ctx, turn, p.Turn(), l) })
		}
		return nil
	})
	t.stop = stop
	return cmd
}

// ready makes the search when it is needed first.
func (t *thinker) ready() (err error) {
	if t.search == nil {
		t.search, err = bots.Searcher(t.game, bots.Options{Megabytes: 32})
	}
	return err
}

func (t *thinker) note(ctx context.Context, turn int, side game.Side, l engine.Line) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if ctx.Err() == nil {
		t.last = thought{turn: turn, side: side, line: l}
	}
}

// valueMoves gives every move a value, again and again, each time a better one.
func (t *thinker) valueMoves(ctx context.Context, p engine.Position, turn int) {
	n := len(p.Moves(nil))
	for round, nodes := 1, uint64(firstRound); ctx.Err() == nil && nodes <= lastRound; round, nodes = round+1, 4*nodes {
		lines := engine.Lines(ctx, t.search, p, engine.Limit{Nodes: nodes}, n)
		if ctx.Err() != nil || len(lines) == 0 {
			return
		}
		found := thought{turn: turn, side: p.Turn(), line: lines[0], values: map[game.Move]int{}, round: round}
		for _, l := range lines {
			found.values[l.Best()] = l.Score
		}
		t.mu.Lock()
		t.last = found
		t.mu.Unlock()
	}
}

// halt stops to think.
func (t *thinker) halt() {
	if t.stop != nil {
		t.stop()
		t.stop = nil
	}
}

// read returns what is known of a position.
func (t *thinker) read(turn int) (found thought, ok bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last, t.last.turn == turn && len(t.last.line.Moves) > 0, t.err
}

// scoreText is a score for people, from the view of First.
func scoreText(score int, side game.Side) string {
	if side == game.Second {
		score = -score
	}
	switch {
	case score > engine.MaxEval:
		return fmt.Sprintf("#%d", engine.Won-score)
	case score < -engine.MaxEval:
		return fmt.Sprintf("-#%d", engine.Won+score)
	}
	return fmt.Sprintf("%+.2f", float64(score)/100)
}

// valueText is a value in up to four characters, with its sign.
func valueText(score int) string {
	switch v := (math.Round(float64(score) / 10)) / 10; {
	case score > engine.MaxEval:
		return " # "
	case score < -engine.MaxEval:
		return "-# "
	case v <= -9.95, v >= 9.95:
		return fmt.Sprintf("%+3.0f", v)
	default:
		return strings.Replace(fmt.Sprintf("%+.1f", v), "0.", ".", 1)
	}
}

// expected is the result that First can expect of a score, from 0 to 1.
func expected(score int, side game.Side) float64 {
	if side == game.Second {
		score = -score
	}
	return 1 / (1 + math.Exp(-float64(score)/250))
}
