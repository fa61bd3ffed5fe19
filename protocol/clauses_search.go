package protocol

import (
	"strconv"
	"strings"
	"time"

	"quintet/engine"
	"quintet/game"
	"quintet/protocol/check"
)

// legal fails unless the answer ends with a legal best move.
func (c *checker) legal(s *check.Session, m *game.Match, lines ...string) {
	best := strings.Fields(lines[len(lines)-1])
	if len(best) < 2 {
		s.Failf("bestmove without a move")
	}
	if _, err := c.parse(m.Position(), best[1]); err != nil {
		s.Failf("bestmove %s at %q: %w", best[1], c.Dialect.position(m), err)
	}
}

func (c *checker) checkStartPos(s *check.Session) {
	usual, err := c.Game.Start(nil)
	s.Check(err)
	if usual.String() != c.Start.String() {
		s.Skip("another board than the usual one is set up")
	}
	m := game.NewMatch(c.Game, usual)
	for range 2 {
		line := "position startpos"
		if moves := m.Moves(); len(moves) > 0 {
			line += " moves " + c.line(m.Start(), moves)
		}
		s.Send(line)
		s.At("after %q", line)
		c.legal(s, m, s.Request("go depth 1", "bestmove", s.Timeout))
		s.Check(m.Play(m.Legal()[0]))
	}
}

// position follows a random game and occasionally requests a move.
func (c *checker) position(s *check.Session) {
	m := game.NewMatch(c.Game, c.Start)
	for n := 0; !m.Over() && n < 60; n++ {
		if n%4 == 0 {
			c.legal(s, m, c.search(s, m, engine.Limit{Depth: 1}, s.Timeout)...)
		}
		if n == 30 { // from here on, send the position instead of the moves
			m = game.NewMatch(c.Game, m.Position())
		}
		s.Check(m.Play(game.Sample(m.Position(), c.Random, nil)))
	}
}

// mustPass requests a move where a pass is the only one.
func (c *checker) mustPass(s *check.Session) {
	m := c.Passing(s)
	lines := c.search(s, m, engine.Limit{Depth: 1}, s.Timeout)
	if best := lines[len(lines)-1]; strings.TrimSpace(strings.TrimPrefix(best, "bestmove")) != c.pass {
		s.Failf("%q, expected %s", best, c.pass)
	}
	s.Check(m.Play(game.Pass))
	if !m.Over() {
		s.At("after a pass")
		c.legal(s, m, c.search(s, m, engine.Limit{Depth: 1}, s.Timeout)...)
	}
}

// middle returns a match after some random moves.
func (c *checker) middle(s *check.Session) (m *game.Match) {
	for m = range c.Walk(s) {
		if len(m.Moves()) == 6 {
			return m
		}
	}
	m.Undo() // the game is over
	return m
}

// numbers returns the values of a field in the info lines.
func numbers(s *check.Session, lines []string, field string) (values []int) {
	for _, line := range lines {
		words := append(strings.Fields(line), "") // so that every field has a next word
		for i, word := range words {
			if word == "pv" || word == "string" || words[0] != "info" {
				break
			}
			if word != field {
				continue
			}
			n, err := strconv.Atoi(words[i+1])
			if err != nil {
				s.Failf("%q: expected a number behind %s", line, field)
			}
			values = append(values, n)
		}
	}
	return values
}

func (c *checker) info(s *check.Session) {
	m := c.middle(s)
	lines := c.search(s, m, engine.Limit{Depth: 3}, s.Timeout)
	for _, field := range []string{"depth", "seldepth", "nodes", "nps", "time", "hashfull", "multipv", "cp", "mate"} {
		numbers(s, lines, field)
	}
	for _, line := range lines {
		before, pv, ok := strings.Cut(line, " pv ")
		if !ok || !strings.HasPrefix(before, "info ") || strings.Contains(before, " string ") {
			continue
		}
		s.At("%q", line)
		at := m.Position()
		for _, text := range strings.Fields(pv) {
			mv, err := c.parse(at, text)
			s.Check(err)
			at.Play(mv)
		}
	}
}

func (c *checker) depth(s *check.Session) {
	for _, depth := range []int{1, 3} {
		lines := c.search(s, c.middle(s), engine.Limit{Depth: depth}, s.Timeout)
		for _, d := range numbers(s, lines, "depth") {
			if d > depth {
				s.Failf("go depth %d looks %d deep", depth, d)
			}
		}
	}
}

// Programs test their node limit only periodically.
const (
	askedNodes   = 20_000
	allowedNodes = 30_000
)

func (c *checker) nodes(s *check.Session) {
	lines := c.search(s, c.middle(s), engine.Limit{Nodes: askedNodes}, s.Timeout)
	for _, n := range numbers(s, lines, "nodes") {
		if n > allowedNodes {
			s.Failf("go nodes %d visits %d, expected at most %d", askedNodes, n, allowedNodes)
		}
	}
}

func (c *checker) moveTime(s *check.Session) {
	const asked = 200 * time.Millisecond
	c.search(s, c.middle(s), engine.Limit{Time: asked}, asked+s.Tolerance)
}

func (c *checker) clock(s *check.Session) {
	const left = time.Second
	m := c.middle(s)
	limit := engine.Limit{Clock: engine.Clock{Left: left, Increment: 10 * time.Millisecond}}
	c.legal(s, m, c.search(s, m, limit, left+s.Tolerance)...)
}

func (c *checker) infinite(s *check.Session) {
	c.set(s, c.middle(s), "go infinite")
	if line, ok := s.Listen(func(line string) bool { return strings.HasPrefix(line, "bestmove") }); ok {
		s.Failf("%q before stop", line)
	}
}

func (c *checker) stop(s *check.Session) {
	m := c.middle(s)
	c.set(s, m, "go infinite")
	s.Listen(func(string) bool { return false }) // let it search
	c.legal(s, m, s.Request("stop", "bestmove", s.Tolerance))
}

func (c *checker) once(s *check.Session) {
	c.search(s, c.middle(s), engine.Limit{Depth: 1}, s.Timeout)
	s.Send("stop", "isready")
	line := s.WaitFor("readyok", s.Timeout, func(line string) bool {
		return line == "readyok" || strings.HasPrefix(line, "bestmove")
	})
	if line != "readyok" {
		s.Failf("%q without another go", line)
	}
}
