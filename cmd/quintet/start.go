package main

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"quintet/game"
	"quintet/games"
)

// start is the position at which a command starts, as its flags describe it.
type start struct {
	flags    *cobra.Command
	size     string
	pits     string
	position string
	moves    string
}

// addStart gives a command the flags for the set-up of a game.
func addStart(c *cobra.Command) *start {
	s := &start{flags: c}
	c.Flags().StringVar(&s.size, "size", "", "`N` rows and columns: even, 4 to 26 (othello, 8 if not given); 1 to 26 (connect6, 19 if not given)")
	c.Flags().StringVar(&s.pits, "pits", "", "`cells` that nobody plays on, such as a1,b2 (othello)")
	return s
}

// addPosition gives a command the flags to start in the middle of a game, too.
func (s *start) addPosition() {
	s.flags.Flags().StringVar(&s.position, "position", "", "start from this `text` of a position instead of a new game")
	s.flags.Flags().StringVar(&s.moves, "moves", "", "play these `moves` first, such as \"e3 d3\"")
}

// find returns the game of a name and the position that the flags describe.
func (s *start) find(name string) (game.Game, game.Position, error) {
	g, err := games.ByName(name)
	if err != nil {
		return game.Game{}, nil, err
	}
	p, err := s.begin(g)
	if err == nil {
		_, err = playAll(p, s.moves)
	}
	return g, p, err
}

// game returns the position before the moves of the flags, and the moves.
func (s *start) game(g game.Game) (game.Position, []game.Move, error) {
	first, err := s.begin(g)
	if err != nil {
		return nil, nil, err
	}
	at := first.Clone()
	moves, err := playAll(at, s.moves)
	return first, moves, err
}

func (s *start) begin(g game.Game) (game.Position, error) {
	setup := s.setup()
	if !s.flags.Flags().Changed("position") {
		return g.Start(setup)
	}
	if len(setup) > 0 {
		return nil, errors.New("--position says all of the board: want it without --size and --pits")
	}
	return g.Read(fromSquares(s.position))
}

// setup returns the options that were given.
func (s *start) setup() game.Setup {
	setup := game.Setup{}
	if s.flags.Flags().Changed("size") {
		setup["size"] = s.size
	}
	if s.flags.Flags().Changed("pits") {
		setup["pits"] = s.pits
	}
	return setup
}

// playAll plays moves in notation, separated by blanks, and returns them.
func playAll(p game.Position, text string) (moves []game.Move, err error) {
	for i, word := range strings.Fields(text) {
		m, err := p.Parse(word)
		if err != nil {
			return nil, fmt.Errorf("move %d of --moves: %w", i+1, err)
		}
		moves = append(moves, m)
		p.Play(m)
	}
	return moves, nil
}

// oneGame is the check of the arguments of a command that takes a game.
func oneGame(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%d arguments: want one game: %s", len(args), game.Alternatives(games.Names()))
	}
	_, err := games.ByName(args[0])
	return err
}

func completeGame(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return games.Names(), cobra.ShellCompDirectiveNoFileComp
}

// interruptible returns a context that ends at an interrupt, for commands that
// can then say how far they came.
func interruptible(c *cobra.Command) (ctx context.Context, stop func()) {
	return signal.NotifyContext(c.Context(), syscall.SIGINT, syscall.SIGTERM)
}

// withPrograms is interruptible for commands that run other programs. These do
// not hear what the terminal says, so they are ended also when it is closed;
// under nohup all go on.
func withPrograms(c *cobra.Command) (ctx context.Context, stop func()) {
	if signal.Ignored(syscall.SIGHUP) {
		return interruptible(c)
	}
	return signal.NotifyContext(c.Context(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
}
