package tui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/record"
	"quintet/tui/grid"
	"quintet/tui/sitting"
)

// plain is the program on a terminal that can only write one line after the
// other: boards are printed, moves and commands are typed.
type plain struct {
	*Common
	in      *bufio.Scanner
	out     *bufio.Writer
	sit     *sitting.Sitting
	players [2]Player
}

// plainHelp says what can be typed.
const plainHelp = "Type a move, or: undo, redo, hint, swap, resign, halt, save NAME, board, quit (the game is kept)."

// errLeave ends the program at the user's wish.
var errLeave = errors.New("left")

// RunPlain runs the program on a terminal without a cursor that can be placed
// (TERM=dumb). The game is kept after every move as it is by Run.
func RunPlain(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	o.Theme, o.Glyphs = "none", "ascii"
	c, err := newCommon(ctx, o)
	if err != nil {
		return err
	}
	p := &plain{Common: c, in: bufio.NewScanner(in), out: bufio.NewWriter(out)}
	defer p.release()
	err = p.begin()
	for err == nil {
		err = p.turn()
	}
	if ferr := p.out.Flush(); ferr != nil {
		return fmt.Errorf("writing to the terminal: %w", ferr)
	}
	if errors.Is(err, errLeave) {
		return nil
	}
	return err
}

func (p *plain) release() {
	for i, player := range p.players {
		if player != nil {
			_ = player.Close() // it is not needed any more, however it ends
			p.players[i] = nil
		}
	}
}

func (p *plain) print(format string, args ...any) { _, _ = fmt.Fprintf(p.out, format, args...) }

// ask prints a prompt and reads a line.
func (p *plain) ask(prompt string) (string, error) {
	p.print("%s", prompt)
	if err := p.out.Flush(); err != nil {
		return "", fmt.Errorf("writing to the terminal: %w", err)
	}
	if !p.in.Scan() {
		return "", errLeave
	}
	return strings.TrimSpace(p.in.Text()), nil
}

// begin finds out what is to be played.
func (p *plain) begin() (err error) {
	switch {
	case p.Open != nil:
		p.sit, err = resume(p.Common, p.Open)
	case p.Begin != nil:
		p.sit, err = p.Begin.begin(p.Common)
	default:
		err = p.choose()
	}
	if err == nil {
		p.print("%s\n%s\n", p.sit.Record.Game.Title, plainHelp)
		p.board()
	}
	return err
}

// choose asks for a game, or goes on with the one in progress.
func (p *plain) choose() error {
	current, err := p.Store.Current()
	if err != nil {
		p.print("%v\n", err)
	}
	want := game.Alternatives(games.Names())
	if current != nil {
		want = "continue (" + current.Game.Title + "), " + want
	}
	for {
		text, err := p.ask("Which game: " + want + "? ")
		if err != nil {
			return err
		}
		if p.sit, err = p.open(text, current); err == nil {
			return nil
		}
		p.print("%v\n", err)
	}
}

func (p *plain) open(text string, current *record.Record) (*sitting.Sitting, error) {
	if text == "continue" && current != nil {
		return resume(p.Common, current)
	}
	g, err := games.ByName(strings.ToLower(text))
	if err != nil {
		return nil, err
	}
	return p.last(g.Name).begin(p.Common)
}

// board prints the position.
func (p *plain) board() {
	b := p.sit.Position().Board()
	marks := map[game.Cell]grid.Mark{}
	for _, mv := range p.sit.LastTurn() {
		for _, c := range touched(mv) {
			marks[c] = grid.Mark{Last: true}
		}
	}
	v := grid.Fit(b, 1<<10, 1<<10, grid.Small, 0, grid.View{})
	p.print("\n%s\n", v.Draw(b, marks, grid.Dark(p.sit.Record.Game), p.Look))
	if b.Note != "" {
		p.print("%s\n", b.Note)
	}
}

// turn lets whoever is to move do so.
func (p *plain) turn() error {
	if err := p.Store.SaveCurrent(p.sit.Record); err != nil {
		p.print("%v\n", err)
	}
	if p.sit.Paused() {
		p.sit.Pause(false, p.Now())
	}
	side := p.sit.Turn()
	name := p.sit.Record.Game.Sides[side]
	result, why := p.sit.Result()
	if !result.Over() && p.sit.Terms.Seats[side] != sitting.Person {
		return p.engine(side, name)
	}
	prompt := name + " to move: "
	if result.Over() {
		text := "The game is drawn"
		if s, ok := result.Winner(); ok {
			text = p.sit.Record.Game.Sides[s] + " wins"
		}
		prompt = fmt.Sprintf("%s (%s). Undo, save or quit: ", text, why)
	}
	text, err := p.ask(prompt)
	if err != nil {
		return err
	}
	if p.sit.Flag(p.Now()) {
		p.print("The time is over\n")
		return nil
	}
	err = p.do(text)
	if err != nil && !errors.Is(err, errLeave) {
		p.print("%v\n", err)
		return nil
	}
	return err
}

// engine lets a player that is a machine move.
func (p *plain) engine(side game.Side, name string) error {
	if p.players[side] == nil {
		player, err := p.Players(p.ctx, p.sit.Terms.Seats[side], p.sit.Record.Game)
		if err != nil {
			return err
		}
		player.NewGame(p.Seed + uint64(side))
		p.players[side] = player
	}
	l := engine.Limit{Time: p.sit.Terms.MoveTime}
	if c := p.sit.Terms.Clock; c.Base > 0 {
		l = engine.Limit{Clock: engine.Clock{Left: p.sit.Left(side, p.Now()), Increment: c.Increment}}
	}
	mv, err := p.players[side].Choose(p.ctx, p.sit.Match(), l)
	if err != nil {
		p.sit.Seat(side, sitting.Person)
		p.print("%v; you play %s now\n", err, name)
		return p.ctx.Err()
	}
	p.print("%s plays %s\n", name, p.sit.Position().Format(mv))
	return p.play(mv)
}

func (p *plain) play(mv game.Move) error {
	if err := p.sit.Play(mv, p.Now()); err != nil {
		return err
	}
	p.board()
	return nil
}

// do does what was typed.
func (p *plain) do(text string) error {
	word, rest, _ := strings.Cut(text, " ")
	switch strings.ToLower(word) {
	case "":
		return nil
	case "quit", "exit":
		return errLeave
	case "help", "?":
		p.print("%s\nMoves are %s.\n", plainHelp, p.sit.Record.Game.Notation)
		return nil
	case "save":
		return p.save(strings.TrimSpace(rest))
	case "board":
		p.board()
		return nil
	}
	if done, err := p.command(strings.ToLower(word)); done {
		return err
	}
	mv, err := p.sit.Position().Parse(text)
	if err != nil {
		return err
	}
	return p.play(mv)
}

// command does what is not a move, and reports whether the word was that.
func (p *plain) command(word string) (done bool, err error) {
	switch word {
	case "undo":
		if !p.sit.Undo(p.Now()) {
			return true, errors.New("there is no move to take back")
		}
		p.board()
	case "redo":
		if !p.sit.Redo(p.Now()) {
			return true, errors.New("there is nothing to play again")
		}
		p.board()
	case "hint":
		return true, p.hint()
	case "swap":
		p.release()
		p.sit.Swap()
	case "resign":
		return true, p.sit.Resign(p.sit.Turn())
	case "halt":
		_, err = p.sit.Halt(p.sit.Turn())
		return true, err
	default:
		return false, nil
	}
	return true, nil
}

func (p *plain) save(name string) error {
	if name == "" {
		name = p.Store.FreeName(p.sit.Record, p.Now())
	}
	if p.Store.Exists(name) {
		return fmt.Errorf("there is a file %s already: want another name", name)
	}
	path, err := p.Store.Save(name, p.sit.Record)
	if err == nil {
		p.print("Saved in %s\n", path)
	}
	return err
}

func (p *plain) hint() error {
	if len(p.sit.Legal()) == 0 {
		return game.ErrOver
	}
	s, err := bots.Searcher(p.sit.Record.Game, bots.Options{})
	if err != nil {
		return err
	}
	m := p.sit.Match()
	keys := m.Keys()
	line := s.Search(p.ctx, engine.Position{Position: m.Position(), History: keys[:len(keys)-1], Repeat: m.Game().Repeat}, engine.Limit{Time: hintTime}, nil)
	p.print("The engine would play %s\n", p.sit.Position().Format(line.Best()))
	return nil
}
