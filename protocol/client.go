package protocol

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"quintet/engine"
	"quintet/game"
	"quintet/protocol/program"
)

// Client is a player backed by an external program. It restarts the program after a
// fault, but not after an illegal move.
type Client struct {
	*program.Supervisor
	dialect Dialect
	guided  bool
}

// NewClient starts a program, sends its options and waits until it is ready.
func NewClient(ctx context.Context, d Dialect, what program.Spec, start program.Starter) (*Client, error) {
	greet := func(p *program.Program) error { return d.greet(ctx, p, what.Options, program.StartTimeout) }
	k, err := program.NewSupervisor(what, start, greet)
	if err != nil {
		return nil, err
	}
	return &Client{k, d, what.Guided}, nil
}

// greet performs the handshake and sets options. It fails if the program lacks an
// option.
func (d Dialect) greet(ctx context.Context, p *program.Program, options []program.Option, patience time.Duration) error {
	if err := p.Send(d.Name); err != nil {
		return err
	}
	var has []string
	_, err := p.WaitFor(ctx, d.Name+"ok", patience, func(line string) bool {
		if name, ok := optionName(line); ok {
			has = append(has, name)
		}
		return line == d.Name+"ok"
	})
	if err != nil {
		return err
	}
	for _, o := range options {
		if !slices.ContainsFunc(has, func(name string) bool { return strings.EqualFold(name, o.Name) }) {
			return fmt.Errorf("option %q: the program has only %s", o.Name, strings.Join(has, ", "))
		}
		if err := p.Send("setoption name " + o.Name + " value " + o.Value); err != nil {
			return err
		}
	}
	_, err = p.Request(ctx, "isready", "readyok", patience)
	return err
}

// optionName parses the name in "option name Clear Hash type button".
func optionName(line string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(line, "option name ")
	if !ok {
		return "", false
	}
	name, _, _ = strings.Cut(rest, " type ")
	return strings.TrimSpace(name), true
}

// NewGame announces a new game to the program. An error surfaces at the next Choose.
func (c *Client) NewGame(uint64) {
	p, err := c.Get()
	if err != nil {
		return
	}
	err = p.Send(c.dialect.newGame)
	if err == nil {
		_, err = p.Request(context.Background(), "isready", "readyok", program.StartTimeout)
	}
	_ = c.HandleError(err)
}

// Choose requests a move from the program.
func (c *Client) Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	p, err := c.Get()
	if err != nil {
		return 0, err
	}
	mv, err := c.choose(ctx, p, m, l)
	return mv, c.HandleError(err)
}

func (c *Client) choose(ctx context.Context, p *program.Program, m *game.Match, l engine.Limit) (game.Move, error) {
	position, search := c.dialect.position(m), c.dialect.goLine(l)
	if c.guided {
		position, search = "position fen "+m.Position().String(), search+c.dialect.searchMoves(m)
	}
	if err := p.Send(position); err != nil {
		return 0, err
	}
	if err := p.Send(search); err != nil {
		return 0, err
	}
	var thinks program.Answer
	answer, err := p.WaitFor(ctx, "bestmove", program.MoveTimeout(l), func(line string) bool {
		if value, ok := valueOf(line); ok {
			thinks.Value, thinks.Known = value, true
		}
		if nodes, ok := nodesOf(line); ok {
			thinks.Nodes, thinks.Counted = nodes, true
		}
		return line == "bestmove" || strings.HasPrefix(line, "bestmove ")
	})
	thinks.Text = answer
	c.SetAnswer(thinks)
	if err != nil {
		return 0, err
	}
	words := strings.Fields(answer)
	if len(words) < 2 {
		return 0, program.IllegalAnswer(answer, "", errors.New("expected a move after bestmove"))
	}
	mv, err := c.dialect.parse(m.Position(), words[1])
	if err != nil {
		return 0, program.IllegalAnswer(answer, words[1], err)
	}
	return mv, nil
}

// position returns the position command of a match, with its moves.
func (d Dialect) position(m *game.Match) string {
	line := "position fen " + m.Start().String()
	if moves := m.Moves(); len(moves) > 0 {
		line += " moves " + d.line(m.Start(), moves)
	}
	return line
}

// searchMoves returns the words of the go command that list the legal moves.
func (d Dialect) searchMoves(m *game.Match) string {
	p, text := m.Position(), " searchmoves"
	for _, mv := range m.Legal() {
		text += " " + d.format(p, mv)
	}
	return text
}

// goLine returns the go command for the limits. It sends the clock of the side to
// move for both sides.
func (d Dialect) goLine(l engine.Limit) string {
	line := "go"
	if l.Depth > 0 {
		line += fmt.Sprintf(" depth %d", l.Depth)
	}
	if l.Nodes > 0 {
		line += fmt.Sprintf(" nodes %d", l.Nodes)
	}
	if l.Time > 0 {
		line += fmt.Sprintf(" movetime %d", l.Time.Milliseconds())
	}
	if l.Clock.Left > 0 {
		left, inc := l.Clock.Left.Milliseconds(), l.Clock.Increment.Milliseconds()
		line += fmt.Sprintf(" %s %d %s %d %s %d %s %d", d.times[0], left, d.times[1], left, d.incs[0], inc, d.incs[1], inc)
	}
	return line
}

// nodesOf parses the nodes of an info line.
func nodesOf(line string) (nodes uint64, ok bool) {
	words := strings.Fields(line)
	at := slices.Index(words, "nodes")
	if len(words) == 0 || words[0] != "info" || at < 0 || at+1 >= len(words) || slices.Contains(words[:at], "string") {
		return 0, false
	}
	nodes, err := strconv.ParseUint(words[at+1], 10, 64)
	return nodes, err == nil
}

// valueOf parses the score of an info line, "score cp 35" or "score mate -3". It
// ignores bounds.
func valueOf(line string) (value int, ok bool) {
	words := strings.Fields(line)
	at := slices.Index(words, "score")
	if len(words) == 0 || words[0] != "info" || at < 0 || at+2 >= len(words) || slices.Contains(words[:at], "string") {
		return 0, false
	}
	if at+3 < len(words) && strings.HasSuffix(words[at+3], "bound") {
		return 0, false
	}
	n, err := strconv.Atoi(words[at+2])
	switch {
	case err != nil:
		return 0, false
	case words[at+1] == "cp":
		return min(max(n, -engine.MaxEval), engine.MaxEval), true
	case words[at+1] != "mate":
		return 0, false
	case n > 0:
		return engine.Won - min(2*n, 1000), true
	}
	return -engine.Won + min(-2*n, 1000), true
}
