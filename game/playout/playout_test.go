package playout_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"quintet/game"
	"quintet/game/playout"
	"quintet/games"
)

// TestAgainstMatch plays the same random games with game.Match, which detects
// repetition differently, and compares every count.
func TestAgainstMatch(t *testing.T) {
	for _, g := range games.All() {
		start, err := g.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		const seed, count = 7, 30
		got, err := playout.Run(context.Background(), g, start, seed, playout.Limit{Games: count})
		if err != nil {
			t.Fatal(err)
		}
		want := playMatches(t, g, start, seed, count)
		got.Seconds, got.GamesPerSecond = 0, 0
		if got != want {
			t.Errorf("%s: %+v, want %+v", g.Name, got, want)
		}
	}
}

func playMatches(t *testing.T, g game.Game, start game.Position, seed uint64, count int) playout.Report {
	t.Helper()
	r := rand.NewPCG(seed, playout.Stream)
	report := playout.Report{Games: count}
	for i := range count {
		m := game.NewMatch(g, start)
		for !m.Over() {
			if err := m.Play(game.Sample(m.Position(), r, nil)); err != nil {
				t.Fatal(err)
			}
		}
		switch m.Outcome().Result {
		case game.FirstWins:
			report.FirstWins++
		case game.SecondWins:
			report.SecondWins++
		case game.Draw:
			report.Draws++
		}
		if m.Outcome().Reason == game.Repetition {
			report.Repetitions++
			// The player has drawn one move more when it finds that out.
			game.Sample(m.Position(), r, nil)
		}
		n := len(m.Moves())
		report.Plies += n
		report.LongestPlies = max(report.LongestPlies, n)
		if i == 0 || n < report.ShortestPlies {
			report.ShortestPlies = n
		}
	}
	report.MeanPlies = float64(report.Plies) / float64(count)
	return report
}

// TestLimits stops runs by time, by games, and by the context.
func TestLimits(t *testing.T) {
	g, err := games.ByName("othello")
	if err != nil {
		t.Fatal(err)
	}
	start, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(0, 0)
	clock := func() time.Time {
		now = now.Add(time.Second)
		return now
	}
	r, err := playout.Run(context.Background(), g, start, 1, playout.Limit{Time: 3 * time.Second, Clock: clock})
	if err != nil || r.Games != 96 || r.Seconds != 4 || r.GamesPerSecond != 24 {
		t.Errorf("three seconds of a clock that is asked every 32 games: %+v, %v", r, err)
	}
	half := func() time.Time {
		now = now.Add(time.Second / 2)
		return now
	}
	if r, err := playout.Run(context.Background(), g, start, 1, playout.Limit{Games: 3, Clock: half}); err != nil || r.GamesPerSecond != 6 {
		t.Errorf("three games in half a second: %+v, %v, want 6 a second", r, err)
	}
	if _, err := playout.Run(context.Background(), g, start, 1, playout.Limit{}); err == nil {
		t.Error("no limit: no error")
	}
	if r, err := playout.Run(context.Background(), g, start, 1, playout.Limit{Time: 1, Clock: clock}); err != nil || r.Games != 32 {
		t.Errorf("a nanosecond: %+v, %v, want the games that are played before the clock is asked", r, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := playout.Run(ctx, g, start, 1, playout.Limit{Games: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before the first game: %v", err)
	}
}

// TestAllocations checks that further games reuse the buffers of the first.
func TestAllocations(t *testing.T) {
	for _, g := range games.All() {
		start, err := g.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		few := testing.AllocsPerRun(1, func() { run(t, g, start, 5) })
		many := testing.AllocsPerRun(1, func() { run(t, g, start, 50) })
		if many > few+4 { // a longer game may need a larger table
			t.Errorf("%s: 5 games allocate %.0f times, 50 games %.0f times", g.Name, few, many)
		}
	}
}

func run(tb testing.TB, g game.Game, start game.Position, count int) {
	tb.Helper()
	if _, err := playout.Run(context.Background(), g, start, 1, playout.Limit{Games: count}); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkPlayout plays whole random games of every game.
func BenchmarkPlayout(b *testing.B) {
	for _, g := range games.All() {
		b.Run(g.Name, func(b *testing.B) {
			start, err := g.Start(nil)
			if err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			run(b, g, start, b.N)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
		})
	}
}

// TestRepetition plays games of two kings, many of which end by repetition: at
// the very occurrence that the rules name.
func TestRepetition(t *testing.T) {
	g, err := games.ByName("chess")
	if err != nil {
		t.Fatal(err)
	}
	start, err := g.Read("k7/8/8/8/8/8/8/7K w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	const seed, count = 3, 100
	got, err := playout.Run(context.Background(), g, start, seed, playout.Limit{Games: count})
	if err != nil {
		t.Fatal(err)
	}
	got.Seconds, got.GamesPerSecond = 0, 0
	if want := playMatches(t, g, start, seed, count); got != want || want.Repetitions < count/4 {
		t.Errorf("%+v, want %+v, many of them repetitions", got, want)
	}
}
