package arena_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"quintet/arena"
	"quintet/engine"
	"quintet/game"
)

// timed is a player that notes what is left on its clock at each of its moves.
type timed struct {
	fake
	left *[]time.Duration
}

func (p *timed) Choose(ctx context.Context, m *game.Match, l engine.Limit) (game.Move, error) {
	*p.left = append(*p.left, l.Clock.Left)
	return p.fake.Choose(ctx, m, l)
}

// counting is a player that says how many nodes each move took; none if 0.
type counting struct {
	fake
	nodes uint64
}

func (p *counting) Nodes() (nodes uint64, ok bool) { return p.nodes, p.nodes > 0 }

// TestNodesTime plays on clocks of a second that count 10 nodes as a millisecond.
func TestNodesTime(t *testing.T) {
	for _, test := range []struct {
		nodes uint64
		plies int // of the first game, after the opening
		end   arena.End
		left  time.Duration
	}{
		{2_000, 8, arena.MaxPlies, 200 * time.Millisecond},
		{4_000, 4, arena.TimeLoss, 0},
		{10_000, 0, arena.TimeLoss, 0},
		{0, 0, arena.Crash, time.Second},
	} {
		o := options(t, "loa", fake{}, fake{})
		o.Openings, o.Games, o.Adjudicate.MaxPlies = nil, 2, 8
		for i := range o.Entrants {
			o.Entrants[i].Limit = engine.Limit{Clock: engine.Clock{Left: time.Second}, NodesTime: 10}
			o.Entrants[i].Make = func() (engine.Player, error) { return &counting{nodes: test.nodes}, nil }
		}
		var games []arena.Record
		o.Save = func(r arena.Record) error {
			games = append(games, r)
			return nil
		}
		run(t, o)
		if first := games[0]; first.End != test.end || len(first.Moves) != test.plies || first.Left[0] != test.left {
			t.Errorf("%d nodes a move: %d plies, %s (%s), %v left, want %d, %s, %v",
				test.nodes, len(first.Moves), first.End, first.Detail, first.Left[0], test.plies, test.end, test.left)
		}
	}
}

// TestClock lets a player think for as long at every move: its clock loses that and
// gains the increment, until it is over. The other's clock does not move.
func TestClock(t *testing.T) {
	const second = time.Second
	for _, test := range []struct {
		name                   string
		left, increment, takes time.Duration
		want                   []time.Duration // before each move of the first game
		end                    arena.End
	}{
		{"no increment", 10 * second, 0, 3 * second, []time.Duration{10 * second, 7 * second, 4 * second, second}, arena.TimeLoss},
		{"exactly used up", 9 * second, 0, 3 * second, []time.Duration{9 * second, 6 * second, 3 * second}, arena.TimeLoss},
		{"with an increment", 10 * second, second, 4 * second, []time.Duration{10 * second, 7 * second, 4 * second}, arena.TimeLoss},
		{"an increment that is more", 2 * second, second, second / 2, []time.Duration{2 * second, 5 * second / 2, 3 * second}, arena.MaxPlies},
	} {
		var c clock
		var left []time.Duration
		o := options(t, "loa", fake{}, fake{})
		o.Openings, o.Games, o.Now, o.Adjudicate.MaxPlies = nil, 2, c.now, 14
		limit := engine.Limit{Clock: engine.Clock{Left: test.left, Increment: test.increment}}
		o.Entrants[0].Limit, o.Entrants[1].Limit = limit, limit
		o.Entrants[0].Make = func() (engine.Player, error) {
			return &timed{fake{before: c.after(test.takes, random)}, &left}, nil
		}
		var games []arena.Record
		o.Save = func(r arena.Record) error {
			games = append(games, r)
			return nil
		}
		run(t, o)
		if got := left[:min(len(left), len(test.want))]; !slices.Equal(got, test.want) {
			t.Errorf("%s: %v on the clock, want %v", test.name, left, test.want)
		}
		first := games[0]
		if first.End != test.end {
			t.Errorf("%s: the game ends by %s, want %s", test.name, first.End, test.end)
		}
		moves := time.Duration(len(first.Moves))
		if want := test.left + moves/2*test.increment; first.Left[1] != want {
			t.Errorf("%s: %v left to the side that takes no time, want %v", test.name, first.Left[1], want)
		}
		wantLeft := test.left + moves/2*(test.increment-test.takes)
		if test.end == arena.TimeLoss {
			wantLeft = 0
		}
		if first.Left[0] != wantLeft {
			t.Errorf("%s: %v left to the side that thinks, want %v", test.name, first.Left[0], wantLeft)
		}
		for i, took := range first.Times {
			if want := []time.Duration{test.takes, 0}[i%2]; took != want {
				t.Errorf("%s: move %d took %v, want %v", test.name, i+1, took, want)
			}
		}
	}
}

// TestGrace lets a move overrun the time that it has by what a busy machine takes,
// and no more.
func TestGrace(t *testing.T) {
	const limit, grace = time.Second, 50 * time.Millisecond
	for takes, losses := range map[time.Duration]int{limit: 0, limit + grace: 0, limit + grace + 1: 2} {
		var c clock
		o := options(t, "othello", fake{before: c.after(takes, random)}, fake{})
		o.Games, o.Now = 2, c.now
		o.Entrants[0].Limit.Time = limit
		if s := run(t, o); s.TimeLosses != losses {
			t.Errorf("moves of %v of %v: %d losses on time, want %d", takes, limit, s.TimeLosses, losses)
		}
	}
}
