package reversi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"quintet/game"
	"quintet/protocol/program"
	"quintet/record/ggf"
)

// ServeGTP serves a GTP controller until it quits or the input ends. The error is
// that of reading, writing or of the context.
//
// Columns are a to z including i, as in Othello programs, and row 1 is at the top.
// boardsize accepts even numbers from 4 to 26.
func ServeGTP(ctx context.Context, c Config, in io.Reader, out io.Writer) error {
	g := &gtpServer{Config: c}
	g.commands = g.commandTable()
	if err := g.clear(ggf.Size(c.Start)); err != nil {
		return err
	}
	if err := g.Serve(ctx, in, out, func(line string) bool { return g.handleLine(ctx, line) }); err != nil {
		return fmt.Errorf("serving gtp: %w", err)
	}
	return nil
}

// gtpServer is one session.
type gtpServer struct {
	Config
	program.Session
	commands []gtpCommand
	start    game.Position
	match    *game.Match
	implicit []bool // by ply: the server passed on its own
	clocks   gtpClocks
}

// gtpCommand is a command. run returns the response, or an error whose text is the
// error response.
type gtpCommand struct {
	name string
	args int // number of arguments
	run  func(ctx context.Context, args []string) (string, error)
}

// commandTable returns the commands in the order of list_commands.
func (g *gtpServer) commandTable() []gtpCommand {
	said := func(text string) func(context.Context, []string) (string, error) {
		return func(context.Context, []string) (string, error) { return text, nil }
	}
	return []gtpCommand{
		{"protocol_version", 0, said("2")},
		{"name", 0, said("Quintet")},
		{"version", 0, said(g.Version)},
		{"known_command", 1, func(_ context.Context, args []string) (string, error) {
			return strconv.FormatBool(g.lookUp(args[0]) != nil), nil
		}},
		{"list_commands", 0, g.list},
		{"quit", 0, said("")},
		{"boardsize", 1, g.boardSize},
		{"clear_board", 0, func(context.Context, []string) (string, error) { return "", g.clear(ggf.Size(g.start)) }},
		{"komi", 1, g.komi},
		{"play", 2, g.play},
		{"genmove", 1, func(ctx context.Context, args []string) (string, error) { return g.genMove(ctx, args[0], true) }},
		{"reg_genmove", 1, func(ctx context.Context, args []string) (string, error) { return g.genMove(ctx, args[0], false) }},
		{"undo", 0, g.undo},
		{"time_settings", 3, g.timeSettings},
		{"time_left", 3, g.timeLeft},
		{"final_score", 0, g.finalScore},
		{"showboard", 0, g.showBoard},
		{"set_game", 1, g.setGame},
		{"list_games", 0, said("Othello")},
	}
}

func (g *gtpServer) lookUp(name string) *gtpCommand {
	for i := range g.commands {
		if g.commands[i].name == name {
			return &g.commands[i]
		}
	}
	return nil
}

// handleLine answers a line and reports whether to continue.
func (g *gtpServer) handleLine(ctx context.Context, line string) bool {
	words := strings.Fields(gtpText(line))
	if len(words) == 0 {
		return true
	}
	id := ""
	if _, err := strconv.ParseUint(words[0], 10, 32); err == nil {
		id, words = words[0], words[1:]
	}
	answer, err := g.run(ctx, words)
	if err != nil {
		g.Say("?%s %v\n", id, err)
		return true
	}
	g.Say("%s\n", strings.TrimRight("="+id+" "+answer, " "))
	return words[0] != "quit"
}

// gtpText removes comments and control characters from a line.
func gtpText(line string) string {
	line, _, _ = strings.Cut(line, "#")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r < ' ' || r == 0x7f:
			return -1
		}
		return r
	}, line)
}

func (g *gtpServer) run(ctx context.Context, words []string) (string, error) {
	if len(words) == 0 {
		return "", errors.New("syntax error: expected a command")
	}
	c := g.lookUp(words[0])
	if c == nil {
		return "", errors.New("unknown command")
	}
	if got := len(words) - 1; got != c.args {
		return "", fmt.Errorf("syntax error: %s with %d arguments, expected %d", c.name, got, c.args)
	}
	return c.run(ctx, words[1:])
}

func (g *gtpServer) list(context.Context, []string) (string, error) {
	names := make([]string, len(g.commands))
	for i, c := range g.commands {
		names[i] = c.name
	}
	return strings.Join(names, "\n"), nil
}

func (g *gtpServer) boardSize(_ context.Context, args []string) (string, error) {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return "", fmt.Errorf("syntax error: boardsize %q: expected a number", args[0])
	}
	if n < 4 || n > game.MaxSize || n%2 != 0 {
		return "", errors.New("unacceptable size") // the wording is GTP's
	}
	return "", g.clear(n)
}

// clear sets up the start position and resets the clocks.
func (g *gtpServer) clear(size int) error {
	p, err := standardStart(g.Game, size)
	if err != nil {
		return err
	}
	g.start, g.match, g.implicit = p, game.NewMatch(g.Game, p), nil
	g.clocks.restart()
	return nil
}

func (g *gtpServer) komi(_ context.Context, args []string) (string, error) {
	if _, err := strconv.ParseFloat(args[0], 64); err != nil {
		return "", fmt.Errorf("syntax error: komi %q: expected a number", args[0])
	}
	return "", nil // Othello has no komi, but Go controllers set it
}

func (g *gtpServer) setGame(_ context.Context, args []string) (string, error) {
	if !strings.EqualFold(args[0], "othello") {
		return "", errors.New("unsupported game")
	}
	return "", nil
}

// turn parses a colour. It passes for the other side if that side must pass.
func (g *gtpServer) turn(colour string) (game.Side, error) {
	side, err := gtpColour(colour)
	if err != nil {
		return 0, err
	}
	p := g.match.Position()
	switch {
	case g.match.Over(), p.Turn() == side:
		return side, nil
	case !game.Legal(p, game.Pass):
		return 0, fmt.Errorf("illegal move: it is the turn of %s", gtpColours[side.Other()])
	}
	return side, g.playMove(game.Pass, true)
}

// gtpColours are GTP's names of the sides.
var gtpColours = [2]string{"black", "white"}

func gtpColour(text string) (game.Side, error) {
	switch strings.ToLower(text) {
	case "b", "black":
		return game.First, nil
	case "w", "white":
		return game.Second, nil
	}
	return 0, fmt.Errorf("syntax error: color %q: expected black or white", text)
}

// playMove plays a move. implicit marks a pass that the controller did not send.
func (g *gtpServer) playMove(m game.Move, slipped bool) error {
	if err := g.match.Play(m); err != nil {
		return fmt.Errorf("illegal move: %w", err)
	}
	g.implicit = append(g.implicit, slipped)
	return nil
}

func (g *gtpServer) play(_ context.Context, args []string) (string, error) {
	if g.match.Over() {
		return "", errors.New("illegal move: the game is over")
	}
	if _, err := g.turn(args[0]); err != nil {
		return "", err
	}
	m, err := ggf.Parse(g.match.Position(), args[1])
	if err != nil {
		g.undoImplicitPasses()
		if errors.Is(err, game.ErrIllegal) {
			return "", errors.New("illegal move")
		}
		return "", fmt.Errorf("syntax error: %w", err)
	}
	return "", g.playMove(m, false)
}

// undoImplicitPasses takes back passes that the controller did not send.
func (g *gtpServer) undoImplicitPasses() {
	for n := len(g.implicit); n > 0 && g.implicit[n-1]; n-- {
		g.match.Undo()
		g.implicit = g.implicit[:n-1]
	}
}

// genMove searches a move, and plays it if stay is set.
func (g *gtpServer) genMove(ctx context.Context, colour string, stay bool) (string, error) {
	side, err := g.turn(colour)
	if err != nil {
		return "", err
	}
	if g.match.Over() {
		return "PASS", nil
	}
	p := g.match.Position()
	began := time.Now()
	line := g.Search.Search(ctx, searchPosition(g.match), g.clocks.limit(side, g.Limit), nil)
	g.clocks.spend(side, time.Since(began))
	if !stay {
		g.undoImplicitPasses()
		return upper(p, line.Best(), "PASS"), nil
	}
	return upper(p, line.Best(), "PASS"), g.playMove(line.Best(), false)
}

func (g *gtpServer) undo(context.Context, []string) (string, error) {
	if len(g.implicit) == 0 {
		return "", errors.New("cannot undo")
	}
	g.match.Undo()
	g.implicit = g.implicit[:len(g.implicit)-1]
	g.undoImplicitPasses()
	return "", nil
}

func (g *gtpServer) finalScore(context.Context, []string) (string, error) {
	if !g.match.Over() {
		return "", errors.New("cannot score: the game is not over")
	}
	switch n := ggf.Lead(g.match.Position(), game.First); {
	case n > 0:
		return fmt.Sprintf("B+%d", n), nil
	case n < 0:
		return fmt.Sprintf("W+%d", -n), nil
	}
	return "0", nil
}

func (g *gtpServer) showBoard(context.Context, []string) (string, error) {
	p := g.match.Position()
	n, board := ggf.Size(p), ggf.Cells(p)
	b := p.Board()
	var s strings.Builder
	fmt.Fprintf(&s, "%s to move, %s\n   %s\n", gtpColours[p.Turn()], b.Note, strings.Join(b.Cols, " "))
	for i, label := range b.Rows {
		fmt.Fprintf(&s, "%2s %s\n", label, strings.Join(strings.Split(string(board[i*n:(i+1)*n]), ""), " "))
	}
	return strings.TrimRight(s.String(), "\n"), nil
}
