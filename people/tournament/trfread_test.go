package tournament_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"quintet/people/tournament"
)

// TestReadTRF reads a report, and reports with mistakes, which are refused.
func TestReadTRF(t *testing.T) {
	s := tournament.State{Form: tournament.Swiss, Rounds: 2}
	for _, id := range []string{"a", "b", "c", "d"} {
		s.Players = append(s.Players, tournament.Player{ID: id, Rating: 1500})
	}
	s.Games = []tournament.Game{
		{Round: 1, First: 0, Second: 2, Outcome: tournament.FirstWins}, {Round: 1, First: 3, Second: 1, Outcome: tournament.Drawn},
	}
	var b bytes.Buffer
	if err := s.WriteTRF(&b, tournament.Report{Name: "test"}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	read := func(text string) (*tournament.State, error) {
		s, _, err := tournament.ReadTRF(strings.NewReader(text))
		return s, err
	}
	if got, err := read(text); err != nil || len(got.Players) != 4 || len(got.Games) != 2 || got.Rounds != 2 {
		t.Fatalf("%+v, %v, want the tournament that was written:\n%s", got, err, text)
	}
	for _, c := range []struct{ old, with, want string }{
		{"\n001    2", "\n001    7", `player "7"`},
		{"   3 w 1", "   9 w 1", "opponent 9 has another opponent"},
		{"   3 w 1", "   2 w 1", "opponent 2 has another opponent"},
		{"   3 w 1", "  -3 w 1", "opponent -3 has another opponent"},
		{"   3 w 1", "   1 w 1", "opponent 1 has another opponent"},
		{"   3 w 1", "   3 w 1     3 w 1", "opponent 3 has another opponent"}, // who has no second round
		{"   3 w 1", "   3 w =", `results "=0"`},
	} {
		broken := strings.Replace(text, c.old, c.with, 1)
		if _, err := read(broken); broken == text || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %q", c.with, c.old, err, c.want)
		}
	}
	const letters = " 0123456789wb-=+UHZé\n\xff"
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		broken := []byte(text)
		for range 1 + rng.IntN(4) {
			broken[rng.IntN(len(broken))] = letters[rng.IntN(len(letters))]
		}
		_, _ = read(string(broken)) // must not panic
	}
}
