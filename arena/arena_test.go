package arena_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
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

// crashingPlayer is what a player that crashes does.
func crashingPlayer(*game.Match) (game.Move, error) { return 0, errors.New("gone") }

// illegalPlayer is what a player does that does not know the rules.
func illegalPlayer(*game.Match) (game.Move, error) { return game.Put(2000), nil }

// resigningPlayer is what a player does that gives up.
func resigningPlayer(*game.Match) (game.Move, error) {
	return 0, fmt.Errorf("%q: %w", "resign", game.ErrResigned)
}

// clock is a clock that only players move on: no test depends on how busy the
// machine is.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// after returns what a player does that thinks for so long.
func (c *clock) after(d time.Duration, then func(*game.Match) (game.Move, error)) func(*game.Match) (game.Move, error) {
	return func(m *game.Match) (game.Move, error) {
		c.at = c.at.Add(d)
		return then(m)
	}
}

// random leaves the choice of a move to chance.
func random(*game.Match) (game.Move, error) { return 0, nil }

func maker(f fake) arena.Maker {
	return func() (engine.Player, error) {
		g := f
		return &g, nil
	}
}

func options(t testing.TB, name string, a, b fake) arena.Options {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	entrants := []arena.Entrant{{Name: "a", Make: maker(a)}, {Name: "b", Make: maker(b)}}
	return arena.Options{
		Game: g, Start: p, Entrants: entrants, Games: 20, Openings: arena.RandomOpenings(p, 6, 1), Seed: 1, Concurrency: 1,
	}
}

// run plays a match and returns its score.
func run(t *testing.T, o arena.Options) arena.Score {
	t.Helper()
	s, err := arena.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s.Pairings[0].Score
}

// TestRun plays two equal players, one and four games at a time: the same
// games, in the same order.
func TestRun(t *testing.T) {
	var records [][2]arena.Record
	o := options(t, "othello", fake{}, fake{})
	o.Report = func(_ arena.Standings, games [2]arena.Record) { records = append(records, games) }
	first := run(t, o)
	if first.Games() != 20 || first.Pairs() != 10 {
		t.Fatalf("%+v", first)
	}
	before := records
	records = nil
	o.Concurrency = 4
	if again := run(t, o); again != first {
		t.Errorf("four at a time: %+v, want %+v", again, first)
	}
	for i, pair := range records {
		if !slices.Equal(pair[0].Moves[:6], pair[1].Moves[:6]) || pair[0].Players != [2]int{0, 1} || pair[1].Players != [2]int{1, 0} {
			t.Errorf("pair %d does not play one opening with colours swapped", i)
		}
		if !slices.Equal(pair[0].Moves, before[i][0].Moves) {
			t.Errorf("pair %d is another than with one at a time", i)
		}
	}
}

// TestFormats counts who meets whom.
func TestFormats(t *testing.T) {
	for format, want := range map[arena.Format][]int{
		arena.RoundRobin: {12, 12, 12, 12}, "": {12, 12, 12, 12}, arena.Gauntlet: {12, 4, 4, 4},
	} {
		o := options(t, "othello", fake{}, fake{})
		o.Entrants = append(o.Entrants, arena.Entrant{Name: "c", Make: maker(fake{})}, arena.Entrant{Name: "d", Make: maker(fake{})})
		o.Format, o.Games, o.Concurrency = format, 4, 3
		var openings [][]game.Move
		o.Report = func(_ arena.Standings, games [2]arena.Record) { openings = append(openings, games[0].Moves[:6]) }
		s, err := arena.Run(context.Background(), o)
		if err != nil || s.Games != s.Planned {
			t.Fatalf("%q: %d of %d games, %v", format, s.Games, s.Planned, err)
		}
		for i, p := range s.Players {
			if p.Games != want[i] || p.Wins+p.Losses+p.Draws != p.Games {
				t.Errorf("%q: %+v, want %d games", format, p, want[i])
			}
		}
		if !slices.Equal(openings[0], openings[1]) || slices.Equal(openings[0], openings[len(openings)-1]) {
			t.Errorf("%q: want one opening in each round", format)
		}
	}
}

// TestFaults lets players crash, play what is not legal, give up, and think for too
// long.
func TestFaults(t *testing.T) {
	var c clock
	for name, test := range map[string]struct {
		before func(*game.Match) (game.Move, error)
		want   arena.Counts
		detail string
	}{
		"crash": {
			crashingPlayer, arena.Counts{Crashes: 4}, "gone",
		},
		"illegal": {
			illegalPlayer, arena.Counts{Illegal: 4}, "move [78]: not a legal move",
		},
		"an answer that is no move": {
			func(*game.Match) (game.Move, error) { return 0, fmt.Errorf(`"e7e8q": %w`, game.ErrIllegal) },
			arena.Counts{Illegal: 4}, `^"e7e8q": not a legal move$`,
		},
		"resignation": {
			resigningPlayer, arena.Counts{Resigned: 4}, `^"resign": the player resigns$`,
		},
		"time": {c.after(30*time.Millisecond, random), arena.Counts{TimeLosses: 4}, "^a move took 30ms of 10ms$"},
	} {
		closed := 0
		o := options(t, "loa", fake{before: test.before, closed: &closed}, fake{})
		o.Games, o.Now = 4, c.now
		o.Entrants[0].Limit.Clock = engine.Clock{Left: 10 * time.Millisecond}
		o.Save = func(r arena.Record) error {
			if !regexp.MustCompile(test.detail).MatchString(r.Detail) {
				t.Errorf("%s: the record says %q, want %q", name, r.Detail, test.detail)
			}
			return nil
		}
		test.want.Losses = 4
		s, err := arena.Run(context.Background(), o)
		if err != nil || s.Pairings[0].Score != (arena.Score{Counts: test.want, Pentanomial: [5]int{2}}) || closed != 1 {
			t.Errorf("%s: %+v, %v, closed %d times, want %+v", name, s, err, closed, test.want)
		}
		a := s.Players[0]
		if a.Illegal+a.TimeLosses+a.Crashes+a.Resigned != 4 || s.Players[1] != (arena.Standing{Name: "b", Games: 4, Counts: arena.Counts{Wins: 4}}) {
			t.Errorf("%s: faults are counted as %+v", name, s.Players)
		}
	}
}

// TestStall lets a player return an error after its time, and one that says that
// the time is over: they have lost on time.
func TestStall(t *testing.T) {
	var c clock
	slow := c.after(60*time.Millisecond, func(*game.Match) (game.Move, error) { return 0, errors.New("no answer") })
	late := func(*game.Match) (game.Move, error) { return 0, fmt.Errorf("no answer: %w", context.DeadlineExceeded) }
	giveUp := c.after(60*time.Millisecond, resigningPlayer) // too late
	for _, player := range []func(*game.Match) (game.Move, error){slow, late, giveUp} {
		o := options(t, "othello", fake{before: player}, fake{})
		o.Games, o.Now = 2, c.now
		o.Entrants[0].Limit.Time = 5 * time.Millisecond
		if s := run(t, o); s.TimeLosses != 2 || s.Losses != 2 {
			t.Errorf("%+v, want 2 losses on time", s)
		}
	}
}

// TestRepeated counts games that prove nothing new.
func TestRepeated(t *testing.T) {
	first := fake{before: func(m *game.Match) (game.Move, error) { return m.Legal()[0], nil }}
	o := options(t, "othello", first, first)
	o.Openings = nil
	if s := run(t, o); s.Repeated != 18 {
		t.Errorf("%d of 20 games are called repeated, want all but those of the first pair", s.Repeated)
	}
	if s := run(t, options(t, "othello", fake{}, fake{})); s.Repeated != 0 {
		t.Errorf("%d games are called repeated, want none", s.Repeated)
	}
}

func TestRunErrors(t *testing.T) {
	broken := errors.New("broken")
	noPlayer := func() (engine.Player, error) { return nil, broken } //nolint:unparam // that is the point
	for name, change := range map[string]func(*arena.Options){
		"no games":                func(o *arena.Options) { o.Games = 0 },
		"one player":              func(o *arena.Options) { o.Entrants = o.Entrants[:1] },
		"player a cannot be made": func(o *arena.Options) { o.Entrants[0].Make = noPlayer },
		"player b cannot be made": func(o *arena.Options) { o.Entrants[1].Make = noPlayer },
		"games cannot be saved":   func(o *arena.Options) { o.Save = func(arena.Record) error { return broken } },
		"a test of three":         func(o *arena.Options) { o.Entrants, o.SPRT = append(o.Entrants, o.Entrants[0]), &arena.SPRT{Elo1: 1} },
		"a game of others":        func(o *arena.Options) { o.Played = []arena.Record{{Players: [2]int{1, 0}}} },
		"openings cannot be made": func(o *arena.Options) {
			o.Openings = func(context.Context, int) (arena.Opening, error) { return arena.Opening{}, broken }
		},
		"openings are not legal": func(o *arena.Options) {
			o.Openings = arena.ListOpenings([]arena.Opening{{Start: o.Start, Moves: []game.Move{game.Pass}}})
		},
		"half a pair, other moves": func(o *arena.Options) { o.Played = []arena.Record{{Players: [2]int{0, 1}, Start: o.Start}} },
	} {
		o := options(t, "othello", fake{}, fake{})
		change(&o)
		if s, err := arena.Run(context.Background(), o); err == nil || s.Games > 0 {
			t.Errorf("%s: %d games, %v, want an error", name, s.Games, err)
		}
	}
	o := options(t, "othello", fake{}, fake{})
	o.Played = []arena.Record{{Number: 3, Players: [2]int{0, 1}}}
	if _, err := arena.Run(context.Background(), o); err == nil || !strings.HasPrefix(err.Error(), "game 4 of the record ") {
		t.Errorf("a game of others: %v, want its number", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if s, err := arena.Run(ctx, options(t, "othello", fake{}, fake{})); !errors.Is(err, context.Canceled) || s.Games > 0 {
		t.Errorf("cancelled: %+v, %v", s, err)
	}
}

// TestSPRTStops lets a player that never errs meet one that does not know the rules.
func TestSPRTStops(t *testing.T) {
	o := options(t, "othello", fake{}, fake{before: illegalPlayer})
	o.Games = 10_000
	o.Concurrency = 2
	o.SPRT = &arena.SPRT{Elo0: 0, Elo1: 50}
	if s := run(t, o); s.Losses > 0 || s.Pairs() > 100 || o.SPRT.Verdict(s.LLR) != "H1" {
		t.Errorf("%+v, %s", s, o.SPRT.Verdict(s.LLR))
	}
}

// TestCancelIsNotACrash lets a player fail just before the run is stopped, as
// other programs do that an interrupt of the terminal reaches first.
func TestCancelIsNotACrash(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	failed := false
	o := options(t, "othello", fake{}, fake{before: func(*game.Match) (game.Move, error) {
		failed = true
		return 0, errors.New("killed")
	}})
	o.Now = func() time.Time {
		if failed { // the arena has the error, and asks how long it took
			cancel()
		}
		return time.Time{}
	}
	o.Save = func(r arena.Record) error {
		t.Errorf("a game that ended by %s", r.End)
		return nil
	}
	if s, err := arena.Run(ctx, o); !errors.Is(err, context.Canceled) || s.Games > 0 {
		t.Errorf("%d games, %v", s.Games, err)
	}
}
