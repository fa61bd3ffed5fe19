package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"quintet/internal/escape"
	"quintet/tui/remote"
)

// How commands print tournaments.

// tournamentState says where a tournament stands, in a line.
func tournamentState(t remote.Tournament) string {
	text := fmt.Sprintf("%s, %d players", t.Phase, t.Players)
	if t.Round > 0 {
		text += fmt.Sprintf(", round %d, %d games in progress", t.Round, t.Running)
	}
	if t.Next != "" {
		text += ", next " + t.Next
	}
	return escape.Line(text) + "\n"
}

// tournamentText prints a tournament.
func tournamentText(t remote.Tournament) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s, %s)\n%s\n", escape.Line(t.Title), t.Form, t.ID, tournamentState(t))
	fmt.Fprintf(&b, "%4s %7s %5s %-9s %s\n", "rank", "points", "elo", "w/d/l", "player")
	for _, r := range t.Standings {
		fmt.Fprintf(&b, "%4d %7g %5d %-9s %s\n", r.Rank, r.Points, r.Rating, fmt.Sprintf("%d/%d/%d", r.Wins, r.Draws, r.Losses), escape.Line(r.Name))
	}
	if len(t.Boards) > 0 {
		fmt.Fprintf(&b, "\n%-13s %-9s %-6s players\n", "id", "game", "result")
	}
	for _, g := range t.Boards {
		fmt.Fprintf(&b, "%-13s %-9s %-6s %s\n", g.ID, g.Game, g.Result, escape.Line(strings.TrimSuffix(g.Names.First+" - "+g.Names.Second, " - ")))
	}
	return b.String()
}

// seriesText prints a series.
func seriesText(s remote.Series) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, tournaments: %d\n\n%4s %7s %6s %4s %4s %s\n", escape.Line(s.Name), len(s.Tournaments), "rank", "points", "played", "won", "best", "player")
	for _, r := range s.Standings {
		fmt.Fprintf(&b, "%4d %7g %6d %4d %4d %s\n", r.Rank, r.Points, r.Played, r.Won, r.Best, escape.Line(r.Name))
	}
	return b.String()
}

// watchTournament prints each change, and the addresses of the user's games, until the tournament is over.
func watchTournament(ctx context.Context, r tournamentRun) error {
	said := ""
	var failure error
	err := r.Lines(ctx, remote.TournamentPath(r.args[0])+"/events", func(data []byte) bool {
		var text string
		var over bool
		if text, over, failure = r.watched(ctx, data); failure == nil && text != said {
			said = text
			_, failure = io.WriteString(r.out, text)
		}
		return failure == nil && !over
	})
	if failure = cmp.Or(failure, err); ctx.Err() == nil {
		return failure
	}
	return nil // the user has interrupted it
}

// watched returns what to print of a line of the stream of a tournament, and whether the tournament is over.
func (r tournamentRun) watched(ctx context.Context, data []byte) (text string, over bool, err error) {
	var line struct{ Kind, URL, Side, Phase string }
	if err := json.Unmarshal(data, &line); err != nil {
		return "", false, fmt.Errorf("reading the server's stream: %w", err)
	}
	over = line.Phase == "over"
	switch {
	case r.asJSON:
		return string(data) + "\n", over, nil
	case line.Kind == "game":
		return fmt.Sprintf("your game, as the %s side: %s\n", escape.Line(line.Side), escape.Line(line.URL)), false, nil
	}
	var t remote.Tournament
	if err := r.Ask(ctx, http.MethodGet, remote.TournamentPath(r.args[0]), nil, &t); err != nil {
		return "", false, err
	}
	if over {
		return tournamentText(t), true, nil
	}
	return tournamentState(t), false, nil
}
