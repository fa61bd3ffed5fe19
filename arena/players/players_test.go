package players

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"quintet/engine"
	"quintet/game"
	"quintet/games"
)

// scripted is an external program that makes mistakes.
type scripted struct {
	externalPlayer

	errs []error
}

func (s *scripted) Choose(_ context.Context, m *game.Match, _ engine.Limit) (game.Move, error) {
	err := s.errs[0]
	s.errs = s.errs[1:]
	return m.Legal()[0], err
}

func (*scripted) LastAnswer() string         { return "z9" }
func (*scripted) CPU() (time.Duration, bool) { return 2 * time.Second, true }
func (*scripted) Close() error               { return nil }

// TestFaults lists what is said of a program that plays, resigns, breaks the rules and fails.
func TestFaults(t *testing.T) {
	g, err := games.ByName("othello")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	p := NewFaults(&out).Watch(&scripted{errs: []error{nil, game.ErrResigned, game.ErrIllegal, errors.New("oh")}}, "x")
	start := positionAfter(t, g)
	for range 4 {
		_, _ = p.Choose(t.Context(), game.NewMatch(g, start), engine.Limit{})
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	want := []string{`move 1: "z9" is not a legal move in ` + `"` + start.String() + `"`, "move 1: oh", "4 moves, 2.00 s of processor time, 500.00 ms a move"}
	for i, line := range want {
		want[i] = `quintet: player "x": ` + line + "\n"
	}
	if got := out.String(); got != strings.Join(want, "") {
		t.Errorf("%s, want\n%s", got, strings.Join(want, ""))
	}
}

// TestNewRefuses lists names of players that cannot be made, and what is said of them.
func TestNewRefuses(t *testing.T) {
	g, err := games.ByName("othello")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"nobody":                 `player "nobody": name `,
		"ugi:/no/such/program":   `player "ugi:/no/such/program": `,
		"gtp:":                   "gtp",
		"level:11":               "level",
		"engine[nothing=1]":      "nothing",
		"engine[book=/no/book]":  "/no/book",
		"engine[book":            "engine[book",
		"nboard:/no/such/engine": `player "nboard:/no/such/engine": `,
	} {
		if p, err := New(t.Context(), name, g, 1); err == nil || p != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %q", name, p, err, want)
		}
	}
}
