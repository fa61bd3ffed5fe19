package reversi

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"quintet/game"
	"quintet/protocol/check"
	"quintet/protocol/program"
	"quintet/record/ggf"
)

// GTPClauses returns the clauses of GTP for Othello programs, on boards of the size
// of start. The seed determines the random games.
func GTPClauses(g game.Game, start game.Position, seed uint64) ([]check.Clause, error) {
	common, err := newGames(g, start, seed)
	if err != nil {
		return nil, err
	}
	c := &gtpChecker{common}
	return []check.Clause{
		{Name: "silent", Text: "says nothing before it is asked", Try: (*check.Session).Silent},
		{Name: "handshake", Text: "protocol_version is 2, and there are a name and a version", Try: c.handshake},
		{Name: "id", Text: "the number before a command is in its answer", Try: c.id},
		{Name: "commands", Text: "list_commands and known_command tell the commands that a player needs", Try: c.commands},
		{Name: "unknown", Text: "an unknown command is refused", Try: c.unknown},
		{Name: "comment", Text: "comments and empty lines are not answered", Try: c.comment},
		{Name: "boardsize", Text: "boardsize takes a size of Othello and refuses others as unacceptable size", Try: c.boardSize},
		{Name: "play", Text: "play takes legal moves and refuses others as illegal move", Try: c.play},
		{Name: "genmove", Text: "genmove is answered by a legal move, which is played", Try: c.genMove},
		{Name: "pass", Text: "genmove of a side that must pass is PASS", Try: c.pass},
		{Name: "undo", Text: "undo takes back a move, and is refused at the start", Try: c.undo},
		{Name: "clear", Text: "clear_board begins another game", Try: c.clear},
		{Name: "clock", Text: "genmove ends before the time of time_settings and time_left", Try: c.clock},
		{Name: "quit", Text: "quit is answered and ends the program", Try: c.quit},
	}, nil
}

type gtpChecker struct{ check.Games }

// try sends a command and returns the response. The error is a gtpError; other errors end
// the clause.
func (c *gtpChecker) try(s *check.Session, line string, within time.Duration) (answer string, err error) {
	s.Talk(func(ctx context.Context, p *program.Program) error {
		answer, err = command(ctx, p, line, within)
		if refused := (gtpError{}); errors.As(err, &refused) {
			return nil
		}
		return err
	})
	return answer, err
}

// ask fails unless the program accepts a command, and returns the response.
func (c *gtpChecker) ask(s *check.Session, line string) string {
	answer, err := c.try(s, line, s.Timeout)
	s.Check(err)
	return answer
}

// expectError fails unless the program answers a command with an error that contains
// the words.
func (c *gtpChecker) expectError(s *check.Session, line, words string) {
	answer, err := c.try(s, line, s.Timeout)
	refused := gtpError{}
	switch {
	case !errors.As(err, &refused):
		s.Failf("%s is answered by %q, expected ? %s", line, answer, words)
	case !strings.Contains(refused.answer, words):
		s.Failf("%w, expected ? %s", err, words)
	}
}

// askAll fails unless the program accepts all commands.
func (c *gtpChecker) askAll(s *check.Session, lines ...string) {
	for _, line := range lines {
		c.ask(s, line)
	}
}

// newGame starts a game.
func (c *gtpChecker) newGame(s *check.Session) {
	c.askAll(s, "boardsize "+strconv.Itoa(ggf.Size(c.Start)), "clear_board")
}

// playLine returns the play command of a move.
func playLine(p game.Position, m game.Move) string {
	return "play " + gtpColours[p.Turn()] + " " + upper(p, m, "PASS")
}

func (c *gtpChecker) handshake(s *check.Session) {
	if version := c.ask(s, "protocol_version"); version != "2" {
		s.Failf("protocol_version is %q", version)
	}
	if c.ask(s, "name") == "" {
		s.Failf("the name is empty")
	}
	c.ask(s, "version")
}

func (c *gtpChecker) id(s *check.Session) {
	for _, line := range []string{"17 name", "18 no_such_command"} {
		s.Send(line)
		answer := s.WaitFor("the answer to "+line, s.Timeout, func(line string) bool { return line != "" })
		if number := line[:2]; !strings.HasPrefix(answer, "="+number) && !strings.HasPrefix(answer, "?"+number) {
			s.Failf("%s is answered by %q, expected =%s or ?%s", line, answer, number, number)
		}
		if end := s.ReadLine(); end != "" {
			s.Failf("%q after the answer to %s, expected an empty line", end, line)
		}
	}
}

func (c *gtpChecker) commands(s *check.Session) {
	listed := strings.Fields(c.ask(s, "list_commands"))
	for _, name := range []string{
		"protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize", "clear_board", "komi", "play", "genmove",
	} {
		if !slices.Contains(listed, name) {
			s.Failf("list_commands has no %s", name)
		}
		c.expectKnown(s, name, "true")
	}
	c.expectKnown(s, "no_such_command", "false")
}

// expectKnown fails unless known_command gives the answer for a command.
func (c *gtpChecker) expectKnown(s *check.Session, name, want string) {
	if known := c.ask(s, "known_command "+name); known != want {
		s.Failf("known_command %s is answered by %q", name, known)
	}
}

func (c *gtpChecker) unknown(s *check.Session) {
	c.expectError(s, "no_such_command with 2 words", "unknown command")
	c.ask(s, "name")
}

func (c *gtpChecker) comment(s *check.Session) {
	s.Send("# a comment", "", "   ")
	s.Silent()
	if version := c.ask(s, "protocol_version # a comment"); version != "2" {
		s.Failf("a command with a comment is answered by %q", version)
	}
}

func (c *gtpChecker) boardSize(s *check.Session) {
	for _, wrong := range []string{"7", "0", "1000"} {
		c.expectError(s, "boardsize "+wrong, "unacceptable size")
	}
	c.newGame(s)
}

func (c *gtpChecker) play(s *check.Session) {
	c.newGame(s)
	for m, next := range c.Walk(s) {
		pos := m.Position()
		if len(m.Moves())%10 == 0 {
			middle := game.Put(game.Cell((ggf.Size(pos)/2-1)*ggf.Size(pos) + ggf.Size(pos)/2 - 1)) // occupied at the start
			c.expectError(s, playLine(pos, middle), "illegal move")
		}
		if _, err := c.try(s, playLine(pos, next), s.Timeout); next != game.Pass { // some pass by themselves
			s.Check(err)
		}
	}
}

func (c *gtpChecker) genMove(s *check.Session) {
	c.newGame(s)
	c.ask(s, "time_settings 0 1 1")
	m := game.NewMatch(c.Game, c.Start)
	for range 2 {
		pos := m.Position()
		mv := legal(s, pos, c.ask(s, "genmove "+gtpColours[pos.Turn()]))
		s.At("the program did not play the move")
		c.expectError(s, playLine(pos, mv), "")
		s.At("")
		s.Check(m.Play(mv))
	}
}

func (c *gtpChecker) pass(s *check.Session) {
	m := c.Passing(s)
	c.newGame(s)
	for at, mv := range m.Replay() {
		c.ask(s, playLine(at, mv))
	}
	at := m.Position()
	if answer := c.ask(s, "genmove "+gtpColours[at.Turn()]); !strings.EqualFold(answer, "pass") {
		s.Failf("%q at %q, expected PASS", answer, at)
	}
	s.At("after a pass")
	at.Play(game.Pass)
	legal(s, at, c.ask(s, "genmove "+gtpColours[at.Turn()]))
}

func (c *gtpChecker) undo(s *check.Session) {
	c.newGame(s)
	first := playLine(c.Start, c.Start.Moves(nil)[0])
	c.askAll(s, first, "undo", first, "undo")
	c.expectError(s, "undo", "cannot undo")
}

func (c *gtpChecker) clear(s *check.Session) {
	c.newGame(s)
	first := playLine(c.Start, c.Start.Moves(nil)[0])
	c.askAll(s, first, "clear_board", first)
}

func (c *gtpChecker) clock(s *check.Session) {
	c.newGame(s)
	for _, settings := range [][2]string{{"time_settings 0 1 1", "time_left black 1 1"}, {"time_settings 1 0 0", "time_left black 1 0"}} {
		c.askAll(s, settings[:]...)
		answer, err := c.try(s, "reg_genmove black", time.Second+s.Tolerance)
		if err != nil {
			s.Skip("it knows no reg_genmove")
		}
		legal(s, c.Start, answer)
	}
}

func (c *gtpChecker) quit(s *check.Session) {
	c.ask(s, "quit")
	s.Exit("")
}

// newGames returns random games from the standard position, on boards of the size of start.
func newGames(g game.Game, start game.Position, seed uint64) (check.Games, error) {
	p, err := standardStart(g, ggf.Size(start))
	return check.Games{Game: g, Start: p, Random: rand.NewPCG(seed, 0)}, err
}

// legal returns the move of an answer, and fails the clause if it is not legal.
func legal(s *check.Session, p game.Position, answer string) game.Move {
	mv, err := ggf.Parse(p, answer)
	if err != nil {
		s.Failf("%q at %q: %w", answer, p, err)
	}
	return mv
}
