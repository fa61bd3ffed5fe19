package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"quintet/game"
	"quintet/games"
)

func newGames() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "games",
		Short: "List the games, how their moves are written, and what can be set up",
		Example: `  quintet games
  quintet games --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if asJSON {
				return writeJSON(c.OutOrStdout(), gameList())
			}
			return writeGames(c.OutOrStdout(), games.All())
		},
	}
	addJSON(c, &asJSON)
	return c
}

// gameInfo is what a program is told of a game.
type gameInfo struct {
	Name     string       `json:"name"`
	Title    string       `json:"title"`
	Sides    [2]string    `json:"sides"`
	Notation string       `json:"notation"`
	Options  []optionInfo `json:"options"`
}

type optionInfo struct {
	Name    string   `json:"name"`
	Help    string   `json:"help"`
	Default string   `json:"default"`
	Min     int      `json:"min,omitempty"`
	Max     int      `json:"max,omitempty"`
	Step    int      `json:"step,omitempty"`
	Choices []string `json:"choices,omitempty"`
}

func gameList() []gameInfo {
	list := []gameInfo{}
	for _, g := range games.All() {
		info := gameInfo{Name: g.Name, Title: g.Title, Sides: g.Sides, Notation: g.Notation, Options: []optionInfo{}}
		for _, o := range g.Options {
			info.Options = append(info.Options, optionInfo{o.Name, o.Help, o.Default, o.Min, o.Max, o.Step, o.Choices})
		}
		list = append(list, info)
	}
	return list
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
		return fmt.Sprintf(": %s, %s if not given", game.Alternatives(o.Choices), o.Default)
	}
	if o.Max == 0 {
		return ""
	}
	kind := ""
	if o.Step == 2 {
		kind = "even, "
	}
	return fmt.Sprintf(": %s%d to %d, %s if not given", kind, o.Min, o.Max, o.Default)
}

// failed marks an error, if it is one, as the run's.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}

func addJSON(c *cobra.Command, asJSON *bool) {
	c.Flags().BoolVar(asJSON, "json", false, "print one JSON object, for programs")
}

func writeJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return failed(e.Encode(v))
}
