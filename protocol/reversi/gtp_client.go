package reversi

import (
	"bytes"
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
	"quintet/record/ggf"
)

// GTP is a player backed by an external GTP program.
type GTP struct {
	*program.Supervisor
	size int         // board size of the program; 0 if not set yet
	sent []game.Move // moves played on the program's board

	mirror ggf.Mirrored // the program's board
	clock  string       // the last time_settings
}

// NewGTP starts a GTP program. GTP has no options: use the command line of the
// program.
func NewGTP(ctx context.Context, what program.Spec, start program.Starter) (*GTP, error) {
	if len(what.Options) > 0 {
		return nil, fmt.Errorf("option %q: a gtp program has no options but dir", what.Options[0].Name)
	}
	g := &GTP{}
	greet := func(p *program.Program) error {
		g.size, g.sent, g.clock = 0, nil, ""
		version, err := command(ctx, p, "protocol_version", program.StartTimeout)
		if err == nil && version != "2" {
			err = fmt.Errorf("protocol_version %q: expected 2", version)
		}
		return err
	}
	var err error
	if g.Supervisor, err = program.NewSupervisor(what, start, greet); err != nil {
		return nil, err
	}
	return g, nil
}

// gtpError is an error response ("?") of a program.
type gtpError struct{ command, answer string }

func (r gtpError) Error() string { return fmt.Sprintf("%s is answered by %q", r.command, r.answer) }

// command sends a command and returns the response, its lines separated by line
// feeds. The error is a gtpError for an error response.
func command(ctx context.Context, p *program.Program, line string, wait time.Duration) (string, error) {
	if err := p.Send(line); err != nil {
		return "", err
	}
	until := time.Now().Add(wait)
	first, err := p.WaitFor(ctx, "the answer to "+line, wait, func(answer string) bool {
		return strings.HasPrefix(answer, "=") || strings.HasPrefix(answer, "?")
	})
	if err != nil {
		return "", err
	}
	answer := []string{strings.TrimSpace(first[1:])}
	for {
		more, err := p.ReadLine(ctx, max(time.Until(until), time.Second))
		if err != nil {
			return "", fmt.Errorf("waiting for the end of the answer to %s, an empty line: %w", line, err)
		}
		if more == "" {
			break
		}
		answer = append(answer, more)
	}
	text := strings.Join(answer, "\n")
	if first[0] == '?' {
		return "", gtpError{line, text}
	}
	return text, nil
}

// NewGame restarts the program if it has exited. Choose clears the board.
func (g *GTP) NewGame(uint64) {
	g.size, g.clock = 0, ""
	_, _ = g.Get() // an error surfaces in Choose
}

// Choose requests a move from the program. GTP has no depth and node limits. Times
// are sent as fractions of seconds if the program accepts them.
func (g *GTP) Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	if err := CheckGTP(m.Game(), m.Position()); err != nil {
		return 0, err
	}
	if err := atStart(m); err != nil {
		return 0, err
	}
	p, err := g.Get()
	if err != nil {
		return 0, err
	}
	mv, err := g.choose(ctx, p, m, l)
	return mv, g.HandleError(err)
}

// atStart returns an error if a match did not begin in the start position.
func atStart(m *game.Match) error {
	start := m.Start()
	n := ggf.Size(start)
	standard, err := standardStart(m.Game(), n)
	if err != nil {
		return err
	}
	mirror := ggf.Of(start)
	if bool(mirror) && (start.Turn() != game.First || !bytes.Equal(mirror.Cells(ggf.Cells(start), n), ggf.Cells(standard))) {
		return errors.New("gtp: the protocol can only begin at the start of the game")
	}
	return nil
}

func (g *GTP) choose(ctx context.Context, p *program.Program, m *game.Match, l engine.Limit) (game.Move, error) {
	say := func(line string) error {
		_, err := command(ctx, p, line, program.StartTimeout)
		return err
	}
	if err := g.syncBoard(m, say); err != nil {
		return 0, err
	}
	pos := m.Position()
	colour := gtpColours[pos.Turn()]
	if err := g.sendLimits(l, colour, say); err != nil {
		return 0, err
	}
	answer, err := command(ctx, p, "genmove "+colour, program.MoveTimeout(l))
	if refused := (gtpError{}); errors.As(err, &refused) {
		g.size, answer = 0, "? "+refused.answer
		err = program.IllegalAnswer(answer, "", errors.New("genmove is refused"))
	}
	g.SetAnswer(program.Answer{Text: answer})
	if err != nil {
		return 0, err
	}
	mv, err := ggf.Parse(pos, g.mirror.Name(strings.ToLower(answer), g.size))
	if err != nil {
		g.size = 0 // the program's board is unknown now
		return 0, program.IllegalAnswer(answer, answer, err)
	}
	g.sent = append(g.sent, mv)
	return mv, nil
}

// syncBoard sends the moves of a match that the program does not have yet.
func (g *GTP) syncBoard(m *game.Match, say func(string) error) error {
	start, moves := m.Start(), m.Moves()
	mirror := ggf.Of(start)
	if n := ggf.Size(start); g.size != n || g.mirror != mirror || len(g.sent) > len(moves) || !slices.Equal(g.sent, moves[:len(g.sent)]) {
		if err := say("boardsize " + strconv.Itoa(n)); err != nil {
			return err
		}
		if err := say("clear_board"); err != nil {
			return err
		}
		g.size, g.mirror, g.sent = n, mirror, nil
	}
	p := start
	for i, mv := range moves {
		if i >= len(g.sent) {
			err := say("play " + gtpColours[p.Turn()] + " " + upper(p, g.mirror.Move(mv, g.size), "PASS"))
			refused := gtpError{}
			if mv == game.Pass && errors.As(err, &refused) {
				err = nil // some programs pass by themselves and reject a pass
			}
			if err != nil {
				return err
			}
			g.sent = append(g.sent, mv)
		}
		p.Play(mv)
	}
	return nil
}

// sendLimits sends the limits, as far as the protocol has them.
func (g *GTP) sendLimits(l engine.Limit, colour string, say func(string) error) error {
	switch {
	case l.Time > 0:
		return g.sendClock(fmt.Sprintf("time_settings 0 %d 1", wholeSeconds(l.Time)), "time_left "+colour+" %s 1", l.Time, say)
	case l.Clock.Left > 0:
		settings := g.clock // this resets a program's clocks, so it is sent once
		if settings == "" {
			settings = fmt.Sprintf("time_settings %d 0 0", wholeSeconds(l.Clock.Left))
		}
		return g.sendClock(settings, "time_left "+colour+" %s 0", l.Clock.Left, say)
	}
	return nil
}

// wholeSeconds returns a time in seconds, rounded up.
func wholeSeconds(t time.Duration) int { return int((t + time.Second - 1) / time.Second) }

// sendClock sends the time settings if they changed, and the time left. GTP demands
// whole seconds; fractions of the time left are sent unless the program rejects them.
// A program that rejects both has no clock.
func (g *GTP) sendClock(settings, left string, t time.Duration, say func(string) error) error {
	lines := []string{}
	if g.clock != settings {
		g.clock, lines = settings, append(lines, settings)
	}
	lines = append(lines, fmt.Sprintf(left, strconv.FormatFloat(t.Seconds(), 'f', -1, 64)))
	for i := 0; i < len(lines); i++ {
		err := say(lines[i])
		refused := gtpError{}
		switch {
		case err != nil && !errors.As(err, &refused):
			return err
		case err != nil && t%time.Second != 0 && i == len(lines)-1:
			lines = append(lines, fmt.Sprintf(left, strconv.Itoa(wholeSeconds(t))))
			t = 0
		}
	}
	return nil
}
