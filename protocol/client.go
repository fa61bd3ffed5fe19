package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"quintet/engine"
	"quintet/game"
)

// Client is a player that is another program.
type Client struct {
	dialect Dialect
	cmd     *exec.Cmd
	in      io.WriteCloser
	lines   chan string // what the program says; closed when it says no more
}

// How long a program may take for what is not a move, and beyond the time of a
// move before it counts as stalled.
const (
	patience = 10 * time.Second
	overtime = 2 * time.Second
)

// errGone is the error of a program that has ended.
var errGone = errors.New("the program has ended")

// NewClient starts a program, a command line whose words are separated by
// blanks, and greets it. The program is killed if the context ends.
func NewClient(ctx context.Context, d Dialect, command string) (*Client, error) {
	words := strings.Fields(command)
	if len(words) == 0 {
		return nil, fmt.Errorf("%s: want a command behind it", d.Name)
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...) //nolint:gosec // to run what the user names is the purpose
	c := &Client{dialect: d, cmd: cmd, lines: make(chan string, 256)}
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("starting %q: %w", command, err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting %q: %w", command, err)
	}
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %q: %w", command, err)
	}
	c.in = in
	go c.listen(out)
	if _, err := c.ask(ctx, d.Name, d.Name+"ok", patience); err != nil {
		return nil, errors.Join(fmt.Errorf("greeting %q: %w", command, err), c.Close())
	}
	return c, nil
}

// listen passes on what the program says, until it says no more. Close waits
// for that.
func (c *Client) listen(out io.Reader) {
	defer close(c.lines)
	s := bufio.NewScanner(out)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		c.lines <- s.Text()
	}
}

func (c *Client) say(line string) error {
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		return fmt.Errorf("saying %q: %w", line, errors.Join(errGone, err))
	}
	return nil
}

// ask says a line and returns the first line of the answer that begins with a
// word.
func (c *Client) ask(ctx context.Context, line, word string, wait time.Duration) (string, error) {
	if err := c.say(line); err != nil {
		return "", err
	}
	late := time.NewTimer(wait)
	defer late.Stop()
	for {
		select {
		case answer, ok := <-c.lines:
			if !ok {
				return "", fmt.Errorf("waiting for %s: %w", word, errGone)
			}
			if first, _, _ := strings.Cut(strings.TrimSpace(answer), " "); first == word {
				return strings.TrimSpace(answer), nil
			}
		case <-late.C:
			return "", fmt.Errorf("waiting for %s: no answer in %v", word, wait)
		case <-ctx.Done():
			return "", fmt.Errorf("waiting for %s: %w", word, ctx.Err())
		}
	}
}

// NewGame tells the program that another game begins. An error shows when it is
// asked for a move.
func (c *Client) NewGame(uint64) {
	if c.say(c.dialect.newGame) == nil {
		_, _ = c.ask(context.Background(), "isready", "readyok", patience)
	}
}

// Choose asks the program for a move.
func (c *Client) Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	position := "position fen " + m.Start().String()
	if moves := m.Moves(); len(moves) > 0 {
		position += " moves " + c.dialect.line(m.Start(), moves)
	}
	if err := c.say(position); err != nil {
		return 0, err
	}
	p := m.Position()
	answer, err := c.ask(ctx, c.dialect.goLine(l), "bestmove", c.wait(l))
	if err != nil {
		return 0, err
	}
	words := strings.Fields(answer)
	if len(words) < 2 {
		return 0, fmt.Errorf("%q: want a move behind bestmove", answer)
	}
	mv, err := c.dialect.parse(p, words[1])
	if errors.Is(err, game.ErrIllegal) {
		return 0, nil // the arena sees that it is not legal
	}
	return mv, err
}

// wait returns for how long a move is waited for.
func (c *Client) wait(l engine.Limit) time.Duration {
	switch {
	case l.Time > 0:
		return l.Time + overtime
	case l.Clock.Left > 0:
		return l.Clock.Left + overtime
	}
	return time.Hour // limits of depth and nodes say nothing of time
}

// goLine returns the command that asks for a move within limits. Both clocks
// are given as that of the side to move.
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

// Close asks the program to end, and ends it if it does not.
func (c *Client) Close() error {
	_ = c.say("quit")
	_ = c.in.Close()
	kill := time.AfterFunc(time.Second, func() { _ = c.cmd.Process.Kill() })
	defer kill.Stop()
	for range c.lines { // until it says no more
	}
	if err := c.cmd.Wait(); err != nil && c.cmd.ProcessState == nil {
		return fmt.Errorf("ending %q: %w", c.cmd.Path, err)
	}
	return nil
}
