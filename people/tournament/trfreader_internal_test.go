package tournament

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// This file reads reports of a Swiss, of this program and others, for the tests.

// Columns of the line of a player, from 0.
const (
	colName   = 14
	colRating = 48
	colPoints = 80
	colRounds = 91
	cellWidth = 10 // of a round: opponent, colour and result, "  12 w 1  "
)

// ReadTRF reads a report of a Swiss. A mark of absence after the last round is the absence from the next one.
func ReadTRF(r io.Reader) (*State, Report, error) {
	f := trfReader{state: &State{Form: Swiss}}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, Report{}, fmt.Errorf("reading a report: %w", err)
	}
	text = bytes.ReplaceAll(text, []byte{'\r'}, []byte{'\n'}) // many programs end lines with \r alone
	scan := bufio.NewScanner(bytes.NewReader(text))
	for scan.Scan() {
		if err := f.line(scan.Text()); err != nil {
			return nil, Report{}, fmt.Errorf("reading a report, %.20q: %w", scan.Text(), err)
		}
	}
	if err := scan.Err(); err != nil {
		return nil, Report{}, fmt.Errorf("reading a report: %w", err)
	}
	if err := f.games(); err != nil {
		return nil, Report{}, fmt.Errorf("reading a report: %w", err)
	}
	return f.state, f.report, nil
}

type trfReader struct {
	state  *State
	report Report
	cells  [][]string // of each player
}

func (f *trfReader) line(s string) (err error) {
	tag, rest := s[:min(3, len(s))], strings.TrimSpace(s[min(4, len(s)):])
	switch tag {
	case "012":
		f.report.Name = rest
	case "142", "XXR":
		f.state.Rounds, err = strconv.Atoi(rest)
	case "152":
		f.state.Lot = strings.EqualFold(rest, "B")
	case "XXC":
		f.state.Lot = strings.Contains(rest, "black1")
	case "001":
		return f.player(s)
	}
	return err
}

func (f *trfReader) player(text string) error {
	s := []rune(text) // columns are characters
	if len(s) < colPoints {
		return fmt.Errorf("%d columns: want at least %d", len(s), colPoints)
	}
	number := len(f.cells) + 1
	if field := strings.TrimSpace(string(s[4:8])); field != strconv.Itoa(number) || number > MaxSwiss {
		return fmt.Errorf("player %q: want %d, and at most %d players", field, number, MaxSwiss)
	}
	rating, _ := strconv.Atoi(strings.TrimSpace(string(s[colRating : colRating+4]))) // 0 is unrated
	var cells []string
	for at := colRounds; at < len(s) && len(cells) < MaxRounds; at += cellWidth {
		cells = append(cells, fmt.Sprintf("%-8s", string(s[at:min(at+8, len(s))])))
	}
	f.cells = append(f.cells, cells)
	f.state.Players = append(f.state.Players, Player{ID: strconv.Itoa(number), Rating: rating})
	f.report.Names = append(f.report.Names, strings.TrimSpace(string(s[colName:colName+33])))
	return nil
}

// games adds the games of all rounds.
func (f *trfReader) games() error {
	last := 0
	for _, cells := range f.cells {
		for r, c := range cells {
			if opponent(c) != 0 || c[7] == 'U' {
				last = max(last, r+1)
			}
		}
	}
	for r := range last {
		for i, cells := range f.cells {
			if r >= len(cells) {
				continue
			}
			if err := f.game(r+1, i, cells[r]); err != nil {
				return fmt.Errorf("player %d, round %d: %w", i+1, r+1, err)
			}
		}
	}
	for i, cells := range f.cells {
		if len(cells) > last && strings.TrimSpace(cells[last]) != "" {
			f.state.Players[i].Joined = last + 2
		}
	}
	return nil
}

// opponent returns the number in a cell, 0 if there is none.
func opponent(cell string) int {
	n, err := strconv.Atoi(strings.TrimSpace(cell[:4]))
	if err != nil {
		return 0
	}
	return n
}

// game adds the game of a cell, if the player has the first move, or the bye.
func (f *trfReader) game(round, player int, cell string) error {
	n := opponent(cell)
	if n == 0 {
		f.bye(Game{Round: round, First: player, Second: None}, cell[7])
		return nil
	}
	if n < 0 || n > len(f.cells) || n == player+1 || round > len(f.cells[n-1]) || opponent(f.cells[n-1][round-1]) != player+1 {
		return fmt.Errorf("opponent %d has another opponent", n)
	}
	if cell[5] != 'w' {
		return nil
	}
	both := cell[7:8] + f.cells[n-1][round-1][7:8]
	for o := Running; o <= BothAbsent; o++ {
		if both == results[2*o:2*o+2] {
			f.state.Games = append(f.state.Games, Game{Round: round, First: player, Second: n - 1, Outcome: o})
			return nil
		}
	}
	return fmt.Errorf("results %q: want 1 and 0, = and =, + and -, or - and -", both)
}

func (f *trfReader) bye(g Game, result byte) {
	switch result {
	case 'U', 'F', '+':
		g.Outcome = PairingBye
	case 'H', '=':
		g.Outcome = HalfBye
	default:
		return
	}
	f.state.Games = append(f.state.Games, g)
}
