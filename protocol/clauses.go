package protocol

import (
	"context"
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
func Clauses(d Dialect, g game.Game, start game.Position, options []program.Option, seed uint64) []check.Clause {
	c := &checker{d, check.Games{Game: g, Start: start, Random: rand.NewPCG(seed, 0)}, options}
	clauses := []check.Clause{
		{Name: "silent", Text: "says nothing before " + d.Name, Try: (*check.Session).Silent},
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
		{Name: "infinite", Text: "go infinite continues until stop", Try: c.withHandshake(c.infinite)},
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
	check.Games
	settings []program.Option
}

// withHandshake wraps a test with the handshake before it.
func (c *checker) withHandshake(try func(*check.Session)) func(*check.Session) {
	return func(s *check.Session) {
		s.Talk(func(ctx context.Context, p *program.Program) error { return c.greet(ctx, p, c.settings, s.Timeout) })
		try(s)
	}
}

func (c *checker) handshake(s *check.Session) {
	s.Send(c.Name)
	named, wrong := false, ""
	s.WaitFor(c.Name+"ok", s.Timeout, func(line string) bool {
		_, isOption := strings.CutPrefix(line, "option ")
		name, ok := optionName(line)
		switch {
		case strings.HasPrefix(line, "id name "):
			named = true
		case isOption && (!ok || name == "" || !strings.Contains(line, " type ")):
			wrong = line
		}
		return line == c.Name+"ok"
	})
	switch {
	case !named:
		s.Failf("no id name before %sok", c.Name)
	case wrong != "":
		s.Failf("%q: expected option name NAME type TYPE", wrong)
	}
}

// isReady fails unless the program answers isready in time.
func (c *checker) isReady(s *check.Session) { s.Request("isready", "readyok", s.Timeout) }

func (c *checker) ready(s *check.Session) {
	c.isReady(s)
	c.set(s, game.NewMatch(c.Game, c.Start), "go infinite")
	s.At("during a search")
	c.isReady(s)
	s.At("")
	s.Request("stop", "bestmove", s.Timeout)
}

func (c *checker) options(s *check.Session) {
	var lines []string
	s.Send(c.Name)
	s.WaitFor(c.Name+"ok", s.Timeout, func(line string) bool {
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
	if len(lines) == 0 {
		s.Skip("it has no options with defaults")
	}
	c.readyAfter(s, lines...)
}

// readyAfter fails unless the program is ready after each line.
func (c *checker) readyAfter(s *check.Session, lines ...string) {
	for _, line := range lines {
		s.Send(line)
		s.At("after %q", line)
		c.isReady(s)
	}
}

func (c *checker) secondGame(s *check.Session) {
	s.Send(c.newGame)
	c.isReady(s)
}

func (c *checker) unknown(s *check.Session) {
	c.readyAfter(s, "xyzzy", "go-away now", "", "   ", "position", "setoption")
}

func (c *checker) quit(s *check.Session) {
	c.set(s, game.NewMatch(c.Game, c.Start), "go infinite")
	s.Exit("quit")
}

// query sends queries at the start, in the middle and at the end of a random game.
func (c *checker) query(s *check.Session) {
	m := game.NewMatch(c.Game, c.Start)
	for {
		over := m.Over()
		if n := len(m.Moves()); over || n == 0 || n == 5 {
			c.queryAt(s, m)
		}
		if over || len(m.Moves()) >= 1000 {
			return
		}
		s.Check(m.Play(game.Sample(m.Position(), c.Random, nil)))
	}
}

func (c *checker) queryAt(s *check.Session, m *game.Match) {
	position := c.Dialect.position(m)
	s.Send(position)
	r := m.Outcome().Result
	want := map[string]string{"p1turn": fmt.Sprint(m.Position().Turn() == game.First), "gameover": fmt.Sprint(r.Over()), "result": results()[r]}
	for _, what := range []string{"p1turn", "gameover", "result"} {
		if r.Over() && what == "p1turn" {
			continue // the game is over
		}
		answer := s.Request("query "+what, "response", s.Timeout)
		if answer != "response "+want[what] {
			s.Failf("query %s is answered by %q at %q, expected response %s", what, answer, position, want[what])
		}
	}
}

// set sends a position and then another line.
func (c *checker) set(s *check.Session, m *game.Match, then string) {
	s.Send(c.Dialect.position(m), then)
}

// search sends a position and limits, and returns all lines up to bestmove.
func (c *checker) search(s *check.Session, m *game.Match, l engine.Limit, within time.Duration) (lines []string) {
	c.set(s, m, c.goLine(l))
	s.WaitFor("bestmove after "+c.goLine(l), within, func(line string) bool {
		lines = append(lines, line)
		return strings.HasPrefix(line, "bestmove")
	})
	return lines
}
