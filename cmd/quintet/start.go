package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"quintet/game"
	"quintet/games"
)

// start holds the flags for the starting position of a command.
type start struct {
	flags    *cobra.Command
	size     string
	pits     string
	discs    string
	position string
	moves    string
}

// addStart adds the flags for the set-up of a game.
func addStart(c *cobra.Command) *start {
	s := &start{flags: c}
	c.Flags().StringVar(&s.size, "size", "", "`N` rows and columns: even, 4 to 26 (othello, default 8); 1 to 26 (connect6, default 19)")
	c.Flags().StringVar(&s.pits, "pits", "", "`cells` that cannot be played, such as a1,b2 (othello)")
	c.Flags().StringVar(&s.discs, "start", "", "`discs` at the start: course or standard, its mirror image (othello)")
	return s
}

// addPosition adds the flags to start in the middle of a game.
func (s *start) addPosition() {
	s.flags.Flags().StringVar(&s.position, "position", "", "start from this `position` instead of a new game")
	s.flags.Flags().StringVar(&s.moves, "moves", "", "play these `moves` first, such as \"e3 d3\"")
}

// find returns the game of a name and the position of the flags.
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

// begin returns the position before the moves of the flags.
func (s *start) begin(g game.Game) (game.Position, error) {
	setup := s.setup()
	if !s.flags.Flags().Changed("position") {
		return g.Start(setup)
	}
	if len(setup) > 0 {
		return nil, errors.New("--position describes the whole board: omit --size, --pits and --start")
	}
	return g.Read(fromSquares(s.position))
}

// setup returns the options given as flags.
func (s *start) setup() game.Setup {
	setup := game.Setup{"size": s.size, "pits": s.pits, "start": s.discs}
	maps.DeleteFunc(setup, func(flag, _ string) bool { return !s.flags.Flags().Changed(flag) })
	return setup
}

// playAll plays moves in notation, separated by spaces, and returns them.
func playAll(p game.Position, text string) (moves []game.Move, err error) {
	if moves, err = game.PlayTexts(p, strings.Fields(text)); err != nil {
		return nil, fmt.Errorf("move %d of --moves: %w", len(moves)+1, err)
	}
	return moves, nil
}

// interruptible returns a context that is cancelled by SIGINT or SIGTERM, for commands that
// then print what they have.
func interruptible(c *cobra.Command) (ctx context.Context, stop func()) {
	return signal.NotifyContext(c.Context(), syscall.SIGINT, syscall.SIGTERM)
}

// withPrograms is interruptible for commands that run other programs. Those receive no
// signals from the terminal, so SIGHUP cancels the context too, except under nohup.
func withPrograms(c *cobra.Command) (ctx context.Context, stop func()) {
	if signal.Ignored(syscall.SIGHUP) {
		return interruptible(c)
	}
	return signal.NotifyContext(c.Context(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
}

// fromSquares converts 64 squares and a side to the notation of a position. It returns
// other texts unchanged.
func fromSquares(text string) string {
	fields := strings.Fields(text)
	if len(fields) != 2 || len(fields[0]) != 64 || strings.Trim(fields[0], "XO-.") != "" {
		return text
	}
	rows := game.FormatRows(8, 8, func(c game.Cell) byte {
		if square := fields[0][c]; square != '-' {
			return square
		}
		return game.Blank
	})
	return rows + " " + fields[1]
}
