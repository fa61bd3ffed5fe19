package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strings"
	"unicode/utf8"

	"quintet/arena"
	"quintet/farm"
)

// matchReport is the JSON report of a match.
type matchReport struct {
	Game string `json:"game"`
	pairingReport
	Verdict string `json:"verdict,omitempty"`
}

// scoreReport is a score with its Elo difference and error.
type scoreReport struct {
	arena.Score
	Share       float64 `json:"score"`
	Elo         float64 `json:"elo"`
	EloError    float64 `json:"elo_error"`
	EloBound    float64 `json:"elo_bound,omitempty"` // after a sweep: the one-sided 95 % bound of elo
	Superiority float64 `json:"superiority"`
}

func reportScore(s arena.Score) scoreReport {
	elo, margin := s.Elo()
	bound, _ := s.EloBound()
	return scoreReport{Score: s, Share: s.Share(), Elo: elo, EloError: margin, EloBound: bound, Superiority: s.Superiority()}
}

// tournamentReport is the JSON report of a round robin or gauntlet.
type tournamentReport struct {
	Game        string          `json:"game"`
	Format      arena.Format    `json:"format"`
	Games       int             `json:"games"`
	Illegal     int             `json:"illegal"`
	TimeLosses  int             `json:"time_losses"`
	Crashes     int             `json:"crashes"`
	Resigned    int             `json:"resignations"`
	Adjudicated int             `json:"adjudicated"`
	MaxPlies    int             `json:"max_plies"`
	Repeated    int             `json:"repeated"`
	Players     []playerReport  `json:"players"` // best first
	Pairings    []pairingReport `json:"pairings"`
}

type playerReport struct {
	arena.Standing
	Share       float64 `json:"score"`
	Elo         float64 `json:"elo"`
	EloError    float64 `json:"elo_error"` // 0 after a sweep
	Swept       bool    `json:"swept,omitempty"`
	Superiority float64 `json:"superiority"` // over the next player
}

type pairingReport struct {
	A     string `json:"a"`
	B     string `json:"b"`
	Games int    `json:"games"`
	scoreReport
}

func reportPairing(a, b string, s arena.Score) pairingReport {
	return pairingReport{a, b, s.Games(), reportScore(s)}
}

// playerReports reports the players, best first.
func playerReports(s arena.Standings) (list []playerReport) {
	for _, rating := range s.Ratings() {
		p := s.Players[rating.Player]
		list = append(list, playerReport{p, p.Share(), rating.Elo, rating.Error, rating.Swept, rating.Superiority})
	}
	return list
}

func (r *arenaRun) matchReport(s arena.Standings) matchReport {
	score := s.Pairings[0].Score
	m := matchReport{Game: r.options.Game.Name, pairingReport: reportPairing(r.names[0], r.names[1], score)}
	if r.options.SPRT != nil {
		m.Verdict = r.options.SPRT.Verdict(score.LLR)
	}
	return m
}

func (r *arenaRun) tournamentReport(s arena.Standings) tournamentReport {
	t := tournamentReport{Game: r.options.Game.Name, Format: r.options.Format, Games: s.Games, Players: playerReports(s)}
	for _, p := range s.Pairings {
		t.Illegal += p.Score.Illegal
		t.TimeLosses += p.Score.TimeLosses
		t.Crashes += p.Score.Crashes
		t.Resigned += p.Score.Resigned
		t.Adjudicated += p.Score.Adjudicated
		t.MaxPlies += p.Score.MaxPlies
		t.Repeated += p.Score.Repeated
		t.Pairings = append(t.Pairings, reportPairing(s.Players[p.A].Name, s.Players[p.B].Name, p.Score))
	}
	return t
}

// write prints the result of the run.
func (r *arenaRun) write(s arena.Standings) error {
	if err := r.draw(s); err != nil {
		return err
	}
	switch {
	case r.flags.json && r.tournament():
		return writeJSON(r.out, r.tournamentReport(s))
	case r.flags.json:
		return writeJSON(r.out, r.matchReport(s))
	case r.tournament():
		_, err := fmt.Fprintln(r.out, strings.Join(r.tournamentLines(s), "\n"))
		return failed(err)
	}
	return failed(r.progress(s, false))
}

// draw writes the SVG file of --svg.
func (r *arenaRun) draw(s arena.Standings) error {
	if r.flags.svg == "" {
		return nil
	}
	var b bytes.Buffer
	title := fmt.Sprintf("%s: %d games", r.options.Game.Title, s.Games)
	if err := s.WriteSVG(&b, title); err != nil {
		return failed(err)
	}
	return failed(os.WriteFile(r.flags.svg, b.Bytes(), 0o644)) //nolint:gosec // a picture for others to read
}

// progress prints one line of progress. It is the last if no more games follow.
func (r *arenaRun) progress(s arena.Standings, running bool) error {
	line := r.matchLine(s, running)
	if r.tournament() {
		line = fmt.Sprintf("%d of %d games:", s.Games, s.Planned)
		for i, rating := range s.Ratings() {
			if i > 0 {
				line += ","
			}
			line += fmt.Sprintf(" %s %s ± %s", s.Players[rating.Player].Name, signed(rating.Elo), errorText(rating.Error, rating.Swept))
		}
	}
	_, err := fmt.Fprintln(r.out, line)
	return err
}

// matchLine describes the score of a match.
func (r *arenaRun) matchLine(s arena.Standings, running bool) string {
	score := s.Pairings[0].Score
	line := scoreLine(s.Players[0].Name, s.Players[1].Name, score)
	if r.options.SPRT != nil {
		line += fmt.Sprintf(", LLR %.2f (%s)", score.LLR, farm.SPRTOutcome(r.options.SPRT.Verdict(score.LLR), running))
	}
	return line
}

// scoreLine describes a score. It lists unusual ends of games, such as time losses, if
// there were any.
func scoreLine(a, b string, s arena.Score) string {
	p := reportScore(s)
	line := fmt.Sprintf("%s - %s: +%d -%d =%d of %d, score %.1f %%, %s, superior %.1f %%",
		a, b, s.Wins, s.Losses, s.Draws, s.Games(), 100*p.Share, s.EloText(), 100*p.Superiority)
	if s.Illegal+s.TimeLosses+s.Crashes > 0 {
		line += fmt.Sprintf(", illegal %d, time %d, crashes %d", s.Illegal, s.TimeLosses, s.Crashes)
	}
	for _, end := range []struct {
		name  string
		games int
	}{{"resigned", s.Resigned}, {"adjudicated", s.Adjudicated}, {"too long", s.MaxPlies}, {"repeated", s.Repeated}} {
		if end.games > 0 {
			line += fmt.Sprintf(", %s %d", end.name, end.games)
		}
	}
	return line
}

// tournamentLines returns the table of ratings and the scores of the pairings.
func (r *arenaRun) tournamentLines(s arena.Standings) []string {
	lines := ratingLines(s)
	for _, p := range s.Pairings {
		lines = append(lines, scoreLine(s.Players[p.A].Name, s.Players[p.B].Name, p.Score))
	}
	return lines
}

// ratingLines returns the table of ratings.
func ratingLines(s arena.Standings) []string {
	width := len("player")
	for _, p := range s.Players {
		width = max(width, utf8.RuneCountInString(p.Name))
	}
	lines := []string{fmt.Sprintf("%3s  %-*s %6s %5s %5s %5s %8s %6s %5s %9s %8s %5s %8s",
		"", width, "player", "games", "+", "-", "=", "score", "Elo", "±", "superior", "illegal", "time", "crashes")}
	for i, p := range playerReports(s) {
		superior := fmt.Sprintf("%.1f %%", 100*p.Superiority)
		if i == len(s.Players)-1 {
			superior = ""
		}
		lines = append(lines, fmt.Sprintf("%3d  %-*s %6d %5d %5d %5d %6.1f %% %6s %5s %9s %8d %5d %8d",
			i+1, width, p.Name, p.Games, p.Wins, p.Losses, p.Draws, 100*p.Share, signed(p.Elo), errorText(p.EloError, p.Swept), superior, p.Illegal, p.TimeLosses, p.Crashes))
	}
	return lines
}

// errorText formats the error of a rating, which is undefined after a sweep.
func errorText(err float64, swept bool) string {
	if swept {
		return "?"
	}
	return fmt.Sprintf("%.0f", err)
}

// signed formats a number with its sign; zero is +0.
func signed(x float64) string { return fmt.Sprintf("%+.0f", math.Round(x)+0) }
