package protocol

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"quintet/engine"
	"quintet/game"
	"quintet/protocol/check"
	"quintet/protocol/program"
)

// legal fails unless the answer contains a legal best move.
func (c *checker) legal(m *game.Match, lines []string) error {
	best := strings.Fields(lines[len(lines)-1])
	if len(best) < 2 {
		return errors.New("bestmove without a move")
	}
	if _, err := c.parse(m.Position(), best[1]); err != nil {
		return fmt.Errorf("bestmove %s at %q: %w", best[1], c.Dialect.position(m), err)
	}
	return nil
}

func (c *checker) checkStartPos(ctx context.Context, p *program.Program) error {
	usual, err := c.game.Start(nil)
	if err != nil {
		return fmt.Errorf("starting: %w", err)
	}
	if usual.String() != c.start.String() {
		return fmt.Errorf("%w: another board than the usual one is set up", check.ErrSkip)
	}
	m := game.NewMatch(c.game, usual)
	for range 2 {
		line := "position startpos"
		if moves := m.Moves(); len(moves) > 0 {
			line += " moves " + c.line(m.Start(), moves)
		}
		if err := p.Send(line); err != nil {
			return err
		}
		answer, err := p.Request(ctx, "go depth 1", "bestmove", c.Timeout)
		if err != nil {
			return fmt.Errorf("after %q: %w", line, err)
		}
		if err := c.legal(m, []string{answer}); err != nil {
			return fmt.Errorf("after %q: %w", line, err)
		}
		if err := m.Play(m.Legal()[0]); err != nil {
			return fmt.Errorf("playing: %w", err)
		}
	}
	return nil
}

// position follows a random game and occasionally requests a move.
func (c *checker) position(ctx context.Context, p *program.Program) error {
	m := game.NewMatch(c.game, c.start)
	for n := 0; !m.Outcome().Result.Over() && n < 60; n++ {
		if n%4 == 0 {
			lines, err := c.search(ctx, p, m, engine.Limit{Depth: 1}, c.Timeout)
			if err == nil {
				err = c.legal(m, lines)
			}
			if err != nil {
				return err
			}
		}
		if n == 30 { // from here on, send the position instead of the moves
			m = game.NewMatch(c.game, m.Position())
		}
		if err := m.Play(game.Sample(m.Position(), c.random, nil)); err != nil {
			return fmt.Errorf("playing at random: %w", err)
		}
	}
	return nil
}

// mustPass requests a move where a pass is the only one.
func (c *checker) mustPass(ctx context.Context, p *program.Program) error {
	for range 200 {
		if moves := c.untilPass(); moves != nil {
			m := game.NewMatch(c.game, c.start)
			for _, mv := range moves {
				if m.Play(mv) != nil {
					break // a repetition has ended the game before
				}
			}
			if len(m.Moves()) == len(moves) && !m.Outcome().Result.Over() {
				return c.passes(ctx, p, m)
			}
		}
	}
	return fmt.Errorf("%w: no random game has a pass", check.ErrSkip)
}

// untilPass returns random moves that lead to a forced pass, or nil if the random
// game has none.
func (c *checker) untilPass() (moves []game.Move) {
	at := c.start.Clone()
	for range 500 {
		mv := game.Sample(at, c.random, nil)
		switch mv {
		case 0:
			return nil
		case game.Pass:
			return moves
		}
		moves = append(moves, mv)
		at.Play(mv)
	}
	return nil
}

func (c *checker) passes(ctx context.Context, p *program.Program, m *game.Match) error {
	lines, err := c.search(ctx, p, m, engine.Limit{Depth: 1}, c.Timeout)
	if err != nil {
		return err
	}
	if best := lines[len(lines)-1]; strings.TrimSpace(strings.TrimPrefix(best, "bestmove")) != c.pass {
		return fmt.Errorf("%q, want %s", best, c.pass)
	}
	if err := m.Play(game.Pass); err != nil || m.Outcome().Result.Over() {
		return err //nolint:wrapcheck // a pass is legal here
	}
	lines, err = c.search(ctx, p, m, engine.Limit{Depth: 1}, c.Timeout)
	if err != nil {
		return fmt.Errorf("after a pass: %w", err)
	}
	return c.legal(m, lines)
}

// middle returns a match after some random moves.
func (c *checker) middle() *game.Match {
	m := game.NewMatch(c.game, c.start)
	for range 6 {
		mv := game.Sample(m.Position(), c.random, nil)
		if before := len(m.Moves()); mv == 0 || m.Play(mv) != nil || m.Outcome().Result.Over() {
			for len(m.Moves()) > before {
				m.Undo()
			}
			break
		}
	}
	return m
}

// numbers returns the values of a field in the info lines.
func numbers(lines []string, field string) (values []int, err error) {
	for _, line := range lines {
		words := strings.Fields(line)
		for i, word := range words {
			if word == "pv" || word == "string" || words[0] != "info" {
				break
			}
			if word != field {
				continue
			}
			if i+1 == len(words) {
				return nil, fmt.Errorf("%q: want a number behind %s", line, field)
			}
			n, err := strconv.Atoi(words[i+1])
			if err != nil {
				return nil, fmt.Errorf("%q: want a number behind %s", line, field)
			}
			values = append(values, n)
		}
	}
	return values, nil
}

func (c *checker) info(ctx context.Context, p *program.Program) error {
	m := c.middle()
	lines, err := c.search(ctx, p, m, engine.Limit{Depth: 3}, c.Timeout)
	if err != nil {
		return err
	}
	for _, field := range []string{"depth", "seldepth", "nodes", "nps", "time", "hashfull", "multipv", "cp", "mate"} {
		if _, err := numbers(lines, field); err != nil {
			return err
		}
	}
	for _, line := range lines {
		before, pv, ok := strings.Cut(line, " pv ")
		if !ok || !strings.HasPrefix(before, "info ") || strings.Contains(before, " string ") {
			continue
		}
		at := m.Position()
		for _, text := range strings.Fields(pv) {
			mv, err := c.parse(at, text)
			if err != nil {
				return fmt.Errorf("%q: %w", line, err)
			}
			at.Play(mv)
		}
	}
	return nil
}

func (c *checker) depth(ctx context.Context, p *program.Program) error {
	for _, depth := range []int{1, 3} {
		lines, err := c.search(ctx, p, c.middle(), engine.Limit{Depth: depth}, c.Timeout)
		if err != nil {
			return err
		}
		depths, err := numbers(lines, "depth")
		if err != nil {
			return err
		}
		for _, d := range depths {
			if d > depth {
				return fmt.Errorf("go depth %d looks %d deep", depth, d)
			}
		}
	}
	return nil
}

// Programs test their node limit only periodically.
const (
	askedNodes   = 20_000
	allowedNodes = 30_000
)

func (c *checker) nodes(ctx context.Context, p *program.Program) error {
	lines, err := c.search(ctx, p, c.middle(), engine.Limit{Nodes: askedNodes}, c.Timeout)
	if err != nil {
		return err
	}
	visited, err := numbers(lines, "nodes")
	if err != nil {
		return err
	}
	for _, n := range visited {
		if n > allowedNodes {
			return fmt.Errorf("go nodes %d visits %d, want at most %d", askedNodes, n, allowedNodes)
		}
	}
	return nil
}

func (c *checker) moveTime(ctx context.Context, p *program.Program) error {
	const asked = 200 * time.Millisecond
	_, err := c.search(ctx, p, c.middle(), engine.Limit{Time: asked}, asked+c.Tolerance)
	return err
}

func (c *checker) clock(ctx context.Context, p *program.Program) error {
	const left = time.Second
	m := c.middle()
	lines, err := c.search(ctx, p, m, engine.Limit{Clock: engine.Clock{Left: left, Increment: 10 * time.Millisecond}}, left+c.Tolerance)
	if err != nil {
		return err
	}
	return c.legal(m, lines)
}

func (c *checker) infinite(ctx context.Context, p *program.Program) error {
	if err := c.set(p, c.middle(), "go infinite"); err != nil {
		return err
	}
	line, err := p.WaitFor(ctx, "nothing", c.Pause, func(line string) bool { return strings.HasPrefix(line, "bestmove") })
	switch {
	case err == nil:
		return fmt.Errorf("%q before stop", line)
	case errors.Is(err, program.ErrTimeout):
		return nil
	}
	return err
}

func (c *checker) stop(ctx context.Context, p *program.Program) error {
	m := c.middle()
	if err := c.set(p, m, "go infinite"); err != nil {
		return err
	}
	_, _ = p.WaitFor(ctx, "nothing", c.Pause, func(string) bool { return false }) // the search goes on
	answer, err := p.Request(ctx, "stop", "bestmove", c.Tolerance)
	if err != nil {
		return err
	}
	return c.legal(m, []string{answer})
}

func (c *checker) once(ctx context.Context, p *program.Program) error {
	if _, err := c.search(ctx, p, c.middle(), engine.Limit{Depth: 1}, c.Timeout); err != nil {
		return err
	}
	if err := errors.Join(p.Send("stop"), p.Send("isready")); err != nil {
		return err
	}
	ready, extra := false, ""
	_, err := p.WaitFor(ctx, "readyok", c.Timeout, func(line string) bool {
		ready = line == "readyok"
		if strings.HasPrefix(line, "bestmove") {
			extra = line
		}
		return ready || extra != ""
	})
	if err == nil && extra != "" {
		return fmt.Errorf("%q without another go", extra)
	}
	return err
}
