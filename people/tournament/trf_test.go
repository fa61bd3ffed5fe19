package tournament_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quintet/lab/tournaments"
	"quintet/people/tournament"
)

// reported returns a tournament with every outcome that a report can have.
func reported(form tournament.Form) (*tournament.State, tournament.Report) {
	s := &tournament.State{Form: form, Rounds: 4, Lot: true}
	r := tournament.Report{Name: "Evening\nof Zürich", Start: "2026/11/27", End: "2026/11/28"}
	for i, name := range []string{"Ann", "Müller, Jörg", "A name that is longer than the thirty-three columns", "Łukasz", "Eve", "Fay"} {
		s.Players = append(s.Players, tournament.Player{ID: strconv.Itoa(i), Rating: 1500 + 100*(i%3)})
		r.Names = append(r.Names, name)
	}
	add := func(round, first, second int, o tournament.Outcome) {
		s.Games = append(s.Games, tournament.Game{Round: round, First: first, Second: second, Outcome: o})
	}
	add(1, 0, 1, tournament.FirstWins)
	add(1, 2, 3, tournament.SecondWins)
	add(1, 4, 5, tournament.Drawn)
	add(2, 1, 2, tournament.FirstAbsent)
	add(2, 3, 4, tournament.SecondAbsent)
	add(2, 5, 0, tournament.BothAbsent)
	add(3, 0, 2, tournament.Drawn)
	add(3, 3, 1, tournament.FirstWins)
	if form == tournament.Swiss {
		add(3, 4, nobody, tournament.PairingBye)
		add(3, 5, nobody, tournament.HalfBye)
	}
	add(4, 0, 3, tournament.Running)
	return s, r
}

// TestTRF compares reports with golden files, and with the columns of TRF26.
func TestTRF(t *testing.T) {
	for _, form := range []tournament.Form{tournament.Swiss, tournament.Robin} {
		s, r := reported(form)
		var b bytes.Buffer
		if err := s.WriteTRF(&b, r); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", string(form)+".trf")
		if os.Getenv("QUINTET_GOLDEN") != "" {
			if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if b.String() != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", form, &b, want)
		}
		checkColumns(t, s, r, b.String())
	}
	s := &tournament.State{Form: tournament.Arena}
	if err := s.WriteTRF(io.Discard, tournament.Report{}); !errors.Is(err, tournament.ErrReport) {
		t.Errorf("the report of an arena: %v", err)
	}
}

// checkColumns checks the lines of players against the columns of TRF26, from 1: the number is in 5 to 8, the name in 15
// to 47, the rating in 49 to 52, the points in 81 to 84, the rank in 86 to 89, and rounds follow from 92, 10 columns each.
func checkColumns(t *testing.T, s *tournament.State, r tournament.Report, report string) {
	t.Helper()
	table := make([]tournament.Standing, len(s.Players))
	for _, row := range s.Standings() {
		table[row.Player] = row
	}
	ranking := s.Ranking()
	number := 0
	for text := range strings.SplitSeq(report, "\r\n") {
		l := []rune(text)
		if !strings.HasPrefix(text, "001 ") {
			continue
		}
		p := ranking[number]
		number++
		cut := func(from, to int) string { return strings.TrimSpace(string(l[from-1 : to])) }
		name := []rune(r.Names[p])
		got := []string{cut(5, 8), cut(15, 47), cut(49, 52), cut(81, 84), cut(86, 89)}
		want := []string{
			strconv.Itoa(number), strings.TrimSpace(string(name[:min(33, len(name))])), strconv.Itoa(s.Players[p].Rating),
			fmt.Sprintf("%.1f", float64(table[p].Points)/2), strconv.Itoa(table[p].Rank),
		}
		if !slices.Equal(got, want) {
			t.Errorf("player %d: %q, want %q", number, got, want)
		}
		for _, g := range s.Games {
			o := g.First + g.Second - p
			switch at := 92 + 10*(g.Round-1); {
			case g.First != p && g.Second != p:
			case g.Second == nobody && cut(at, at+5) != "0000 -":
				t.Errorf("player %d, round %d: %q", number, g.Round, cut(at, at+7))
			case g.Second != nobody && (cut(at, at+3) != strconv.Itoa(slices.Index(ranking, o)+1) || cut(at+5, at+5) != map[bool]string{true: "w", false: "b"}[g.First == p]):
				t.Errorf("player %d, round %d: %q, against %d", number, g.Round, cut(at, at+7), o)
			}
		}
	}
	if number != len(s.Players) {
		t.Errorf("%d players, want %d", number, len(s.Players))
	}
}

// TestTRFRead reads the reports of random tournaments: names, points and tie-breaks come back.
func TestTRFRead(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for range 100 {
		s, _ := tournaments.Swiss(rng, 3+rng.IntN(10), 2+rng.IntN(6), func(*tournament.State, []tournament.Game) {})
		if s.Round() == 0 {
			continue
		}
		var names []string
		for p := range s.Players {
			names = append(names, "Jürgen "+strconv.Itoa(p))
		}
		var b bytes.Buffer
		if err := s.WriteTRF(&b, tournament.Report{Name: "Zürich", Names: names}); err != nil {
			t.Fatal(err)
		}
		read, r, err := tournament.ReadTRF(bytes.NewReader(b.Bytes()))
		if err != nil || r.Name != "Zürich" || read.Rounds != s.Rounds || read.Lot != s.Lot {
			t.Fatalf("%v, %+v, %+v", err, r, read)
		}
		want := map[string]tournament.Standing{}
		for _, row := range s.Standings() {
			want[names[row.Player]] = row
		}
		for _, row := range read.Standings() {
			w := want[r.Names[row.Player]]
			if w.Player = row.Player; w.Rank != row.Rank || w.Points != row.Points || w.Tie != row.Tie {
				t.Fatalf("%s: %+v, want %+v\n%s", r.Names[row.Player], row, w, &b)
			}
		}
	}
}
