// Package lines plays a game line by line, for terminals without cursor control
// (TERM=dumb). It answers invalid input with the valid alternatives and saves the
// game after every move.
package lines

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/tui"
	"quintet/tui/board"
	"quintet/tui/paint"
	"quintet/tui/table"
)

// session is one run of the program.
type session struct {
	ctx  context.Context
	env  tui.Env
	in   *bufio.Scanner
	out  io.Writer
	t    *table.Table
	path string
	quit bool
	err  error // of writing
}

// commands lists the input other than moves.
func commands() []command {
	return []command{
		{"help", "this list", (*session).help},
		{"board", "show the board again", (*session).show},
		{"moves", "list the legal moves", (*session).moves},
		{"rules", "how the game is played", (*session).rules},
		{"undo", "take back to your last move", func(s *session) { s.t.Back(s.env.Now()); s.show() }},
		{"redo", "play again what was taken back", func(s *session) { s.t.Forward(s.env.Now()); s.show() }},
		{"hint", "what the engine would play", (*session).hint},
		{"resign", "give the game up", func(s *session) { s.end(s.t.Resign(s.t.Turn(), s.env.Now())) }},
		{"halt", "halt a game of chess, so that the pieces are counted", func(s *session) { s.end(s.t.Halt(s.t.Turn(), false, s.env.Now())) }},
		{"quit", "leave; the game is kept", func(s *session) { s.quit = true }},
	}
}

type command struct {
	name, help string
	run        func(*session)
}

// Run plays until the game is over, the user quits, or the input ends. Without a
// table it offers the unfinished game or asks for a game.
func Run(ctx context.Context, env tui.Env, t *table.Table, in io.Reader, out io.Writer) error {
	s := &session{ctx: ctx, env: env, in: bufio.NewScanner(in), out: out, t: t}
	if t == nil && !s.choose() {
		return s.err
	}
	if s.path == "" {
		path, err := env.Store.NewGame(s.t.Game().Name, env.Now())
		if err != nil {
			return err
		}
		s.path = path
	}
	return s.play()
}

// say prints a text in the user's language.
func (s *session) say(format string, values ...any) {
	for i, v := range values {
		switch v := v.(type) {
		case error:
			values[i] = s.env.Language.Sentence(v.Error())
		case string:
			values[i] = s.env.Language.Sentence(v)
		}
	}
	if _, err := io.WriteString(s.out, s.env.Language.Say(format, values...)); err != nil && s.err == nil {
		s.err = fmt.Errorf("writing: %w", err)
	}
}

// ask prints a question and reads the answer; ok is false at the end of the input.
func (s *session) ask(question string) (answer string, ok bool) {
	s.say("%s ", question)
	if s.err != nil || !s.in.Scan() {
		return "", false
	}
	return strings.TrimSpace(s.in.Text()), true
}

// choose lets the user choose a game.
func (s *session) choose() bool {
	if e, r, ok := s.env.Store.Unfinished(); ok {
		answer, ok := s.ask(fmt.Sprintf("Continue %s, %d plies? (yes or no)", r.Game.Title, len(r.Main())))
		if !ok {
			return false
		}
		if answer == "" || strings.HasPrefix(strings.ToLower(answer), "y") {
			t, err := table.Resume(r, tui.SeatsOf(r), table.ControlOf(r))
			s.t, s.path = t, e.Path
			return err == nil
		}
	}
	for {
		name, ok := s.ask(fmt.Sprintf("Which game? %s:", game.Alternatives(games.Names())))
		if !ok {
			return false
		}
		g, err := games.ByName(strings.ToLower(name))
		if err == nil {
			s.t, err = table.New(g, g.NewSetup(nil), [2]string{table.Person, "level:3"}, table.Control{})
		}
		if err == nil {
			return true
		}
		s.say("%v\n", err)
	}
}

func (s *session) play() error {
	s.t.Begin(s.env.Now())
	s.say("Type a move, or help.\n")
	s.show()
	for !s.quit && s.err == nil {
		if err := s.env.Store.Save(s.path, s.t.Record); err != nil {
			s.say("%v\n", err)
		}
		if s.t.Over() {
			s.say("%s\n", tui.OutcomeText(s.t))
			break
		}
		if name := s.t.Seats[s.t.Turn()]; name != table.Person {
			if err := s.engine(name); err != nil {
				return err
			}
			continue
		}
		answer, ok := s.ask(s.env.Language.Sentence(s.t.Game().Sides[s.t.Turn()]) + ">")
		if !ok {
			break
		}
		s.answer(answer)
	}
	s.say("\n")
	return s.err
}

// answer handles a line of input.
func (s *session) answer(text string) {
	for _, c := range commands() {
		if strings.EqualFold(text, c.name) {
			c.run(s)
			return
		}
	}
	m, err := s.t.Position().Parse(text)
	if err == nil {
		err = s.t.Play(m, s.env.Now())
	}
	if err != nil {
		s.say("%v (or type help)\n", err)
		return
	}
	s.show()
}

// engine lets the named player move.
func (s *session) engine(name string) error {
	p, err := s.env.Player(s.ctx, name, s.t.Game())
	if err != nil {
		return err
	}
	p.NewGame(s.env.Seed())
	m, err := s.t.Record.Match(s.t.At())
	if err != nil {
		return errors.Join(err, p.Close())
	}
	mv, err := p.Choose(s.ctx, m, engine.Limit{Time: tui.DefaultMoveTime})
	err = errors.Join(err, p.Close())
	switch {
	case errors.Is(err, game.ErrResigned):
		s.end(s.t.Resign(s.t.Turn(), s.env.Now()))
		return nil
	case err != nil:
		return err
	}
	side, text := s.t.Game().Sides[s.t.Turn()], s.t.Position().Format(mv)
	if err := s.t.Play(mv, s.env.Now()); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s.say("%s plays %s.\n", side, text)
	s.show()
	return nil
}

func (s *session) show() {
	p := s.t.Position()
	pic := board.Picture{Board: p.Board(), Dark: s.t.Game().Look.Dark(), Marks: map[game.Cell]board.Mark{}}
	if n := s.t.At(); n.Parent != nil && n.Move != game.Pass {
		pic.Marks[n.Move.To()] = board.Mark{Last: true}
	}
	w, h := 2*len(pic.Board.Cols)+4, len(pic.Board.Rows)+1
	c := paint.New(w, h)
	pic.Draw(c, c.Whole(), paint.ASCIISigns())
	s.say("%s", c.Plain())
	s.say("%s\n", pic.Board.Note)
}

func (s *session) help() {
	s.say("A move is %s. Or:\n", s.t.Game().Notation)
	for _, c := range commands() {
		s.say("  %s %s\n", paint.Pad(c.name, 8), c.help)
	}
}

func (s *session) rules() {
	text, err := s.env.Rules(s.t.Game())
	if err != nil {
		s.say("%v\n", err)
		return
	}
	const width = 79
	for paragraph := range strings.Lines(text) {
		s.say("%s\n", strings.Join(paint.Wrap(s.env.Language.Sentence(strings.TrimSpace(paragraph)), width), "\n"))
	}
}

func (s *session) moves() {
	p := s.t.Position()
	var words []string
	for _, m := range s.t.Match().Legal() {
		words = append(words, p.Format(m))
	}
	s.say("%s\n", strings.Join(words, " "))
}

func (s *session) hint() {
	search, err := s.env.Searcher(s.t.Game())
	if err != nil {
		s.say("%v\n", err)
		return
	}
	line := search.Search(s.ctx, engine.At(s.t.Match()), engine.Limit{Time: tui.DefaultMoveTime}, nil)
	s.say("Hint: %s\n", s.t.Position().Format(line.Best()))
}

func (s *session) end(err error) {
	if err != nil {
		s.say("%v\n", err)
	}
}
