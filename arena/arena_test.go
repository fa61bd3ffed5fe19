package arena_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"quintet/arena"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
)

// fake is a player that plays at random, after doing something.
type fake struct {
	random *rand.PCG
	before func(m *game.Match) (game.Move, error)
	closed *int
}

func (f *fake) NewGame(seed uint64) { f.random = rand.NewPCG(seed, 1) }

func (f *fake) Close() error {
	if f.closed != nil {
		*f.closed++
	}
	return nil
}

func (f *fake) Choose(_ context.Context, m *game.Match, _ engine.Limit) (game.Move, error) {
	if f.before != nil {
		if mv, err := f.before(m); mv != 0 || err != nil {
			return mv, err
		}
	}
	return game.Sample(m.Position(), f.random, nil), nil
}

func maker(f fake) arena.Maker {
	return func() (arena.Player, error) {
		g := f
		return &g, nil
	}
}

func options(t *testing.T, name string, a, b fake) arena.Options {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	return arena.Options{Game: g, Start: p, A: maker(a), B: maker(b), Games: 20, Opening: 6, Seed: 1, Concurrency: 1}
}

// TestRun plays two equal players, one and four games at a time: the same
// games, in the same order.
func TestRun(t *testing.T) {
	var records [][2]arena.Record
	o := options(t, "othello", fake{}, fake{})
	o.Report = func(_ arena.Score, games [2]arena.Record) { records = append(records, games) }
	first, err := arena.Run(context.Background(), o)
	if err != nil || first.Games() != 20 || first.Pairs() != 10 {
		t.Fatalf("%+v, %v", first, err)
	}
	before := records
	records = nil
	o.Concurrency = 4
	again, err := arena.Run(context.Background(), o)
	if err != nil || again != first {
		t.Errorf("four at a time: %+v, %v, want %+v", again, err, first)
	}
	for i, pair := range records {
		if !slices.Equal(pair[0].Moves[:6], pair[1].Moves[:6]) || pair[0].ASide != game.First || pair[1].ASide != game.Second {
			t.Errorf("pair %d does not play one opening with colours swapped", i)
		}
		if !slices.Equal(pair[0].Moves, before[i][0].Moves) {
			t.Errorf("pair %d is another than with one at a time", i)
		}
	}
}

// TestFaults lets players crash, play what is not legal, and sleep.
func TestFaults(t *testing.T) {
	for name, test := range map[string]struct {
		before func(*game.Match) (game.Move, error)
		want   arena.Score
	}{
		"crash":   {func(*game.Match) (game.Move, error) { return 0, errors.New("gone") }, arena.Score{Crashes: 4}},
		"illegal": {func(*game.Match) (game.Move, error) { return game.Put(2000), nil }, arena.Score{Illegal: 4}},
		"time": {func(*game.Match) (game.Move, error) {
			time.Sleep(30 * time.Millisecond)
			return 0, nil
		}, arena.Score{TimeLosses: 4}},
	} {
		closed := 0
		o := options(t, "loa", fake{before: test.before, closed: &closed}, fake{})
		o.Games = 4
		o.LimitA.Clock = engine.Clock{Left: 10 * time.Millisecond}
		test.want.Losses, test.want.Pentanomial = 4, [5]int{2}
		got, err := arena.Run(context.Background(), o)
		if err != nil || got != test.want || closed != 1 {
			t.Errorf("%s: %+v, %v, closed %d times, want %+v", name, got, err, closed, test.want)
		}
	}
}

func TestRunErrors(t *testing.T) {
	o := options(t, "othello", fake{}, fake{})
	o.Games = 0
	if _, err := arena.Run(context.Background(), o); err == nil {
		t.Error("no games: no error")
	}
	o.Games = 2
	broken := errors.New("broken")
	o.B = func() (arena.Player, error) { return nil, broken }
	if _, err := arena.Run(context.Background(), o); !errors.Is(err, broken) {
		t.Errorf("player B cannot be made: %v", err)
	}
	o.A = o.B
	if _, err := arena.Run(context.Background(), o); !errors.Is(err, broken) {
		t.Errorf("player A cannot be made: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if s, err := arena.Run(ctx, options(t, "othello", fake{}, fake{})); !errors.Is(err, context.Canceled) || s.Games() > 0 {
		t.Errorf("cancelled: %+v, %v", s, err)
	}
}

// TestSPRTStops lets a player that never errs meet one that gives up.
func TestSPRTStops(t *testing.T) {
	o := options(t, "othello", fake{}, fake{before: func(*game.Match) (game.Move, error) { return 0, errors.New("gone") }})
	o.Games = 10_000
	o.Concurrency = 2
	o.SPRT = &arena.SPRT{Elo0: 0, Elo1: 50}
	s, err := arena.Run(context.Background(), o)
	if err != nil || s.Losses > 0 || s.Pairs() > 100 || o.SPRT.Verdict(s.LLR) != "H1" {
		t.Errorf("%+v, %v, %s", s, err, o.SPRT.Verdict(s.LLR))
	}
}

// simulate draws pairs of games between players of a known difference, of which
// a third are drawn, until the test decides.
func simulate(r *rand.Rand, test arena.SPRT, elo float64) (verdict string, score arena.Score) {
	share := 1 / (1 + math.Pow(10, -elo/400))
	for verdict = "open"; verdict == "open"; verdict = test.Verdict(test.LLR(score.Pentanomial)) {
		half := 0
		for range 2 {
			switch x := r.Float64(); {
			case x < share-1.0/6:
				half += 2
			case x < share+1.0/6:
				half++
			}
		}
		score.Pentanomial[half]++
	}
	return verdict, score
}

// TestSPRT simulates engines of known strength: wrong decisions come at most as
// often as the test says, give or take three standard deviations.
func TestSPRT(t *testing.T) {
	const runs = 400
	r := rand.New(rand.NewPCG(1, 1))
	test := arena.SPRT{Elo0: 0, Elo1: 20}
	for elo, right := range map[float64]string{0: "H0", 20: "H1"} {
		wrong := 0
		for range runs {
			if verdict, _ := simulate(r, test, elo); verdict != right {
				wrong++
			}
		}
		if wrong > runs/20+13 {
			t.Errorf("%+.0f Elo: %d of %d decisions are wrong, want one in twenty", elo, wrong, runs)
		}
	}
	if test.LLR([5]int{}) != 0 || test.Verdict(0) != "open" {
		t.Error("a test without games has an opinion")
	}
}

// TestElo wants the interval to hold the true difference in 95 of 100 cases.
func TestElo(t *testing.T) {
	const runs = 1000
	r := rand.New(rand.NewPCG(2, 2))
	const truth = 35.0
	share := 1 / (1 + math.Pow(10, -truth/400))
	held := 0
	for range runs {
		var s arena.Score
		for range 200 {
			half := 0
			for range 2 {
				if r.Float64() < share {
					half += 2
				}
			}
			s.Pentanomial[half]++
		}
		if elo, margin := s.Elo(); math.Abs(elo-truth) <= margin {
			held++
		}
	}
	if held < 920 || held > 980 {
		t.Errorf("%d of %d intervals hold the true difference, want 950", held, runs)
	}
}

func TestEdges(t *testing.T) {
	var none arena.Score
	if elo, margin := none.Elo(); elo != 0 || margin != 0 || none.Superiority() != 0.5 || none.Share() != 0.5 {
		t.Errorf("no games: %v ± %v", elo, margin)
	}
	all := arena.Score{Wins: 20, Pentanomial: [5]int{4: 10}}
	if elo, margin := all.Elo(); math.IsInf(elo, 0) || elo < 500 || math.IsNaN(margin) || all.Superiority() < 0.99 || all.Share() != 1 {
		t.Errorf("everything won: %v ± %v, superior with %v", elo, margin, all.Superiority())
	}
}

// TestOpenings wants openings that leave something to play, where there is any.
func TestOpenings(t *testing.T) {
	g, err := games.ByName("othello")
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Start(game.Setup{"size": "4"})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(50) {
		q := p.Clone()
		moves := arena.RandomOpening(p, 8, rand.NewPCG(seed, 0))
		for _, m := range moves {
			q.Play(m)
		}
		if len(moves) != 8 || q.Result().Over() {
			t.Errorf("seed %d: %d plies to %s", seed, len(moves), q)
		}
	}
	if moves := arena.RandomOpening(p, 99, rand.NewPCG(1, 0)); len(moves) > 16 {
		t.Errorf("an opening of %d plies on 4 by 4", len(moves))
	}
}
