package main

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"quintet/arena"
	"quintet/games"
)

func newArenaRatings() *cobra.Command {
	var asJSON, asCSV bool
	c := &cobra.Command{
		Use:   "ratings FILE...",
		Short: "Rate all players of recorded matches together",
		Long: `Ratings reads files written by --record, of any number of matches of one game, and prints
one list of ratings with 95 % intervals. The order of the files does not matter. The scale
is Elo, with the mean of all players at 0. Players who are not connected by games are
listed apart, because their ratings cannot be compared. Only whole pairs of games count.

A name stands for the same player with the same limit in all files. A file can also be the
output of --json, which is smaller than the records and can be rated together with others.`,
		Example: `  quintet arena ratings monday.jsonl tuesday.jsonl
  quintet arena ratings *.jsonl --csv > ratings.csv`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name at least one file written by --record")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			r, err := readResults(args)
			if err != nil {
				return failed(err)
			}
			switch {
			case asJSON:
				return writeJSON(c.OutOrStdout(), ratingsReportOf(r))
			case asCSV:
				return failed(writeRatingsCSV(c.OutOrStdout(), ratingsReportOf(r).Players))
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), strings.Join(ratingsText(r), "\n"))
			return failed(err)
		},
	}
	addJSON(c, &asJSON)
	c.Flags().BoolVar(&asCSV, "csv", false, "print a line for each player, for spreadsheets")
	c.MarkFlagsMutuallyExclusive("json", "csv")
	return c
}

// readResults reads the results of files.
func readResults(paths []string) (*arena.Results, error) {
	var r arena.Results
	for _, path := range paths {
		if err := addResults(&r, path); err != nil {
			return nil, fmt.Errorf("reading a record: %w", err)
		}
	}
	if len(r.Pairings) == 0 {
		return nil, fmt.Errorf("%s: no complete pair of games", strings.Join(paths, ", "))
	}
	return &r, nil
}

func addResults(r *arena.Results, path string) error {
	file, err := os.Open(path) //nolint:gosec // the user names the file
	if err != nil {
		return err //nolint:wrapcheck // the caller says what was read
	}
	defer func() { _ = file.Close() }()    // it is only read
	return r.Add(path, file, games.ByName) //nolint:wrapcheck // as above
}

// ratingsReport is the JSON report of ratings. [arena.Results] can read it.
type ratingsReport struct {
	Game     string          `json:"game"`
	Start    string          `json:"start"`
	Games    int             `json:"games"`
	Unpaired int             `json:"unpaired"`
	Sources  []string        `json:"sources"` // hashes of the headers of the records
	Players  []ratedPlayer   `json:"players"` // by group, best first
	Pairings []pairingReport `json:"pairings"`
}

type ratedPlayer struct {
	Group int `json:"group"` // from 1
	playerReport
	Player  string `json:"player"`
	Limit   string `json:"limit"`
	Threads int    `json:"threads"`
}

func ratingsReportOf(r *arena.Results) ratingsReport {
	contestants := map[string]arena.Contestant{}
	for _, c := range r.Players {
		contestants[c.Name] = c
	}
	report := ratingsReport{Game: r.Game, Start: r.Start, Unpaired: r.Unpaired, Sources: r.Sources}
	for i, s := range r.Groups() {
		report.Games += s.Games
		for _, p := range playerReports(s) {
			c := contestants[p.Name]
			report.Players = append(report.Players, ratedPlayer{i + 1, p, c.Player, c.Limit, c.Threads})
		}
	}
	for _, p := range r.Pairings {
		report.Pairings = append(report.Pairings, reportPairing(p.A, p.B, p.Score))
	}
	return report
}

func writeRatingsCSV(out io.Writer, players []ratedPlayer) error {
	w := csv.NewWriter(out)
	rows := [][]string{{"group", "name", "player", "limit", "threads", "games", "wins", "losses", "draws", "score", "elo", "elo_error"}}
	for _, p := range players {
		margin := fmt.Sprintf("%.1f", p.EloError)
		if p.Swept {
			margin = ""
		}
		rows = append(rows, []string{
			strconv.Itoa(p.Group), p.Name, p.Player, p.Limit, strconv.Itoa(p.Threads), strconv.Itoa(p.Games),
			strconv.Itoa(p.Wins), strconv.Itoa(p.Losses), strconv.Itoa(p.Draws), fmt.Sprintf("%.4f", p.Share), fmt.Sprintf("%.1f", p.Elo), margin,
		})
	}
	return w.WriteAll(rows) //nolint:wrapcheck // of the output
}

// ratingsText returns a table for each group of players.
func ratingsText(r *arena.Results) (lines []string) {
	groups := r.Groups()
	report := ratingsReportOf(r)
	lines = append(lines, fmt.Sprintf("%s: %d games%s", r.Game, report.Games, limitText(report.Players)))
	if r.Unpaired > 0 {
		lines = append(lines, fmt.Sprintf("not counted: %d without the other game of the pair", r.Unpaired))
	}
	if len(groups) > 1 {
		lines = append(lines, fmt.Sprintf("No games connect these %d groups of players: their ratings cannot be compared.", len(groups)))
	}
	for i, s := range groups {
		if len(groups) > 1 {
			lines = append(lines, "", fmt.Sprintf("Group %d, %d games:", i+1, s.Games))
		}
		lines = append(lines, ratingLines(s)...)
	}
	return lines
}

// limitText describes the limits of the players: the most frequent one, and those that differ.
func limitText(players []ratedPlayer) string {
	count := map[string]int{}
	for _, p := range players {
		count[p.Limit]++
	}
	usual := slices.MaxFunc(players, func(a, b ratedPlayer) int {
		return cmp.Or(count[a.Limit]-count[b.Limit], cmp.Compare(a.Limit, b.Limit))
	}).Limit
	text := ", limit " + usual
	for _, p := range players {
		if p.Limit != usual {
			text += fmt.Sprintf(", %s %s", p.Name, p.Limit)
		}
	}
	return text
}
