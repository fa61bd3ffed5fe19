package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"quintet/internal/escape"
)

// What commands ask a server through its API, and how tournaments are printed.

// maxAnswer is the size in bytes of the largest answer in JSON, or line of a stream, that is read.
const maxAnswer = 4 << 20

// apiClient sends requests to the API of a server.
type apiClient struct {
	base  string // its address
	token string // of an account; "" for a guest
}

// open sends a request and returns the body of the answer, which the caller closes. The error has the server's reason.
func (a apiClient) open(ctx context.Context, method, path string, body any) (io.ReadCloser, error) {
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			return nil, fmt.Errorf("encoding the request: %w", err)
		}
	}
	q, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(a.base, "/")+path, bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("calling the server: %w", err)
	}
	if body != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	if a.token != "" {
		q.Header.Set("Authorization", "Bearer "+a.token)
	}
	got, err := http.DefaultClient.Do(q)
	if err != nil {
		return nil, fmt.Errorf("calling the server: %w", err)
	}
	if got.StatusCode/100 == 2 {
		return got.Body, nil
	}
	defer func() { _ = got.Body.Close() }()
	var problem struct{ Error string }
	if err := json.NewDecoder(io.LimitReader(got.Body, maxAnswer)).Decode(&problem); err != nil || problem.Error == "" {
		return nil, fmt.Errorf("the server answered %s", got.Status)
	}
	return nil, fmt.Errorf("the server rejected the request: %.300s", problem.Error)
}

// ask sends a request and decodes the answer.
func (a apiClient) ask(ctx context.Context, method, path string, body, answer any) error {
	in, err := a.open(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	if err := json.NewDecoder(io.LimitReader(in, maxAnswer)).Decode(answer); err != nil {
		return fmt.Errorf("reading the server's answer: %w", err)
	}
	return nil
}

// tournamentView is what the commands print of a tournament: docs/api.md has all of it.
type tournamentView struct {
	ID        string           `json:"id"`
	Title     string           `json:"title"`
	Form      string           `json:"form"`
	Phase     string           `json:"phase"`
	Players   int              `json:"players"`
	Round     int              `json:"round"`
	Running   int              `json:"running"`
	Next      string           `json:"next,omitempty"`
	Standings []tournamentRow  `json:"standings,omitempty"`
	Boards    []tournamentGame `json:"boards,omitempty"`
}

type tournamentRow struct {
	Rank   int     `json:"rank"`
	Name   string  `json:"name"`
	Rating int     `json:"rating"`
	Points float64 `json:"points"`
	Wins   int     `json:"wins"`
	Draws  int     `json:"draws"`
	Losses int     `json:"losses"`
}

type tournamentGame struct {
	ID     string                         `json:"id"`
	Game   string                         `json:"game"`
	Names  struct{ First, Second string } `json:"names"`
	Result string                         `json:"result"`
}

// state says where a tournament stands, in a line.
func (t tournamentView) state() string {
	text := fmt.Sprintf("%s, %d players", t.Phase, t.Players)
	if t.Round > 0 {
		text += fmt.Sprintf(", round %d, %d games in progress", t.Round, t.Running)
	}
	if t.Next != "" {
		text += ", next " + t.Next
	}
	return escape.Line(text) + "\n"
}

// text prints a tournament.
func (t tournamentView) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s, %s)\n%s\n", escape.Line(t.Title), t.Form, t.ID, t.state())
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

// watchTournament prints each change, and the addresses of the user's games, until the tournament is over.
func watchTournament(ctx context.Context, r tournamentRun) error {
	in, err := r.open(ctx, http.MethodGet, tournamentPath(r.args[0])+"/events", nil)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxAnswer)
	for said := ""; lines.Scan(); {
		var line struct{ Kind, URL, Side, Phase string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return fmt.Errorf("reading the server's stream: %w", err)
		}
		text := lines.Text() + "\n"
		switch {
		case line.Kind == "beat":
			continue
		case line.Kind == "change" && line.Phase == "over" && !r.asJSON:
			return showTournament(ctx, r)
		case line.Kind == "change" && !r.asJSON:
			var t tournamentView
			if err := r.ask(ctx, http.MethodGet, tournamentPath(r.args[0]), nil, &t); err != nil {
				return err
			}
			if text = t.state(); text == said {
				continue
			}
			said = text
		case !r.asJSON:
			text = fmt.Sprintf("your game, as the %s side: %s\n", escape.Line(line.Side), escape.Line(line.URL))
		}
		if _, err := io.WriteString(r.out, text); err != nil || line.Phase == "over" {
			return err
		}
	}
	if ctx.Err() != nil {
		return nil // the user has interrupted it
	}
	return errors.Join(errors.New("connection lost: run the command again"), lines.Err())
}
