package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"quintet/game"
	"quintet/games"
	"quintet/internal/cli"
	"quintet/tui/paint"
	"quintet/web"
)

func newGames() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "games [GAME]",
		Short: "List the games, or show the rules of one",
		Example: `  quintet games
  quintet games loa
  quintet games --json`,
		Args:              cli.AtMostOneGame,
		ValidArgsFunction: cli.CompleteGame,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return oneGameInfo(c.OutOrStdout(), args[0], asJSON)
			}
			if asJSON {
				list, err := gameList()
				if err != nil {
					return failed(err)
				}
				return writeJSON(c.OutOrStdout(), list)
			}
			return writeGames(c.OutOrStdout(), games.All())
		},
	}
	addJSON(c, &asJSON)
	return c
}

// gameInfo is the JSON report of a game.
type gameInfo struct {
	Name     string            `json:"name"`
	Title    string            `json:"title"`
	Sides    [2]string         `json:"sides"`
	Notation string            `json:"notation"`
	Options  []game.OptionInfo `json:"options"`
	Rules    string            `json:"rules"` // one paragraph a line
}

func gameList() ([]gameInfo, error) {
	list := []gameInfo{}
	for _, g := range games.All() {
		info, err := gameInfoOf(g)
		if err != nil {
			return nil, err
		}
		list = append(list, info)
	}
	return list, nil
}

func gameInfoOf(g game.Game) (gameInfo, error) {
	info := gameInfo{Name: g.Name, Title: g.Title, Sides: g.Sides, Notation: g.Notation, Options: g.OptionInfos()}
	var err error
	info.Rules, err = web.Rules(g)
	return info, err
}

// oneGameInfo prints one game with its options and rules.
func oneGameInfo(out io.Writer, name string, asJSON bool) error {
	g, err := games.ByName(name)
	if err != nil {
		return err
	}
	info, err := gameInfoOf(g)
	if err != nil {
		return failed(err)
	}
	if asJSON {
		return writeJSON(out, info)
	}
	if err := writeGames(out, []game.Game{g}); err != nil {
		return err
	}
	const width = 79
	for paragraph := range strings.Lines(info.Rules) {
		if _, err := fmt.Fprintf(out, "\n%s\n", strings.Join(paint.Wrap(paragraph, width), "\n")); err != nil {
			return failed(err)
		}
	}
	return nil
}

func writeGames(out io.Writer, all []game.Game) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, g := range all {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\n", g.Name, g.Title, g.Notation)
		for _, o := range g.Options {
			_, _ = fmt.Fprintf(w, "\t  %s\t%s%s\n", o.Name, o.Help, optionRange(o))
		}
	}
	return failed(w.Flush())
}

func optionRange(o game.Option) string {
	if o.Choices != nil {
		return fmt.Sprintf(": %s, default %s", game.Alternatives(o.Choices), o.ForNew())
	}
	if o.Max == 0 {
		return ""
	}
	kind := ""
	if o.Step == 2 {
		kind = "even, "
	}
	return fmt.Sprintf(": %s%d to %d, default %s", kind, o.Min, o.Max, o.ForNew())
}
