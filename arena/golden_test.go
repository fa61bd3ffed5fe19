package arena_test

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"quintet/arena"
	"quintet/engine"
)

// golden compares a text with a file of testdata. QUINTET_GOLDEN=1 writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("QUINTET_GOLDEN") != "" {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (QUINTET_GOLDEN=1 writes it):\n%s", path, got)
	}
}

// TestGoldenRecord pins down the record of a gauntlet: times, clocks, scores, ends.
func TestGoldenRecord(t *testing.T) {
	var c clock
	o, h := recorded(t)
	o.Format, h.Format, o.Games, o.Concurrency, o.Now = arena.Gauntlet, arena.Gauntlet, 2, 1, c.now
	o.Entrants[0].Limit.Clock = engine.Clock{Left: time.Minute, Increment: time.Second}
	o.Entrants[0].Make = maker(fake{before: c.after(1500*time.Millisecond, random)})
	o.Entrants[1].Make = func() (engine.Player, error) {
		return &scorer{says: func(ply int) (int, bool) { return 7 * ply, ply > 8 }}, nil
	}
	o.Entrants[2].Limit.Clock = engine.Clock{Left: 5 * time.Second}
	o.Entrants[2].Make = maker(fake{before: c.after(2*time.Second, random)})
	path := filepath.Join(t.TempDir(), "games.jsonl")
	keep(context.Background(), t, path, o, h)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "gauntlet.jsonl", text)
}

// TestGoldenPicture pins down a picture of ratings.
func TestGoldenPicture(t *testing.T) {
	s := arena.Standings{Games: 120, Players: []arena.Standing{
		{Name: "first", Games: 80, Counts: arena.Counts{Wins: 50, Losses: 20, Draws: 10}}, {Name: "a name of forty letters, which has space", Games: 80, Counts: arena.Counts{Wins: 30, Losses: 40, Draws: 10}},
		{Name: "a name of forty-one letters, cut by a few", Games: 80, Counts: arena.Counts{Wins: 20, Losses: 40, Draws: 20}}, {Name: "none"},
	}, Pairings: []arena.Pairing{
		{A: 0, B: 1, Score: arena.Score{Pentanomial: [5]int{1, 3, 5, 6, 5}}}, {A: 0, B: 2, Score: arena.Score{Pentanomial: [5]int{0, 2, 5, 5, 8}}},
		{A: 1, B: 2, Score: arena.Score{Pentanomial: [5]int{3, 3, 6, 5, 3}}},
	}}
	var b bytes.Buffer
	if err := s.WriteSVG(&b, "Four players"); err != nil {
		t.Fatal(err)
	}
	golden(t, "ratings.svg", b.Bytes())
}

// TestEloOfPairs has differences and intervals worked out by hand: a share s is
// 400 log10(s/(1-s)), the interval 1.96 standard errors by the slope there. A pair
// of independent games counts as a prior of the variance.
func TestEloOfPairs(t *testing.T) {
	for _, test := range []struct {
		pentanomial [5]int
		elo, margin float64
	}{
		{[5]int{0, 0, 10, 0, 0}, 0, 45.91},      // no variance but the prior
		{[5]int{0, 0, 1, 1, 0}, 88.74, 234.44},  // 5/8
		{[5]int{0, 1, 1, 0, 0}, -88.74, 234.44}, // the same for the other
		{[5]int{5, 0, 0, 0, 5}, 0, 210.39},
		{[5]int{0, 0, 0, 1, 0}, 190.85, 453.98},
	} {
		s := arena.Score{Pentanomial: test.pentanomial}
		if elo, margin := s.Elo(); math.Abs(elo-test.elo) > 0.01 || math.Abs(margin-test.margin) > 0.01 {
			t.Errorf("%v: %.2f ± %.2f, want %.2f ± %.2f", test.pentanomial, elo, margin, test.elo, test.margin)
		}
	}
}
