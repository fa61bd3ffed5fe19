package players

import (
	"strings"
	"testing"

	"quintet/games"
)

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
