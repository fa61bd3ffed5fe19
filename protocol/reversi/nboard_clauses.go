package reversi

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"quintet/game"
	"quintet/protocol/check"
	"quintet/protocol/program"
	"quintet/record/ggf"
)

// NBoardClauses returns the clauses of NBoard version 2, on boards of the size of
// start. The seed determines the random games.
func NBoardClauses(g game.Game, start game.Position, l check.Limits, seed uint64) ([]check.Clause, error) {
	common, err := newChecker(g, start, l, seed)
	if err != nil {
		return nil, err
	}
	c := &nboardChecker{checker: common}
	return []check.Clause{
		{Name: "ping", Text: "ping n is answered by pong n", Try: c.withHandshake(c.ping)},
		{Name: "unknown", Text: "unknown commands are ignored", Try: c.withHandshake(c.unknown)},
		{Name: "go", Text: "go is answered by === and a legal move, with its value and time", Try: c.withHandshake(c.goes)},
		{Name: "board", Text: "go does not play the move", Try: c.withHandshake(c.board)},
		{Name: "game", Text: "set game tells a board and the moves from it", Try: c.withHandshake(c.moves)},
		{Name: "move", Text: "move plays a move", Try: c.withHandshake(c.move)},
		{Name: "pass", Text: "the move of a side that must pass is PA", Try: c.withHandshake(c.pass)},
		{Name: "hint", Text: "hint tells lines of moves that can be played, with their value and depth", Try: c.withHandshake(c.hint)},
		{Name: "stop", Text: "ping stops a search, and nothing is said of it after pong", Try: c.withHandshake(c.stop)},
		{Name: "learn", Text: "learn is answered by learned", Try: c.withHandshake(c.learn)},
		{Name: "quit", Text: "quit ends the program", Try: c.withHandshake(c.quit)},
	}, nil
}

// nboardChecker implements the clauses and numbers its pings.
type nboardChecker struct {
	*checker
	pings int
}

type try = func(context.Context, *program.Program) error

// withHandshake wraps a test with the handshake before it.
func (c *nboardChecker) withHandshake(t try) try {
	return func(ctx context.Context, p *program.Program) error {
		if err := errors.Join(p.Send("nboard 2"), p.Send("set depth 3")); err != nil {
			return err
		}
		if err := c.sync(ctx, p, c.Timeout); err != nil {
			return err
		}
		return t(ctx, p)
	}
}

func (c *nboardChecker) sync(ctx context.Context, p *program.Program, within time.Duration) error {
	c.pings++
	want := "pong " + strconv.Itoa(c.pings)
	if err := p.Send("ping " + strconv.Itoa(c.pings)); err != nil {
		return err
	}
	_, err := p.WaitFor(ctx, want, within, func(line string) bool { return line == want })
	return err
}

// set sends a position.
func (c *nboardChecker) set(ctx context.Context, p *program.Program, pos game.Position) error {
	if err := p.Send("set game " + writeGGF(ggf.Cells(pos), ggf.Size(pos), pos.Turn(), 0)); err != nil {
		return err
	}
	return c.sync(ctx, p, c.Timeout)
}

// best requests a move.
func (c *nboardChecker) best(ctx context.Context, p *program.Program) (move, answer string, err error) {
	answer, err = p.Request(ctx, "go", "===", c.Timeout)
	if err != nil {
		return "", "", err
	}
	if move, err = moveOf(answer); err != nil {
		return "", "", fmt.Errorf("%q: %w", answer, err)
	}
	return move, answer, nil
}

// legalAt fails unless the answer to go is a legal move.
func (c *nboardChecker) legalAt(ctx context.Context, p *program.Program, pos game.Position) error {
	move, _, err := c.best(ctx, p)
	if err != nil {
		return err
	}
	return legal(pos, move)
}

func (c *nboardChecker) ping(ctx context.Context, p *program.Program) error {
	for range 3 {
		if err := c.sync(ctx, p, c.Timeout); err != nil {
			return err
		}
	}
	return nil
}

func (c *nboardChecker) unknown(ctx context.Context, p *program.Program) error {
	for _, line := range []string{"no_such_command", "set no_such_thing 3", ""} {
		if err := p.Send(line); err != nil {
			return err
		}
		if err := c.sync(ctx, p, c.Timeout); err != nil {
			return fmt.Errorf("after %q: %w", line, err)
		}
	}
	return nil
}

func (c *nboardChecker) goes(ctx context.Context, p *program.Program) error {
	return c.walk(func(m *game.Match, _ game.Move) error {
		pos := m.Position()
		if len(m.Moves())%5 != 0 || game.Legal(pos, game.Pass) {
			return nil
		}
		if err := c.set(ctx, p, pos); err != nil {
			return err
		}
		move, answer, err := c.best(ctx, p)
		if err != nil {
			return err
		}
		for _, number := range moveParts(answer)[1:] {
			if _, err := strconv.ParseFloat(strings.TrimSpace(number), 64); err != nil && number != "" {
				return fmt.Errorf("%q: want === MOVE/VALUE/SECONDS", answer)
			}
		}
		return legal(pos, move)
	})
}

func (c *nboardChecker) board(ctx context.Context, p *program.Program) error {
	if err := c.set(ctx, p, c.start); err != nil {
		return err
	}
	for range 2 {
		if err := c.legalAt(ctx, p, c.start); err != nil {
			return err
		}
	}
	return nil
}

func (c *nboardChecker) moves(ctx context.Context, p *program.Program) error {
	text := strings.TrimSuffix(writeGGF(ggf.Cells(c.start), ggf.Size(c.start), c.start.Turn(), 0), ";)")
	err := c.walk(func(m *game.Match, next game.Move) error {
		pos := m.Position()
		if len(m.Moves()) == 9 {
			if err := errors.Join(p.Send("set game "+text+";)"), c.sync(ctx, p, c.Timeout)); err != nil {
				return err
			}
			if err := c.legalAt(ctx, p, pos); err != nil {
				return err
			}
			return errStopWalk
		}
		text += [2]string{"B", "W"}[pos.Turn()] + "[" + upper(pos, next, "PA") + "/0.50/1.2]"
		return nil
	})
	if errors.Is(err, errStopWalk) {
		return nil
	}
	return err
}

func (c *nboardChecker) move(ctx context.Context, p *program.Program) error {
	if err := c.set(ctx, p, c.start); err != nil {
		return err
	}
	return c.walk(func(m *game.Match, next game.Move) error {
		pos := m.Position()
		if len(m.Moves())%7 == 1 && !game.Legal(pos, game.Pass) {
			if err := c.legalAt(ctx, p, pos); err != nil {
				return fmt.Errorf("after %d moves: %w", len(m.Moves()), err)
			}
		}
		return p.Send("move " + upper(pos, next, "PA"))
	})
}

func (c *nboardChecker) pass(ctx context.Context, p *program.Program) error {
	m, err := c.passing()
	if err != nil {
		return err
	}
	if err := c.set(ctx, p, m.Position()); err != nil {
		return err
	}
	move, answer, err := c.best(ctx, p)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(strings.ToUpper(move), "PA") {
		return fmt.Errorf("%q at %q, want === PA", answer, m.Position())
	}
	return nil
}

func (c *nboardChecker) hint(ctx context.Context, p *program.Program) error {
	if err := errors.Join(c.set(ctx, p, c.start), p.Send("hint 2")); err != nil {
		return err
	}
	// A search of a few plies ends at once, but the protocol does not signal it.
	line, err := p.WaitFor(ctx, "search or book", c.Timeout, func(line string) bool {
		return strings.HasPrefix(line, "search ") || strings.HasPrefix(line, "book ")
	})
	if err != nil {
		return err
	}
	words := strings.Fields(line)
	if len(words) < 5 {
		return fmt.Errorf("%q: want search MOVES VALUE 0 DEPTH", line)
	}
	for _, value := range strings.Split(words[2], ",") {
		if _, err := strconv.ParseFloat(value, 64); err != nil {
			return fmt.Errorf("%q: want a number as value, not %q", line, value)
		}
	}
	if depth := words[4]; depth[0] < '0' || depth[0] > '9' {
		return fmt.Errorf("%q: want a depth that begins with a number, not %q", line, depth)
	}
	if err := playable(c.start.Clone(), line, words[1]); err != nil {
		return err
	}
	return c.sync(ctx, p, c.Timeout)
}

// playable fails unless the concatenated moves are legal in sequence.
func playable(at game.Position, line, moves string) error {
	moves = strings.ReplaceAll(moves, "-", "")
	for ; len(moves) >= 2; moves = moves[2:] {
		mv, err := ggf.Parse(at, moves[:2])
		if err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
		at.Play(mv)
	}
	return nil
}

func (c *nboardChecker) stop(ctx context.Context, p *program.Program) error {
	if err := errors.Join(p.Send("set depth 26"), c.set(ctx, p, c.start), p.Send("hint 1")); err != nil {
		return err
	}
	_, _ = p.WaitFor(ctx, "nothing", c.Pause, func(string) bool { return false }) // the search goes on
	if err := c.sync(ctx, p, c.Tolerance); err != nil {
		return err
	}
	line, err := p.WaitFor(ctx, "nothing", c.Pause, func(line string) bool {
		return strings.HasPrefix(line, "search ") || strings.HasPrefix(line, "===")
	})
	switch {
	case err == nil:
		return fmt.Errorf("%q after pong", line)
	case errors.Is(err, program.ErrTimeout):
		return nil
	}
	return err
}

func (c *nboardChecker) learn(ctx context.Context, p *program.Program) error {
	if err := c.set(ctx, p, c.start); err != nil {
		return err
	}
	_, err := p.Request(ctx, "learn", "learned", c.Timeout)
	return err
}

func (c *nboardChecker) quit(ctx context.Context, p *program.Program) error {
	return check.ExpectExit(ctx, p, "quit", time.Second+c.Tolerance)
}
