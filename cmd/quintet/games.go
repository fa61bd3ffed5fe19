package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"quintet/game"
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
			all, err := gamesOf(args)
			if err != nil {
				return err
			}
			list, err := gameInfos(all)
			switch {
			case err != nil:
				return failed(err)
			case asJSON && len(args) > 0:
				return writeJSON(c.OutOrStdout(), list[0])
			case asJSON:
				return writeJSON(c.OutOrStdout(), list)
			}
			if err := writeGames(c.OutOrStdout(), all); err != nil || len(args) == 0 {
				return err
			}
			return writeRules(c.OutOrStdout(), list[0].Rules)
		},
	}
	addJSON(c, &asJSON)
	return c
}

// gameInfo is the JSON report of a game.
type gameInfo struct {
	Name     string        `json:"name"`
	Title    string        `json:"title"`
	Sides    [2]string     `json:"sides"`
	Notation string        `json:"notation"`
	Options  []game.Option `json:"options"`
	Rules    string        `json:"rules"` // one paragraph a line
}

func gameInfos(all []game.Game) (list []gameInfo, err error) {
	for _, g := range all {
		info := gameInfo{Name: g.Name, Title: g.Title, Sides: g.Sides, Notation: g.Notation, Options: g.NewOptions()}
		if info.Rules, err = web.Rules(g); err != nil {
			return nil, err
		}
		list = append(list, info)
	}
	return list, nil
}

// writeRules writes paragraphs with a blank line before each.
func writeRules(out io.Writer, rules string) error {
	const width = 79
	text := ""
	for paragraph := range strings.Lines(rules) {
		text += "\n" + strings.Join(paint.Wrap(paragraph, width), "\n") + "\n"
	}
	_, err := io.WriteString(out, text)
	return failed(err)
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
