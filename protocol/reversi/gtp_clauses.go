package reversi

import (
	"context"
	"errors"
	"fmt"
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
func GTPClauses(g game.Game, start game.Position, l check.Limits, seed uint64) ([]check.Clause, error) {
	common, err := newChecker(g, start, l, seed)
	if err != nil {
		return nil, err
	}
	c := &gtpChecker{common}
	return []check.Clause{
		{Name: "silent", Text: "says nothing before it is asked", Try: c.silent},
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

type gtpChecker struct{ *checker }

func (c *gtpChecker) ask(ctx context.Context, p *program.Program, line string) (string, error) {
	return command(ctx, p, line, c.Timeout)
}

// expectError fails unless the program answers a command with an error that contains
// the words.
func (c *gtpChecker) expectError(ctx context.Context, p *program.Program, line, words string) error {
	answer, err := c.ask(ctx, p, line)
	refused := gtpError{}
	switch {
	case err == nil:
		return fmt.Errorf("%s is answered by %q, want ? %s", line, answer, words)
	case !errors.As(err, &refused):
		return err
	case !strings.Contains(refused.answer, words):
		return fmt.Errorf("%w, want ? %s", err, words)
	}
	return nil
}

// sendAll fails unless the program accepts all commands.
func (c *gtpChecker) sendAll(ctx context.Context, p *program.Program, lines ...string) error {
	for _, line := range lines {
		if _, err := c.ask(ctx, p, line); err != nil {
			return err
		}
	}
	return nil
}

// newGame starts a game.
func (c *gtpChecker) newGame(ctx context.Context, p *program.Program) error {
	return c.sendAll(ctx, p, "boardsize "+strconv.Itoa(ggf.Size(c.start)), "clear_board")
}

// playLine returns the play command of a move.
func playLine(p game.Position, m game.Move) string {
	return "play " + gtpColours[p.Turn()] + " " + upper(p, m, "PASS")
}

func (c *gtpChecker) handshake(ctx context.Context, p *program.Program) error {
	version, err := c.ask(ctx, p, "protocol_version")
	if err != nil {
		return err
	}
	if version != "2" {
		return fmt.Errorf("protocol_version is %q", version)
	}
	name, err := c.ask(ctx, p, "name")
	if err == nil && name == "" {
		err = errors.New("the name is empty")
	}
	if err != nil {
		return err
	}
	_, err = c.ask(ctx, p, "version")
	return err
}

func (c *gtpChecker) id(ctx context.Context, p *program.Program) error {
	for _, line := range []string{"17 name", "18 no_such_command"} {
		if err := p.Send(line); err != nil {
			return err
		}
		answer, err := p.WaitFor(ctx, "the answer to "+line, c.Timeout, func(line string) bool { return line != "" })
		if err != nil {
			return err
		}
		if number := line[:2]; !strings.HasPrefix(answer, "="+number) && !strings.HasPrefix(answer, "?"+number) {
			return fmt.Errorf("%s is answered by %q, want =%s or ?%s", line, answer, number, number)
		}
		if end, err := p.ReadLine(ctx, c.Timeout); err != nil || end != "" {
			return errors.Join(fmt.Errorf("%q after the answer to %s, want an empty line", end, line), err)
		}
	}
	return nil
}

func (c *gtpChecker) commands(ctx context.Context, p *program.Program) error {
	list, err := c.ask(ctx, p, "list_commands")
	if err != nil {
		return err
	}
	listed := strings.Fields(list)
	for _, name := range []string{
		"protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize", "clear_board", "komi", "play", "genmove",
	} {
		if !slices.Contains(listed, name) {
			return fmt.Errorf("list_commands has no %s", name)
		}
		if known, err := c.ask(ctx, p, "known_command "+name); err != nil || known != "true" {
			return errors.Join(fmt.Errorf("known_command %s is answered by %q", name, known), err)
		}
	}
	if known, err := c.ask(ctx, p, "known_command no_such_command"); err != nil || known != "false" {
		return errors.Join(fmt.Errorf("known_command no_such_command is answered by %q", known), err)
	}
	return nil
}

func (c *gtpChecker) unknown(ctx context.Context, p *program.Program) error {
	if err := c.expectError(ctx, p, "no_such_command with 2 words", "unknown command"); err != nil {
		return err
	}
	return c.sendAll(ctx, p, "name")
}

func (c *gtpChecker) comment(ctx context.Context, p *program.Program) error {
	if err := errors.Join(p.Send("# a comment"), p.Send(""), p.Send("   ")); err != nil {
		return err
	}
	if err := check.ExpectSilence(ctx, p, c.Pause); err != nil {
		return err
	}
	version, err := c.ask(ctx, p, "protocol_version # a comment")
	if err == nil && version != "2" {
		err = fmt.Errorf("a command with a comment is answered by %q", version)
	}
	return err
}

func (c *gtpChecker) boardSize(ctx context.Context, p *program.Program) error {
	for _, wrong := range []string{"7", "0", "1000"} {
		if err := c.expectError(ctx, p, "boardsize "+wrong, "unacceptable size"); err != nil {
			return err
		}
	}
	return c.newGame(ctx, p)
}

func (c *gtpChecker) play(ctx context.Context, p *program.Program) error {
	if err := c.newGame(ctx, p); err != nil {
		return err
	}
	return c.walk(func(m *game.Match, next game.Move) error {
		pos := m.Position()
		if len(m.Moves())%10 == 0 {
			middle := game.Put(game.Cell((ggf.Size(pos)/2-1)*ggf.Size(pos) + ggf.Size(pos)/2 - 1)) // occupied at the start
			occupied := playLine(pos, middle)
			if err := c.expectError(ctx, p, occupied, "illegal move"); err != nil {
				return err
			}
		}
		_, err := c.ask(ctx, p, playLine(pos, next))
		refused := gtpError{}
		if next == game.Pass && errors.As(err, &refused) {
			return nil // some pass by themselves
		}
		return err
	})
}

func (c *gtpChecker) genMove(ctx context.Context, p *program.Program) error {
	if err := c.newGame(ctx, p); err != nil {
		return err
	}
	if err := c.sendAll(ctx, p, "time_settings 0 1 1"); err != nil {
		return err
	}
	m := game.NewMatch(c.game, c.start)
	for range 2 {
		pos := m.Position()
		answer, err := c.ask(ctx, p, "genmove "+gtpColours[pos.Turn()])
		if err != nil {
			return err
		}
		mv, err := ggf.Parse(pos, answer)
		if err != nil {
			return fmt.Errorf("%q at %q: %w", answer, pos, err)
		}
		if err := c.expectError(ctx, p, playLine(pos, mv), ""); err != nil {
			return fmt.Errorf("the program did not play the move: %w", err)
		}
		if err := m.Play(mv); err != nil {
			return fmt.Errorf("playing: %w", err)
		}
	}
	return nil
}

func (c *gtpChecker) pass(ctx context.Context, p *program.Program) error {
	m, err := c.passing()
	if err != nil {
		return err
	}
	if err := c.newGame(ctx, p); err != nil {
		return err
	}
	for at, mv := range m.Replay() {
		if err := c.sendAll(ctx, p, playLine(at, mv)); err != nil {
			return err
		}
	}
	at := m.Position()
	answer, err := c.ask(ctx, p, "genmove "+gtpColours[at.Turn()])
	if err != nil {
		return err
	}
	if !strings.EqualFold(answer, "pass") {
		return fmt.Errorf("%q at %q, want PASS", answer, at)
	}
	answer, err = c.ask(ctx, p, "genmove "+gtpColours[at.Turn().Other()])
	if err != nil {
		return fmt.Errorf("after a pass: %w", err)
	}
	at.Play(game.Pass)
	return legal(at, answer)
}

func (c *gtpChecker) undo(ctx context.Context, p *program.Program) error {
	if err := c.newGame(ctx, p); err != nil {
		return err
	}
	first := playLine(c.start, c.start.Moves(nil)[0])
	if err := c.sendAll(ctx, p, first, "undo", first, "undo"); err != nil {
		return err
	}
	return c.expectError(ctx, p, "undo", "cannot undo")
}

func (c *gtpChecker) clear(ctx context.Context, p *program.Program) error {
	if err := c.newGame(ctx, p); err != nil {
		return err
	}
	first := playLine(c.start, c.start.Moves(nil)[0])
	return c.sendAll(ctx, p, first, "clear_board", first)
}

func (c *gtpChecker) clock(ctx context.Context, p *program.Program) error {
	if err := c.newGame(ctx, p); err != nil {
		return err
	}
	for _, settings := range [][2]string{{"time_settings 0 1 1", "time_left black 1 1"}, {"time_settings 1 0 0", "time_left black 1 0"}} {
		if err := c.sendAll(ctx, p, settings[:]...); err != nil {
			return err
		}
		answer, err := command(ctx, p, "reg_genmove black", time.Second+c.Tolerance)
		if refused := (gtpError{}); errors.As(err, &refused) {
			return fmt.Errorf("%w: it knows no reg_genmove", check.ErrSkip)
		}
		if err == nil {
			err = legal(c.start, answer)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *gtpChecker) quit(ctx context.Context, p *program.Program) error {
	if _, err := c.ask(ctx, p, "quit"); err != nil {
		return err
	}
	return check.ExpectExit(ctx, p, "", time.Second+c.Tolerance)
}
