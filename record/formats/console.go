package formats

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quintet/game"
	"quintet/games"
	"quintet/judge/console"
	"quintet/record"
)

// prompts are texts that occur only in the output of the console programs.
var prompts = []string{"Enter number of pits: ", "Choose game mode (1, 2, 3): ", "'s turn: ", "'s move: ", "Invalid move. ", "Round 1:"}

// isConsole reports whether a text is the input or the output of a console program.
func isConsole(text string, h Hint) bool {
	if slices.ContainsFunc(prompts, func(p string) bool { return strings.Contains(text, p) }) {
		return true
	}
	frames, err := console.Frames(text)
	if err != nil || len(frames) > 0 {
		return true
	}
	list := words(text, 0, len(text))
	typed, known := consoleInputOf(h.Game)
	return known && len(list) > 0 && typed.is(list[0].text, list[1:])
}

// hasRefusedInput reports whether words of Connect6 include input that the console
// program rejects: lower case columns beside upper case ones, or a repeated cell. A
// list of moves has neither.
func hasRefusedInput(first string, rest []word) bool {
	list := append([]word{{text: first}}, rest...)
	seen := map[string]bool{}
	lower := 0
	for _, w := range list {
		if seen[w.text] {
			return true
		}
		seen[w.text] = true
		if w.text[0] >= 'a' {
			lower++
		}
	}
	return lower > 0 && lower < len(list)
}

func isInteger(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}

// readConsole parses a transcript. It runs the console program on an input to obtain
// one.
func readConsole(text string, h Hint, add addFunc) (left Omitted, err error) {
	frames, err := console.Frames(text)
	if err == nil && len(frames) == 0 {
		text, err = transcript(text, h, &left)
		if err == nil {
			frames, err = console.Frames(text)
		}
	}
	if broken, ok := errors.AsType[*console.FrameError](err); ok {
		err = &record.SyntaxError{Line: broken.Line, Column: 1, Err: broken.Err}
	}
	if err != nil {
		return nil, err
	}
	if len(frames) == 0 {
		return nil, record.At(text, len(text), errors.New("no board: expected the output of a console program from the beginning of a game"))
	}
	c := consoleGame{frames: frames, text: text, left: &left}
	r, err := c.record()
	if err != nil {
		return nil, err
	}
	if strings.Contains(text, "nvalid") {
		left.add("answers that the program refused")
	}
	return left, add(r)
}

// transcript runs the console program on an input and returns the terminal session.
func transcript(input string, h Hint, left *Omitted) (string, error) {
	g, err := h.game()
	if err != nil {
		return "", err
	}
	if first := words(input, 0, len(input)); g.Name == "chess" && len(first) > 0 && first[0].text != "1" {
		return "", record.At(input, first[0].at, fmt.Errorf("mode %q: the machine's moves are not in the input: expected mode 1, or the program's output", first[0].text))
	}
	var o console.Options
	if text := h.Setup["size"]; text != "" {
		if _, err := g.Start(game.Setup{"size": text}); err != nil {
			return "", err
		}
		if o.Size, err = strconv.Atoi(text); err != nil {
			return "", fmt.Errorf("size %q: expected a number", text)
		}
	}
	in := &echo{in: input}
	err = console.Run(context.Background(), g.Name, o, in, &in.seen)
	if err != nil && !errors.Is(err, console.ErrInputEnded) {
		return "", err
	}
	if err == nil && strings.TrimSpace(in.in) != "" {
		left.add("input after the end of the game")
	}
	return in.seen.String(), nil
}

// echo is a reader that echoes its input like a terminal, one byte at a time.
type echo struct {
	in   string
	seen bytes.Buffer
}

func (e *echo) Read(p []byte) (int, error) {
	if e.in == "" {
		return 0, io.EOF
	}
	p[0] = e.in[0]
	e.seen.WriteByte(p[0])
	e.in = e.in[1:]
	return 1, nil
}

// consoleGame builds a record from the boards of a transcript.
type consoleGame struct {
	frames []console.Frame
	text   string
	left   *Omitted
	*player
}

// errorAt returns a *SyntaxError at a board.
func (c *consoleGame) errorAt(f console.Frame, format string, args ...any) error {
	return &record.SyntaxError{Line: f.Line, Column: 1, Err: fmt.Errorf(format, args...)}
}

// record derives the moves from consecutive boards.
func (c *consoleGame) record() (*record.Record, error) {
	first := c.frames[0]
	g, setup, err := c.game()
	if err != nil {
		return nil, err
	}
	r, err := record.New(g, setup)
	if err != nil {
		return nil, c.errorAt(first, "%w", err)
	}
	if !bytes.Equal(console.Symbols(g.Name, r.Start.Board()), first.Cells) {
		return nil, c.errorAt(first, "the first board is not that of a new game of %s: expected the transcript from its beginning", g.Name)
	}
	c.player = newPlayer(c.text, r)
	for _, f := range c.frames[1:] {
		if err := c.follow(f); err != nil {
			return nil, err
		}
	}
	if g.Name == "chess" {
		if err := c.lastChessMove(); err != nil {
			return nil, err
		}
	}
	if !c.r.Result.Over() {
		c.finish()
	}
	return r, c.checkResult()
}

// game identifies the game and its options.
func (c *consoleGame) game() (game.Game, game.Setup, error) {
	f := c.frames[0]
	var name string
	setup := game.Setup{}
	switch {
	case f.Framed:
		name = "chess"
	case !f.Upper:
		name = "loa"
		if n, err := games.ByName("neighbors"); err == nil {
			if p, err := n.Start(nil); err == nil && bytes.Equal(console.Symbols("neighbors", p.Board()), f.Cells) {
				name = "neighbors"
			}
		}
	case f.First == 1:
		name = "othello"
	default:
		name = "connect6"
	}
	g, err := games.ByName(name)
	if err != nil {
		return g, nil, err
	}
	if o, ok := g.Option("size"); ok && strconv.Itoa(f.Size) != o.Default {
		setup["size"] = strconv.Itoa(f.Size)
	}
	var pits []string
	for i, symbol := range f.Cells {
		if symbol == game.Pit {
			pits = append(pits, game.Coords{Rows: f.Size, Cols: f.Size, Base: 1}.Name(game.Cell(i)))
		}
	}
	if len(pits) > 0 {
		setup["pits"] = strings.Join(pits, ",")
	}
	if len(setup) == 0 {
		setup = nil
	}
	return g, setup, nil
}

// follow plays the move that leads to the board.
func (c *consoleGame) follow(f console.Frame) error {
	now := console.Symbols(c.r.Game.Name, c.pos.Board())
	if len(now) != len(f.Cells) {
		return c.errorAt(f, "a board of %d rows: expected the size of the first one", f.Size)
	}
	if bytes.Equal(now, f.Cells) {
		switch {
		case c.cursor.Outcome().Result.Over():
			return nil // Othello prints that both must pass
		case c.mustPass():
			return c.move(game.Pass)
		}
		return c.errorAt(f, "the board is as it was, and %s could move: expected a move", c.r.Game.Sides[c.pos.Turn()])
	}
	for _, mv := range c.pos.Moves(nil) {
		if now[mv.To()] == f.Cells[mv.To()] {
			continue
		}
		p := c.pos.Clone()
		p.Play(mv)
		if bytes.Equal(console.Symbols(c.r.Game.Name, p.Board()), f.Cells) {
			if err := c.move(mv); err != nil {
				return c.errorAt(f, "%w", err)
			}
			return nil
		}
	}
	return c.errorAt(f, "no move of %s leads from the board before to this one", c.r.Game.Sides[c.pos.Turn()])
}

// chessAnswer matches a move of chess after a prompt.
var chessAnswer = regexp.MustCompile(`^\s*([A-Za-z])\s*([0-9]+)\s*([A-Za-z])\s*([0-9]+)`)

// lastChessMove finds the last move of a game of chess, after which the program
// prints no board: from echoed input, from the machine's output, or as the only move
// that fits the result.
func (c *consoleGame) lastChessMove() error {
	f := c.frames[len(c.frames)-1]
	_, over := c.printedResult()
	_, answer, _ := cutLast(f.After, "'s turn: ")
	match := chessAnswer.FindStringSubmatch(answer)
	switch {
	case !over:
		return nil
	case match != nil && match[1]+match[2]+match[3]+match[4] == "Z0Z0":
		c.halt()
		return nil
	case match != nil:
		row1, _ := strconv.Atoi(match[2])
		row2, _ := strconv.Atoi(match[4])
		name := fmt.Sprintf("%s%d%s%d", strings.ToLower(match[1]), 9-row1, strings.ToLower(match[3]), 9-row2)
		mv, err := c.pos.Parse(name)
		if err != nil {
			return c.errorAt(f, "the move %q after this board: %w", strings.TrimSpace(match[0]), err)
		}
		if err := c.move(mv); err != nil {
			return c.errorAt(f, "%w", err)
		}
		if !c.cursor.Outcome().Result.Over() { // stopped by the round limit
			c.halt()
		}
		return nil
	}
	return c.inferLastMove(f)
}

// inferLastMove ends a game of chess whose last input is not in the transcript.
func (c *consoleGame) inferLastMove(f console.Frame) error {
	var captures []game.Move
	for _, mv := range c.pos.Moves(nil) {
		p := c.pos.Clone()
		if p.Play(mv); p.Result().Over() {
			captures = append(captures, mv)
		}
	}
	if len(captures) == 0 {
		c.halt()
		return nil
	}
	result, _ := c.printedResult()
	halted := result == game.StoppedResult(c.pos)
	switch {
	case result != game.Win(c.pos.Turn()):
		c.halt()
	case len(captures) > 1:
		return c.errorAt(f, "the transcript does not show how the game ended after this board: expected a transcript with the input")
	default:
		if halted {
			c.left.add("whether Z0 Z0 was typed in place of the last move, which takes the king")
		}
		return c.move(captures[0])
	}
	return nil
}

// halt ends a game of chess like Z0 Z0.
func (c *consoleGame) halt() { c.r.Result, c.r.End = game.StoppedResult(c.pos), record.Halted }

// cutLast cuts a text at the last occurrence of at.
func cutLast(text, at string) (before, after string, found bool) {
	i := strings.LastIndex(text, at)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(at):], true
}

// printedResult returns the result printed after the last board.
func (c *consoleGame) printedResult() (result game.Result, over bool) {
	for line := range strings.Lines(c.frames[len(c.frames)-1].After) {
		before, _, won := cutLast(strings.TrimSpace(line), " wins!")
		if strings.HasSuffix(strings.TrimSpace(line), "Draw game!") {
			return game.Draw, true
		}
		if !won || before == "" {
			continue
		}
		words := strings.Fields(before)
		winner := words[len(words)-1]
		first := []string{"B", "X", "Black"}
		if c.r.Game.Name == "chess" {
			first = []string{"White"}
		}
		if slices.ContainsFunc(first, func(name string) bool { return strings.HasSuffix(winner, name) && (name != "B" || winner == "B") }) {
			return game.FirstWins, true
		}
		return game.SecondWins, true
	}
	return game.Ongoing, false
}

// checkResult compares the record with the printed result.
func (c *consoleGame) checkResult() error {
	if result, over := c.printedResult(); over && result != c.r.Result {
		return c.errorAt(c.frames[len(c.frames)-1], "the result after this board is given as %s, but it is %s", result, c.r.Result)
	}
	return nil
}
