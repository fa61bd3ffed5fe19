package env

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"quintet/game"
)

// Version is the version of the protocol.
const Version = 1

// maxLine is the size of the longest command.
const maxLine = 64 << 10

// header is the first line that a client reads, as JSON.
type header struct {
	Version  int       `json:"version"`
	Game     string    `json:"game"`
	Title    string    `json:"title"`
	Sides    [2]string `json:"sides"`
	Start    string    `json:"start"`
	Games    int       `json:"games"`
	Actions  int       `json:"actions"`
	Planes   []string  `json:"planes"`
	Rows     int       `json:"rows"`
	Cols     int       `json:"cols"`
	MaxPlies int       `json:"max_plies"`
	Layout   Layout    `json:"layout"`
}

// Serve writes the header, and answers each command with a line: ok, a space and the answer if there
// is one, or error, a space and the reason. It returns when the input or the context ends.
func (b *Batch) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	c := b.config
	err := json.NewEncoder(out).Encode(header{
		Version, c.Game.Name, c.Game.Title, c.Game.Sides, c.Start.String(), c.Games,
		b.space.actions(), b.space.planes(), b.space.rows, b.space.cols, c.MaxPlies, b.layout,
	})
	if err == nil {
		for i := range b.tables {
			b.memory[b.layout.Selected+i] = 1
		}
		err = b.Reset(ctx, 0)
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 256), maxLine)
	for err == nil && lines.Scan() {
		answer, problem := b.command(ctx, lines.Text())
		if problem != nil {
			answer = "error " + strings.ReplaceAll(problem.Error(), "\n", "; ")
		} else {
			answer = strings.TrimSpace("ok " + answer)
		}
		_, err = io.WriteString(out, answer+"\n")
	}
	if err == nil {
		err = lines.Err()
	}
	if err != nil {
		return fmt.Errorf("serving an environment: %w", err)
	}
	return nil
}

// command answers a command.
func (b *Batch) command(ctx context.Context, line string) (answer string, err error) {
	name, rest, _ := strings.Cut(line, " ")
	switch name {
	case "step":
		return "", b.Step(ctx)
	case "reset":
		seed, err := strconv.ParseUint(rest, 10, 64)
		if err != nil {
			return "", fmt.Errorf("seed %q: expected a number from 0 to 2^64-1", rest)
		}
		return "", b.Reset(ctx, seed)
	case "undo":
		plies, err := strconv.Atoi(rest)
		if err != nil || plies < 0 {
			return "", fmt.Errorf("plies %q: expected a number, 0 or more", rest)
		}
		return "", b.Undo(ctx, plies)
	case "copy":
		return "", b.Copy(ctx)
	}
	return b.ofGame(name, rest)
}

// ofGame answers a command about one game.
func (b *Batch) ofGame(name, rest string) (answer string, err error) {
	of, ok := map[string]func(i int, rest string) (string, error){
		"position": func(i int, _ string) (string, error) { return b.tables[i].pos.String(), nil },
		"moves": func(i int, _ string) (string, error) {
			return strings.Join(game.FormatMoves(b.tables[i].begin, b.tables[i].moves), " "), nil
		},
		"action": b.action,
		"text": func(i int, rest string) (string, error) {
			a, err := strconv.Atoi(rest)
			if err != nil {
				a = -1
			}
			return b.Text(i, a)
		},
		"set": func(i int, rest string) (string, error) { return "", b.set(i, rest) },
	}[name]
	if !ok {
		return "", fmt.Errorf("unknown command %.20q: expected step, reset, undo, copy, position, moves, action, text or set", name)
	}
	number, rest, _ := strings.Cut(rest, " ")
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(b.tables) {
		return "", fmt.Errorf("game %.20q: expected 0 to %d", number, len(b.tables)-1)
	}
	return of(i, rest)
}

// action returns the action of a move in notation.
func (b *Batch) action(i int, text string) (string, error) {
	m, err := b.tables[i].pos.Parse(text)
	if err != nil {
		return "", err
	}
	return strconv.Itoa(b.space.action(m)), nil
}

// Text returns the notation of a legal action of a game.
func (b *Batch) Text(i, action int) (string, error) {
	p, m := b.tables[i].pos, b.space.move(action)
	if m == 0 || !game.Legal(p, m) {
		return "", fmt.Errorf("action %d is not legal", action)
	}
	return p.Format(m), nil
}

// set begins a game in a position.
func (b *Batch) set(i int, text string) error {
	p, err := b.config.Game.Read(text)
	if err != nil {
		return err
	}
	board := p.Board()
	if len(board.Rows) != b.space.rows || len(board.Cols) != b.space.cols {
		return fmt.Errorf("a board of %dx%d: expected %dx%d", len(board.Rows), len(board.Cols), b.space.rows, b.space.cols)
	}
	for _, piece := range board.Cells {
		if piece.Kind == game.Pit && !b.space.pits {
			return errors.New("a board with pits: expected none, as in the start position")
		}
	}
	b.Set(i, p)
	return nil
}
