package reversi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"quintet/engine"
	"quintet/game"
	"quintet/protocol/program"
	"quintet/record/ggf"
)

// ServeNBoard serves an NBoard client, version 1 or 2, until it quits or the input
// ends. It answers an invalid line with a status and otherwise ignores it. The error
// is that of reading, writing or of the context.
func ServeNBoard(ctx context.Context, c Config, in io.Reader, out io.Writer) error {
	start, err := standardStart(c.Game, ggf.Size(c.Start))
	if err != nil {
		return err
	}
	n := &nboardServer{Config: c, depth: defaultDepth}
	n.game.match = game.NewMatch(c.Game, start)
	err = n.Serve(ctx, in, out, func(line string) bool {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		n.handleLine(ctx, word, strings.TrimSpace(rest))
		return word != "quit"
	})
	if err != nil {
		return fmt.Errorf("serving nboard: %w", err)
	}
	return nil
}

// defaultDepth is the depth for clients that set none.
const defaultDepth = 12

// nboardServer is one session. Its goroutine reads commands; a search runs in a
// goroutine of its own, and Stop waits for it.
type nboardServer struct {
	Config
	program.Session
	game  ggfGame
	depth int
}

// handleLine executes a line.
func (n *nboardServer) handleLine(ctx context.Context, word, rest string) {
	var err error
	switch word {
	case "", "nboard", "quit":
	case "ping":
		n.Stop()
		n.Say("pong %s", rest)
	case "set":
		n.Stop()
		name, value, _ := strings.Cut(rest, " ")
		err = n.set(name, strings.TrimSpace(value))
	case "move":
		n.Stop()
		err = n.move(rest)
	case "go":
		n.start(ctx, n.runSearch)
	case "hint":
		err = n.hint(ctx, rest)
	case "analyze":
		n.start(ctx, n.analyze)
	case "learn":
		n.Say("learned") // the engine does not learn
	default:
		if len(word) != 2 {
			err = fmt.Errorf("unknown command %q", word)
			break
		}
		n.Stop()
		err = n.move(word) // version 1 sends a move without a command
	}
	if err != nil {
		n.Say("status %v", err)
	}
}

// start stops a running search and starts another task.
func (n *nboardServer) start(ctx context.Context, what func(context.Context)) {
	n.Go(ctx, func(ctx context.Context) {
		n.Say("status Quintet is thinking")
		what(ctx)
		n.Say("status")
	})
}

func (n *nboardServer) set(name, value string) error {
	switch name {
	case "depth":
		depth, err := strconv.Atoi(value)
		if err != nil || depth < 1 {
			return fmt.Errorf("set depth %q: expected 1 or more", value)
		}
		n.depth = depth
		n.Say("set myname Quintet%d", depth)
	case "game":
		g, err := readGGF(n.Game, value)
		if err != nil {
			return fmt.Errorf("set game: %w", err)
		}
		n.game = g
	case "contempt":
		if _, err := strconv.ParseFloat(value, 64); err != nil {
			return fmt.Errorf("set contempt %q: expected a number", value)
		}
		// Contempt concerns draws in an opening book; there is no book.
	default:
		return fmt.Errorf("set %q: expected depth, game or contempt", name)
	}
	return nil
}

// move plays a move of the side to move.
func (n *nboardServer) move(text string) error {
	if n.game.match.Over() {
		return errors.New("move: the game is over")
	}
	return n.game.play(text, n.game.match.Position().Turn() == game.Second)
}

// limit returns the limit of a move: the depth, and the clock if set.
func (n *nboardServer) limit() engine.Limit {
	return engine.Limit{Depth: n.depth, Clock: engine.Clock{Left: n.game.left[n.game.match.Position().Turn()]}}
}

// runSearch answers "go" with a move.
func (n *nboardServer) runSearch(ctx context.Context) {
	p := searchPosition(n.game.match)
	line := engine.Line{}
	if !n.game.match.Over() {
		line = n.Search.Search(ctx, p, n.limit(), func(l engine.Line) { n.reportLine(p, l) })
	}
	n.Say("nodestats %d %.2f", line.Nodes, line.Time.Seconds())
	n.Say("=== %s/%s/%.2f", upper(p.Position, line.Best(), "PA"), discs(line.Score), line.Time.Seconds())
}

// reportLine sends a line of the search.
func (n *nboardServer) reportLine(p engine.Position, l engine.Line) {
	at := p.Clone()
	var pv strings.Builder
	for _, m := range l.Moves {
		pv.WriteString(upper(at, m, "PA"))
		at.Play(m)
	}
	depth := strconv.Itoa(l.Depth)
	if l.Score > engine.MaxEval || l.Score < -engine.MaxEval {
		depth = "100%W" // NBoard's notation of a proved win or loss
	}
	n.Say("search %s %s 0 %s", pv.String(), discs(l.Score), depth)
}

// discs returns a score in discs. A proved win counts as two discs, the smallest win,
// because its margin is unknown.
func discs(score int) string {
	switch {
	case score > engine.MaxEval:
		return "+2.00"
	case score < -engine.MaxEval:
		return "-2.00"
	}
	return fmt.Sprintf("%+.2f", float64(score)/100)
}

// hint starts to send the values of the best moves. It ignores the clock.
func (n *nboardServer) hint(ctx context.Context, count string) error {
	lines, err := strconv.Atoi(count)
	if err != nil || lines < 1 {
		return fmt.Errorf("hint %q: expected the number of moves", count)
	}
	n.start(ctx, func(ctx context.Context) {
		p := searchPosition(n.game.match)
		for range min(lines, len(n.game.match.Legal())) {
			line := n.Search.Search(ctx, p, engine.Limit{Depth: n.depth}, func(l engine.Line) { n.reportLine(p, l) })
			if ctx.Err() != nil {
				return
			}
			p.Skip = append(p.Skip, line.Best())
		}
	})
	return nil
}

// analyze sends the value of every position of the game for its side to move, last
// position first.
func (n *nboardServer) analyze(ctx context.Context) {
	var positions []engine.Position
	for at := range n.game.match.Replay() {
		positions = append(positions, engine.Position{Position: at.Clone()})
	}
	positions = append(positions, searchPosition(n.game.match))
	for i := len(positions) - 1; i >= 0; i-- {
		score := 100 * ggf.Lead(positions[i].Position, positions[i].Turn())
		if !positions[i].Result().Over() {
			score = n.Search.Search(ctx, positions[i], engine.Limit{Depth: n.depth}, nil).Score
		}
		if ctx.Err() != nil {
			return
		}
		n.Say("analysis %d %s", i, discs(score))
	}
}
