package live_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"quintet/game"
	"quintet/live"
)

// TestMoveInFlight accepts a move that was sent before the flag fell but arrived later,
// whatever arrived in between, and credits at most the maximum lag.
func TestMoveInFlight(t *testing.T) {
	offer := live.Command{Do: live.Offer, Side: game.Second}
	for _, c := range []struct {
		name     string
		clock    live.TimeControl
		between  []live.Command // 50 ms after zero
		after    int64          // when the move comes, in milliseconds after zero
		lag      int64
		want     live.State
		wantLeft int64
	}{
		{"sent 50 ms before zero", live.TimeControl{Main: 60}, nil, 100, 150, live.Live, 50},
		{"sent a millisecond before zero", live.TimeControl{Main: 60}, nil, 149, 150, live.Live, 1},
		{"sent at zero", live.TimeControl{Main: 60}, nil, 150, 150, live.Finished, 0},
		{"a way that is not known", live.TimeControl{Main: 60}, nil, 0, 0, live.Finished, 0},
		{"a way of a second", live.TimeControl{Main: 60}, nil, live.MaxLag, 1000, live.Finished, 0},
		{"nearly a way of a second", live.TimeControl{Main: 60}, nil, live.MaxLag - 1, 1000, live.Live, 1},
		{"with an increment", live.TimeControl{Main: 60, Increment: 2}, nil, 100, 150, live.Live, 2050},
		{"with a delay", live.TimeControl{Main: 60, Delay: 5}, nil, 100, 150, live.Live, 50},
		{"by days", live.TimeControl{Days: 1}, nil, 100, 150, live.Live, 86_400_000},
		{"after an offer", live.TimeControl{Main: 60}, []live.Command{offer}, 100, 150, live.Live, 1},
		{"too late after an offer", live.TimeControl{Main: 60}, []live.Command{offer}, 150, 150, live.Finished, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sit(t, live.Settings{Game: "othello", Clock: c.clock})
			falls, _ := d.FlagFallAt()
			for _, b := range c.between {
				d.now = falls + 50
				d.must(t, b)
			}
			if again, ok := d.FlagFallAt(); !ok || again != falls {
				t.Errorf("the clock falls at %d now, want %d", again, falls)
			}
			d.now = falls + c.after
			d.must(t, live.Command{Do: live.Move, Side: game.First, Move: "f4", Ply: 0, Lag: c.lag})
			if got := d.left()[0]; d.State() != c.want || got != c.wantLeft {
				t.Errorf("the game is %s with %d ms left, want %s with %d", d.State(), got, c.want, c.wantLeft)
			}
		})
	}
}

// TestFlagWaits checks that a flag is accepted once no move can be in flight, at once
// against an engine, and that exactly the remaining time is charged.
func TestFlagWaits(t *testing.T) {
	for _, c := range []struct {
		name   string
		clock  live.TimeControl
		engine string
		way    int64
	}{
		{"a person", live.TimeControl{Main: 60, Increment: 2}, "", live.MaxLag},
		{"with a delay", live.TimeControl{Main: 60, Delay: 5}, "", live.MaxLag},
		{"by days", live.TimeControl{Days: 3}, "", live.MaxLag},
		{"an engine", live.TimeControl{Main: 60}, "level:1", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := live.Settings{Game: "othello", Clock: c.clock}
			s.Seats[0] = live.Player{Name: c.engine, Engine: c.engine}
			d := sit(t, s)
			start := d.left()
			falls, _ := d.FlagFallAt()
			if got, ok := d.FlagClaimAt(); !ok || got != falls+c.way {
				t.Errorf("a flag is taken from %d on, want %d", got-falls, c.way)
			}
			d.now = falls + c.way - 1
			if err := d.do(live.Command{Do: live.Flag}); !live.IsCode(err, live.CodeInvalid) {
				t.Errorf("a flag a millisecond before: %v, want it refused", err)
			}
			d.now++
			d.must(t, live.Command{Do: live.Flag})
			if got, want := d.left(), [2]int64{0, start[1]}; got != want || d.Ending() != (live.Ending{Result: game.SecondWins, Reason: live.ReasonTime}) {
				t.Errorf("clocks %v and %+v, want %v and a loss by time", got, d.Ending(), want)
			}
		})
	}
}

// TestNothingAfterZero turns every command of the side to move after its time into a loss
// on time; the other side may still act until then.
func TestNothingAfterZero(t *testing.T) {
	lost := live.Ending{Result: game.SecondWins, Reason: live.ReasonTime}
	drawn := live.Ending{Result: game.Draw, Reason: live.ReasonAgreement}
	stands := live.Ending{}
	ask := func(side game.Side, verb live.Verb) live.Command { return live.Command{Do: verb, Side: side, Ply: -1} }
	for _, c := range []struct {
		name    string
		engine  string // on the second seat
		before  []live.Command
		do      live.Command
		lag     int64
		want    live.Ending
		refused bool
	}{
		{name: "it accepts a draw", before: []live.Command{ask(game.Second, live.Offer)}, do: ask(game.First, live.Accept), want: lost},
		{name: "it accepted a draw in time", before: []live.Command{ask(game.Second, live.Offer)}, do: ask(game.First, live.Accept), lag: 120, want: drawn},
		{name: "it offers a draw", do: ask(game.First, live.Offer), want: lost},
		{name: "it takes back from an engine", engine: "level:1", do: ask(game.First, live.GoBack), want: lost},
		{name: "the other accepts a draw", before: []live.Command{ask(game.First, live.Offer)}, do: ask(game.Second, live.Accept), want: drawn},
		{name: "the other offers a draw", do: ask(game.Second, live.Offer), want: stands},
		{name: "somebody wants its seat", do: live.Command{Do: live.Sit, Side: game.First, Player: live.Player{Name: "Eve"}}, want: stands, refused: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := live.Settings{Game: "othello", Clock: live.TimeControl{Main: 60}}
			s.Seats[1] = live.Player{Name: c.engine, Engine: c.engine}
			d := sit(t, s)
			d.move(t, 1000, "f4")
			d.move(t, 1000, "f3")
			for _, b := range c.before {
				d.must(t, b)
			}
			falls, _ := d.FlagFallAt()
			d.now = falls + 100
			c.do.Lag = c.lag
			if err := d.do(c.do); (err != nil) != c.refused {
				t.Fatalf("%s: %v", c.do.Do, err)
			}
			if got := d.Ending(); got != c.want {
				t.Errorf("the game stands as %+v, want %+v", got, c.want)
			}
		})
	}
}

// TestInTime sends requests around the flag's fall, and checks that a move counts exactly
// if it was sent before the fall, minus its lag credit, as without the requests.
func TestInTime(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := sit(t, live.Settings{
			Game:  "othello",
			Clock: rapid.SampledFrom([]live.TimeControl{{Main: 1}, {Main: 1, Increment: 2}, {Main: 1, Delay: 1}, {Days: 1}}).Draw(r, "clock"),
		})
		falls, _ := d.FlagFallAt()
		d.now = falls - rapid.Int64Range(0, 900).Draw(r, "before zero")
		for range rapid.IntRange(0, 6).Draw(r, "words") {
			d.now = min(d.now+rapid.Int64Range(0, 300).Draw(r, "pause"), falls+live.MaxLag-1)
			side := game.Second // any command of the side to move would lose after its time
			if d.now < falls {
				side = game.Side(rapid.IntRange(0, 1).Draw(r, "side"))
			}
			c := live.Command{Do: rapid.SampledFrom([]live.Verb{live.Offer, live.Decline}).Draw(r, "word"), Side: side}
			if len(d.Asked(side.Other())) > 0 {
				c.Do = live.Decline // two offers are a draw
			}
			var refused *live.Error
			if err := d.do(c); err != nil && !errors.As(err, &refused) {
				r.Fatal(err)
			}
		}
		d.now += rapid.Int64Range(0, 250).Draw(r, "thought")
		lag := rapid.Int64Range(0, 400).Draw(r, "lag")
		if err := d.do(live.Command{Do: live.Move, Move: "f4", Ply: 0, Lag: lag}); err != nil {
			r.Fatal(err)
		}
		if got, want := d.State() == live.Live, d.now-min(lag, live.MaxLag) < falls; got != want {
			r.Errorf("a move %d ms after zero that was %d ms on its way counts: %t, want %t", d.now-falls, lag, got, want)
		}
	})
}
