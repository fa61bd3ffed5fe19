package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"quintet/game"
	"quintet/games"
)

// NoArgs refuses arguments. For a command with others below it, it suggests the one that
// was meant.
func NoArgs(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case !c.HasSubCommands():
		return fmt.Errorf("%q: %s takes no arguments, only flags", args[0], c.CommandPath())
	}
	if meant := closest(c, args[0]); len(meant) > 0 {
		return fmt.Errorf("there is no command %q: did you mean %s %s?", args[0], c.CommandPath(), strings.Join(meant, " or "))
	}
	return fmt.Errorf("there is no command %q: %s --help lists them", args[0], c.CommandPath())
}

// closest returns the names of the commands below a command that differ from a text in the fewest letters.
func closest(c *cobra.Command, text string) []string {
	for letters := range min(2, len(text)/2) {
		c.SuggestionsMinimumDistance = letters + 1
		if meant := c.SuggestionsFor(text); len(meant) > 0 {
			return meant
		}
	}
	return nil
}

// closestFlag is closest for the flags of a command.
func closestFlag(c *cobra.Command, text string) []string {
	flags := new(cobra.Command)
	c.Flags().VisitAll(func(f *pflag.Flag) {
		hidden := f.Hidden || f.Name == "help" // every command has that
		flags.AddCommand(&cobra.Command{Use: f.Name, Hidden: hidden, Run: func(*cobra.Command, []string) {}})
	})
	return closest(flags, text)
}

// Exactly accepts exactly n arguments.
func Exactly(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return fmt.Errorf("%d arguments instead of %d: %s", len(args), n, c.UseLine())
		}
		return nil
	}
}

// AtMost accepts at most n arguments.
func AtMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return Exactly(n)(c, args)
		}
		return nil
	}
}

// OneGame takes the name or the title of one game, and puts its name in the place of the
// argument.
func OneGame(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%d arguments instead of one game: name %s", len(args), game.Alternatives(games.Names()))
	}
	return NameGame(args)
}

// AtMostOneGame takes one game, or none.
func AtMostOneGame(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return OneGame(c, args)
}

// NameGame replaces the title of a game by its name in the first of several arguments.
func NameGame(args []string) error {
	g, ok := find(args[0])
	if !ok {
		return fmt.Errorf("there is no game %q: name %s", args[0], game.Alternatives(games.Names()))
	}
	args[0] = g.Name
	return nil
}

// IsGame reports whether a text is the name or the title of a game.
func IsGame(text string) bool {
	_, ok := find(text)
	return ok
}

// find returns the game of a name or a title, in any case of its letters.
func find(text string) (game.Game, bool) {
	all := games.All()
	i := slices.IndexFunc(all, func(g game.Game) bool { return strings.EqualFold(g.Name, text) || strings.EqualFold(g.Title, text) })
	if i < 0 {
		return game.Game{}, false
	}
	return all[i], true
}

// CompleteGame completes the first argument with the names of the games.
func CompleteGame(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return games.Names(), cobra.ShellCompDirectiveNoFileComp
}
