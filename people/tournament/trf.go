package tournament

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// This file writes FIDE's Tournament Report File in the version of 2026 (Handbook C.04, TRF26), as far as it
// concerns pairing. Players stand in the order of the ranking, so that their numbers are pairing numbers.

// Report is what a report says beside the games.
type Report struct {
	Name       string
	Start, End string   // dates, 2026/11/27
	Names      []string // of the players, in the order of the state
}

// ErrReport means that a form of tournament has no report: its players do not play once in each round.
var ErrReport = errors.New("a report is for a Swiss or a round robin")

// The results of the first and the second player of a game, and those of byes, in the order of outcomes.
const (
	results = "  1001==-++---"
	byes    = "UHZ"
)

// WriteTRF writes the rounds of a Swiss or a round robin.
func (s *State) WriteTRF(w io.Writer, r Report) error {
	if s.Form != Swiss && s.Form != Robin {
		return fmt.Errorf("writing a report: %w", ErrReport)
	}
	out := bufio.NewWriter(w)
	line := func(format string, args ...any) { _, _ = fmt.Fprintf(out, format+"\r\n", args...) } // Flush returns the error
	for _, f := range []struct{ tag, value string }{
		{"012", r.Name}, {"042", r.Start}, {"052", r.End},
		{"062", strconv.Itoa(len(s.Players))},
	} {
		if f.value != "" {
			line("%s %s", f.tag, plain(f.value))
		}
	}
	s.writeSystem(line)
	s.writePlayers(line, r.Names)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing a report: %w", err)
	}
	return nil
}

func (s *State) writeSystem(line func(string, ...any)) {
	if s.Form == Robin {
		line("092 Individual: Round-Robin")
		line("142 %d", s.robinRounds())
		line("212 PTS,DE,SB,WIN")
		return
	}
	colour := "W"
	if s.Lot {
		colour = "B"
	}
	line("092 Individual: Swiss-System")
	line("142 %d", s.Rounds)
	line("152 %s", colour)
	line("192 FIDE_DUTCH")
	line("212 PTS,BH/C1,BH,SB,DE,WIN")
}

func (s *State) writePlayers(line func(string, ...any), names []string) {
	table := make([]Standing, len(s.Players))
	for _, t := range s.Standings() {
		table[t.Player] = t
	}
	ranking := s.Ranking()
	cells := s.cells(ranking)
	for i, p := range ranking {
		name, t := s.Players[p].ID, table[p]
		if p < len(names) {
			name = names[p]
		}
		line("001 %4d      %-33.33s %4d%28s%2d.%d %4d%s", i+1, plain(name), min(max(s.Players[p].Rating, 0), 9999), "",
			t.Points/2, t.Points%2*5, t.Rank, strings.Join(cells[i], ""))
	}
}

// plain replaces what would break a line of a report.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}

// cells returns the results of each player in the order of the ranking, round by round.
func (s *State) cells(ranking []int) [][]string {
	number := make([]int, len(ranking))
	cells := make([][]string, len(ranking))
	for i, p := range ranking {
		number[p] = i
		cells[i] = slices.Repeat([]string{"  0000 - Z"}, s.Round())
	}
	for _, g := range s.Games {
		a, r := number[g.First], g.Round-1
		if g.Second == None {
			cells[a][r] = "  0000 - " + byes[g.Outcome-PairingBye:][:1]
			continue
		}
		b := number[g.Second]
		cells[a][r] = fmt.Sprintf("  %4d w %c", b+1, results[2*g.Outcome])
		cells[b][r] = fmt.Sprintf("  %4d b %c", a+1, results[2*g.Outcome+1])
	}
	return cells
}
