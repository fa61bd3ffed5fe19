package reversi

import (
	"strconv"
	"strings"
	"time"

	"quintet/game"
	"quintet/protocol/check"
	"quintet/record/ggf"
)

// NBoardClauses returns the clauses of NBoard version 2, on boards of the size of
// start. The seed determines the random games.
func NBoardClauses(g game.Game, start game.Position, seed uint64) ([]check.Clause, error) {
	common, err := newGames(g, start, seed)
	if err != nil {
		return nil, err
	}
	c := &nboardChecker{Games: common}
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
	check.Games
	pings int
}

// withHandshake wraps a test with the handshake before it.
func (c *nboardChecker) withHandshake(try func(*check.Session)) func(*check.Session) {
	return func(s *check.Session) {
		s.Send("nboard 2", "set depth 3")
		c.sync(s, s.Timeout)
		try(s)
	}
}

// sync waits until the program has handled all lines before.
func (c *nboardChecker) sync(s *check.Session, within time.Duration) {
	c.pings++
	want := "pong " + strconv.Itoa(c.pings)
	s.Send("ping " + strconv.Itoa(c.pings))
	s.WaitFor(want, within, func(line string) bool { return line == want })
}

// set sends a position.
func (c *nboardChecker) set(s *check.Session, pos game.Position) {
	s.Send("set game " + writeGGF(ggf.Cells(pos), ggf.Size(pos), pos.Turn(), 0))
	c.sync(s, s.Timeout)
}

// best requests a move.
func (c *nboardChecker) best(s *check.Session) (move, answer string) {
	answer = s.Request("go", "===", s.Timeout)
	move, err := moveOf(answer)
	if err != nil {
		s.Failf("%q: %w", answer, err)
	}
	return move, answer
}

// legalAt fails unless the answer to go is a legal move.
func (c *nboardChecker) legalAt(s *check.Session, pos game.Position) {
	move, _ := c.best(s)
	legal(s, pos, move)
}

func (c *nboardChecker) ping(s *check.Session) {
	for range 3 {
		c.sync(s, s.Timeout)
	}
}

func (c *nboardChecker) unknown(s *check.Session) {
	for _, line := range []string{"no_such_command", "set no_such_thing 3", ""} {
		s.Send(line)
		s.At("after %q", line)
		c.sync(s, s.Timeout)
	}
}

func (c *nboardChecker) goes(s *check.Session) {
	for m := range c.Walk(s) {
		pos := m.Position()
		if len(m.Moves())%5 != 0 || game.Legal(pos, game.Pass) {
			continue
		}
		c.set(s, pos)
		move, answer := c.best(s)
		for _, number := range moveParts(answer)[1:] {
			if _, err := strconv.ParseFloat(strings.TrimSpace(number), 64); err != nil && number != "" {
				s.Failf("%q: expected === MOVE/VALUE/SECONDS", answer)
			}
		}
		legal(s, pos, move)
	}
}

func (c *nboardChecker) board(s *check.Session) {
	c.set(s, c.Start)
	for range 2 {
		c.legalAt(s, c.Start)
	}
}

func (c *nboardChecker) moves(s *check.Session) {
	text := strings.TrimSuffix(writeGGF(ggf.Cells(c.Start), ggf.Size(c.Start), c.Start.Turn(), 0), ";)")
	for m, next := range c.Walk(s) {
		pos := m.Position()
		if len(m.Moves()) == 9 {
			s.Send("set game " + text + ";)")
			c.sync(s, s.Timeout)
			c.legalAt(s, pos)
			return
		}
		text += [2]string{"B", "W"}[pos.Turn()] + "[" + upper(pos, next, "PA") + "/0.50/1.2]"
	}
}

func (c *nboardChecker) move(s *check.Session) {
	c.set(s, c.Start)
	for m, next := range c.Walk(s) {
		pos := m.Position()
		if len(m.Moves())%7 == 1 && !game.Legal(pos, game.Pass) {
			s.At("after %d moves", len(m.Moves()))
			c.legalAt(s, pos)
			s.At("")
		}
		s.Send("move " + upper(pos, next, "PA"))
	}
}

func (c *nboardChecker) pass(s *check.Session) {
	m := c.Passing(s)
	c.set(s, m.Position())
	if move, answer := c.best(s); !strings.HasPrefix(strings.ToUpper(move), "PA") {
		s.Failf("%q at %q, expected === PA", answer, m.Position())
	}
}

func (c *nboardChecker) hint(s *check.Session) {
	c.set(s, c.Start)
	s.Send("hint 2")
	// A search of a few plies ends at once, but the protocol does not signal it.
	line := s.WaitFor("search or book", s.Timeout, func(line string) bool {
		return strings.HasPrefix(line, "search ") || strings.HasPrefix(line, "book ")
	})
	words := strings.Fields(line)
	if len(words) < 5 {
		s.Failf("%q: expected search MOVES VALUE 0 DEPTH", line)
	}
	for _, value := range strings.Split(words[2], ",") {
		if _, err := strconv.ParseFloat(value, 64); err != nil {
			s.Failf("%q: expected a number as value, not %q", line, value)
		}
	}
	if depth := words[4]; depth[0] < '0' || depth[0] > '9' {
		s.Failf("%q: expected a depth that begins with a number, not %q", line, depth)
	}
	s.At("%q", line)
	c.playable(s, words[1])
	c.sync(s, s.Timeout)
}

// playable fails unless the concatenated moves are legal in sequence from the start.
func (c *nboardChecker) playable(s *check.Session, moves string) {
	at, moves := c.Start.Clone(), strings.ReplaceAll(moves, "-", "")
	for ; len(moves) >= 2; moves = moves[2:] {
		mv, err := ggf.Parse(at, moves[:2])
		s.Check(err)
		at.Play(mv)
	}
}

func (c *nboardChecker) stop(s *check.Session) {
	s.Send("set depth 26")
	c.set(s, c.Start)
	s.Send("hint 1")
	s.Listen(func(string) bool { return false }) // let it search
	c.sync(s, s.Tolerance)
	line, ok := s.Listen(func(line string) bool {
		return strings.HasPrefix(line, "search ") || strings.HasPrefix(line, "===")
	})
	if ok {
		s.Failf("%q after pong", line)
	}
}

func (c *nboardChecker) learn(s *check.Session) {
	c.set(s, c.Start)
	s.Request("learn", "learned", s.Timeout)
}

func (c *nboardChecker) quit(s *check.Session) { s.Exit("quit") }
