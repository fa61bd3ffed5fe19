package protocol

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"quintet/engine"
	"quintet/game"
	"quintet/protocol/check"
	"quintet/protocol/program"
)

// Clauses returns the clauses of the dialect for a game from a start position, with
// the given engine options. The seed determines the random positions.
func Clauses(d Dialect, g game.Game, start game.Position, options []program.Option, l check.Limits, seed uint64) []check.Clause {
	c := &checker{Dialect: d, Limits: l, game: g, start: start, settings: options, random: rand.NewPCG(seed, 0)}
	clauses := []check.Clause{
		{Name: "silent", Text: "says nothing before " + d.Name, Try: c.silent},
		{Name: "handshake", Text: d.Name + " is answered by id name, well-formed options and " + d.Name + "ok", Try: c.handshake},
		{Name: "ready", Text: "isready is answered by readyok, also during a search", Try: c.withHandshake(c.ready)},
		{Name: "options", Text: "options can be set to their defaults", Try: c.options},
		{Name: "newgame", Text: d.newGame + " leaves it ready", Try: c.withHandshake(c.secondGame)},
		{Name: "startpos", Text: "position startpos is the start of the game", Try: c.withHandshake(c.checkStartPos)},
		{Name: "position", Text: "position fen TEXT moves ... is followed, and bestmove is legal", Try: c.withHandshake(c.position)},
		{Name: "pass", Text: "the only move of a side that must pass is " + d.pass, Try: c.withHandshake(c.mustPass)},
		{Name: "info", Text: "info has well-formed fields, and its line of moves can be played", Try: c.withHandshake(c.info)},
		{Name: "depth", Text: "go depth N ends, and looks no deeper", Try: c.withHandshake(c.depth)},
		{Name: "nodes", Text: "go nodes N ends after about as many", Try: c.withHandshake(c.nodes)},
		{Name: "movetime", Text: "go movetime T ends when that is over", Try: c.withHandshake(c.moveTime)},
		{Name: "clock", Text: "go with clocks ends before the clock does", Try: c.withHandshake(c.clock)},
		{Name: "infinite", Text: "go infinite goes on until stop", Try: c.withHandshake(c.infinite)},
		{Name: "stop", Text: "stop is answered at once by bestmove", Try: c.withHandshake(c.stop)},
		{Name: "once", Text: "there is one bestmove for each go, and none for a stop without it", Try: c.withHandshake(c.once)},
		{Name: "unknown", Text: "unknown commands are ignored", Try: c.withHandshake(c.unknown)},
		{Name: "quit", Text: "quit ends the program, also during a search", Try: c.withHandshake(c.quit)},
	}
	if d.Name == UGI.Name {
		clauses = append(clauses, check.Clause{Name: "query", Text: "query is answered by what is true of the position", Try: c.withHandshake(c.query)})
	}
	return clauses
}

// checker implements the clauses of a dialect.
type checker struct {
	Dialect
	check.Limits
	game     game.Game
	start    game.Position
	settings []program.Option
	random   *rand.PCG
}

// try is the test function of a clause.
type try = func(context.Context, *program.Program) error

// withHandshake wraps a test with the handshake before it.
func (c *checker) withHandshake(t try) try {
	return func(ctx context.Context, p *program.Program) error {
		if err := c.greet(ctx, p, c.settings, c.Timeout); err != nil {
			return err
		}
		return t(ctx, p)
	}
}

func (c *checker) silent(ctx context.Context, p *program.Program) error {
	return check.ExpectSilence(ctx, p, c.Pause)
}

func (c *checker) handshake(ctx context.Context, p *program.Program) error {
	if err := p.Send(c.Name); err != nil {
		return err
	}
	named := false
	var wrong error
	_, err := p.WaitFor(ctx, c.Name+"ok", c.Timeout, func(line string) bool {
		_, isOption := strings.CutPrefix(line, "option ")
		name, ok := optionName(line)
		switch {
		case strings.HasPrefix(line, "id name "):
			named = true
		case isOption && (!ok || name == "" || !strings.Contains(line, " type ")):
			wrong = fmt.Errorf("%q: want option name NAME type TYPE", line)
		}
		return line == c.Name+"ok"
	})
	switch {
	case err != nil:
		return err
	case !named:
		return fmt.Errorf("no id name before %sok", c.Name)
	}
	return wrong
}

// isReady fails unless the program answers isready in time.
func (c *checker) isReady(ctx context.Context, p *program.Program, within time.Duration) error {
	_, err := p.Request(ctx, "isready", "readyok", within)
	return err
}

func (c *checker) ready(ctx context.Context, p *program.Program) error {
	if err := c.isReady(ctx, p, c.Timeout); err != nil {
		return err
	}
	if err := c.set(p, game.NewMatch(c.game, c.start), "go infinite"); err != nil {
		return err
	}
	if err := c.isReady(ctx, p, c.Timeout); err != nil {
		return fmt.Errorf("during a search: %w", err)
	}
	_, err := p.Request(ctx, "stop", "bestmove", c.Timeout)
	return err
}

func (c *checker) options(ctx context.Context, p *program.Program) error {
	var lines []string
	if err := p.Send(c.Name); err != nil {
		return err
	}
	_, err := p.WaitFor(ctx, c.Name+"ok", c.Timeout, func(line string) bool {
		name, ok := optionName(line)
		_, value, given := strings.Cut(line, " default ")
		value, _, _ = strings.Cut(value, " min ")
		value, _, _ = strings.Cut(value, " max ")
		value, _, _ = strings.Cut(value, " var ")
		if ok && given && value != "" {
			lines = append(lines, "setoption name "+name+" value "+value)
		}
		return line == c.Name+"ok"
	})
	if err != nil {
		return err
	}
	if len(lines) == 0 {
		return fmt.Errorf("%w: it has no options with defaults", check.ErrSkip)
	}
	for _, line := range lines {
		if err := p.Send(line); err != nil {
			return err
		}
		if err := c.isReady(ctx, p, c.Timeout); err != nil {
			return fmt.Errorf("after %q: %w", line, err)
		}
	}
	return nil
}

func (c *checker) secondGame(ctx context.Context, p *program.Program) error {
	if err := p.Send(c.newGame); err != nil {
		return err
	}
	return c.isReady(ctx, p, c.Timeout)
}

func (c *checker) unknown(ctx context.Context, p *program.Program) error {
	for _, line := range []string{"xyzzy", "go-away now", "", "   ", "position", "setoption"} {
		if err := p.Send(line); err != nil {
			return err
		}
		if err := c.isReady(ctx, p, c.Timeout); err != nil {
			return fmt.Errorf("after %q: %w", line, err)
		}
	}
	return nil
}

func (c *checker) quit(ctx context.Context, p *program.Program) error {
	if err := c.set(p, game.NewMatch(c.game, c.start), "go infinite"); err != nil {
		return err
	}
	return check.ExpectExit(ctx, p, "quit", time.Second+c.Tolerance)
}

// query sends queries at the start, in the middle and at the end of a random game.
func (c *checker) query(ctx context.Context, p *program.Program) error {
	m := game.NewMatch(c.game, c.start)
	for {
		over := m.Outcome().Result.Over()
		if n := len(m.Moves()); over || n == 0 || n == 5 {
			if err := c.queryAt(ctx, p, m); err != nil {
				return err
			}
		}
		if over || len(m.Moves()) >= 1000 {
			return nil
		}
		if err := m.Play(game.Sample(m.Position(), c.random, nil)); err != nil {
			return fmt.Errorf("playing at random: %w", err)
		}
	}
}

func (c *checker) queryAt(ctx context.Context, p *program.Program, m *game.Match) error {
	position := c.Dialect.position(m)
	if err := p.Send(position); err != nil {
		return err
	}
	r := m.Outcome().Result
	want := map[string]string{"p1turn": fmt.Sprint(m.Position().Turn() == game.First), "gameover": fmt.Sprint(r.Over()), "result": results()[r]}
	for _, what := range []string{"p1turn", "gameover", "result"} {
		if r.Over() && what == "p1turn" {
			continue // nobody's turn
		}
		answer, err := p.Request(ctx, "query "+what, "response", c.Timeout)
		if err != nil {
			return err
		}
		if answer != "response "+want[what] {
			return fmt.Errorf("query %s is answered by %q at %q, want response %s", what, answer, position, want[what])
		}
	}
	return nil
}

// set sends a position and then another line.
func (c *checker) set(p *program.Program, m *game.Match, then string) error {
	return errors.Join(p.Send(c.Dialect.position(m)), p.Send(then))
}

// search sends a position and limits, and returns all lines up to bestmove.
func (c *checker) search(ctx context.Context, p *program.Program, m *game.Match, l engine.Limit, within time.Duration) ([]string, error) {
	if err := c.set(p, m, c.goLine(l)); err != nil {
		return nil, err
	}
	var lines []string
	_, err := p.WaitFor(ctx, "bestmove after "+c.goLine(l), within, func(line string) bool {
		lines = append(lines, line)
		return strings.HasPrefix(line, "bestmove")
	})
	return lines, err
}
