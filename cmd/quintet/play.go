package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"quintet/bots"
	"quintet/game"
	"quintet/games"
	"quintet/protocol/program"
	"quintet/tui"
	"quintet/tui/look"
	"quintet/tui/sitting"
	"quintet/tui/store"
)

// playFlags are the flags of the command but those of the set-up.
type playFlags struct {
	sides         [2]string
	clock         string
	movetime      time.Duration
	halt          string
	theme, glyphs string
}

func newPlay() *cobra.Command {
	var f playFlags
	c := &cobra.Command{
		Use:   "play GAME",
		Short: "Play in the terminal, against a person, a level or an engine",
		Long: `Play begins a game in the terminal program at once. Without flags, a person plays
the side that moves first against level 3. The game is kept after every move: quintet
without arguments offers to continue it.

Players are person, ` + playerHelp + `.`,
		Example: `  quintet play othello --second level:5
  quintet play chess --first engine --second person --clock 5+3
  quintet play connect6 --size 13 --second person
  quintet play othello --size 10 --pits c3,h8 --theme safe`,
		Args:              oneGame,
		ValidArgsFunction: completeGame,
	}
	s := addStart(c)
	f.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		choice, err := f.choice(args[0], s.setup())
		if err != nil {
			return err
		}
		return runTerminal(c, f.theme, f.glyphs, &choice)
	}
	return c
}

func (f *playFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.sides[0], "first", sitting.Person, "`player` of the side that moves first")
	flags.StringVar(&f.sides[1], "second", "level:3", "`player` of the other side")
	flags.StringVar(&f.clock, "clock", "none", "`minutes+seconds` for the game and for each move, such as 5+3")
	flags.DurationVar(&f.movetime, "movetime", time.Second, "time of an engine for a move, in games without clocks")
	flags.StringVar(&f.halt, "halt", "", "`rule` who may halt the game: claim, agreed or none (chess)")
	flags.StringVar(&f.theme, "theme", "", "`colours`: auto, "+strings.Join(look.ThemeNames(), ", "))
	flags.StringVar(&f.glyphs, "glyphs", "", "`shapes`: auto, "+strings.Join(look.GlyphNames(), ", "))
}

// choice is the game that the flags describe.
func (f *playFlags) choice(name string, setup game.Setup) (tui.Choice, error) {
	g, err := games.ByName(name)
	if err != nil {
		return tui.Choice{}, err
	}
	if f.halt != "" {
		setup["halt"] = f.halt
	}
	if _, err := g.Start(setup); err != nil {
		return tui.Choice{}, err
	}
	for _, player := range f.sides {
		if player == sitting.Person {
			continue
		}
		if err := knownPlayer(player); err != nil {
			return tui.Choice{}, err
		}
	}
	if _, err := sitting.ParseClock(f.clock); err != nil {
		return tui.Choice{}, err
	}
	if f.movetime <= 0 {
		return tui.Choice{}, fmt.Errorf(`movetime "%s": want a time above 0, such as 500ms`, f.movetime)
	}
	return tui.Choice{Game: name, Setup: setup, Seats: f.sides, Clock: f.clock, MoveTime: f.movetime.String()}, nil
}

// knownPlayer says whether a name is one of a player, without making it.
func knownPlayer(name string) error {
	_, _, other, err := program.ParsePlayer(name, otherKinds())
	switch {
	case err != nil:
		return fmt.Errorf("player %w", err)
	case !other && !slices.Contains(bots.Names(), name):
		return fmt.Errorf("player %q: want person, %s", name, playerHelp)
	}
	return nil
}

// onTerminal reports whether a person sits at both ends.
func onTerminal(in io.Reader, out io.Writer) bool {
	i, ok1 := in.(*os.File)
	o, ok2 := out.(*os.File)
	return ok1 && ok2 && term.IsTerminal(i.Fd()) && term.IsTerminal(o.Fd())
}

// runTerminal runs the terminal program, with a game if there is one.
func runTerminal(c *cobra.Command, theme, glyphs string, begin *tui.Choice) error {
	files, err := store.Open(os.Getenv)
	if err != nil {
		return failure{err}
	}
	o := tui.Options{
		Players: func(ctx context.Context, name string, g game.Game) (tui.Player, error) {
			return newPlayer(ctx, name, g, 1)
		},
		Known: knownPlayer, Store: files, Env: os.Getenv, Now: time.Now, Seed: uint64(time.Now().UnixNano()),
		Theme: theme, Glyphs: glyphs, Begin: begin,
	}
	if _, err := look.New(orAuto(theme), orAuto(glyphs), look.TerminalOf(os.Getenv)); err != nil {
		return err
	}
	in, out := c.InOrStdin(), c.OutOrStdout()
	if !onTerminal(in, out) {
		return errors.New("play needs a terminal: want standard input and output to be one; quintet console plays line by line")
	}
	if look.TerminalOf(os.Getenv).Plain() {
		return failed(tui.RunPlain(c.Context(), o, in, out))
	}
	return failed(tui.Run(c.Context(), o, in, out))
}

func orAuto(name string) string {
	if name == "" {
		return look.Auto
	}
	return name
}
