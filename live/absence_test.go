package live_test

import (
	"errors"
	"testing"

	"quintet/game"
	"quintet/live"
)

// TestAbsenceLimit checks the limit of each kind of clock at its bounds.
func TestAbsenceLimit(t *testing.T) {
	for _, c := range []struct {
		clock live.TimeControl
		want  int64 // seconds; 0 for none
	}{
		{live.TimeControl{}, 0},
		{live.TimeControl{Days: 3}, 0},
		{live.TimeControl{Main: 60, Increment: 1}, 30},
		{live.TimeControl{Main: 179}, 30},
		{live.TimeControl{Main: 180}, 60},
		{live.TimeControl{Main: 60, Increment: 3}, 60},
		{live.TimeControl{Main: 60, Delay: 3}, 60},
		{live.TimeControl{Main: 599}, 60},
		{live.TimeControl{Main: 600}, 120},
		{live.TimeControl{Main: 1799}, 120},
		{live.TimeControl{Main: 1800}, 300},
	} {
		got, ok := c.clock.AbsenceLimit()
		if got != c.want*1000 || ok != (c.want > 0) {
			t.Errorf("clock %+v: absence limit %d ms, %t, want %d s", c.clock, got, ok, c.want)
		}
	}
}

// TestNeverClaimable checks that both claims are -1 if absence ends no game.
func TestNeverClaimable(t *testing.T) {
	level := [2]live.Player{{Name: "level:1", Engine: "level:1"}}
	for name, d := range map[string]*desk{
		"a clock of days": sit(t, live.Settings{Game: "othello", Clock: live.TimeControl{Days: 1}}),
		"an engine":       sit(t, live.Settings{Game: "othello", Seats: level}),
		"an open seat":    open(t, live.Settings{Game: "othello", Seats: [2]live.Player{{Name: "Ann"}}}),
	} {
		if win, off := d.Claimable(game.First, 0, 0); win != -1 || off != -1 {
			t.Errorf("%s: the win in %d ms, calling off in %d ms, want -1 and -1", name, win, off)
		}
	}
}

// TestClaimAbsence checks who may end a game when the opponent has gone away.
func TestClaimAbsence(t *testing.T) {
	const week = 7 * 24 * 60 * 60 * 1000
	blitz, slow := live.TimeControl{Main: 300, Increment: 3}, live.TimeControl{Days: 1}
	rated := live.Settings{Clock: blitz, Rated: true}
	level := [2]live.Player{{}, {Name: "level:1", Engine: "level:1"}}
	for name, c := range map[string]struct {
		settings live.Settings
		moves    []string
		do       live.Verb
		side     game.Side
		away     int64 // of the opponent
		wait     int64 // milliseconds since the last move
		reason   string
	}{
		"win":                          {settings: live.Settings{Clock: blitz}, do: live.ClaimWin, side: game.Second, away: 60_000},
		"off":                          {settings: live.Settings{Clock: blitz}, do: live.CallOff, side: game.Second, away: 60_000},
		"rated, not begun":             {settings: rated, moves: []string{"f4"}, do: live.CallOff, side: game.First, away: 60_000},
		"rated, begun":                 {settings: rated, moves: []string{"f4", "f3"}, do: live.CallOff, side: game.Second, away: week, reason: "away.rated"},
		"rated, win":                   {settings: rated, moves: []string{"f4", "f3"}, do: live.ClaimWin, side: game.Second, away: 60_000},
		"too early":                    {settings: live.Settings{Clock: blitz}, do: live.ClaimWin, side: game.Second, away: 59_999, reason: "away.early"},
		"off too early":                {settings: live.Settings{Clock: blitz}, do: live.CallOff, side: game.Second, away: 59_999, reason: "away.early"},
		"opponent here":                {settings: live.Settings{Clock: blitz}, do: live.ClaimWin, side: game.Second, reason: "away.here"},
		"own turn":                     {settings: live.Settings{Clock: blitz}, do: live.ClaimWin, side: game.First, away: week, reason: "away.turn"},
		"engine":                       {settings: live.Settings{Clock: blitz, Seats: level}, moves: []string{"f4"}, do: live.ClaimWin, side: game.First, away: week, reason: "away.engine"},
		"days":                         {settings: live.Settings{Clock: slow}, do: live.ClaimWin, side: game.Second, away: week, reason: "away.days"},
		"no clock":                     {moves: []string{"f4", "f3"}, do: live.ClaimWin, side: game.Second, away: week, wait: week - 1, reason: "away.early"},
		"no clock, a week":             {moves: []string{"f4", "f3"}, do: live.ClaimWin, side: game.Second, wait: week},
		"no clock, off after a week":   {moves: []string{"f4", "f3"}, do: live.CallOff, side: game.Second, wait: week},
		"no clock, begun":              {moves: []string{"f4", "f3"}, do: live.CallOff, side: game.Second, away: 600_000, reason: "away.early"},
		"no clock, not begun":          {moves: []string{"f4"}, do: live.CallOff, side: game.First, away: 600_000},
		"no clock, not begun, early":   {moves: []string{"f4"}, do: live.CallOff, side: game.First, away: 599_999, reason: "away.early"},
		"no clock, not begun, no win":  {moves: []string{"f4"}, do: live.ClaimWin, side: game.First, away: 600_000, reason: "away.early"},
		"no clock, opponent just here": {moves: []string{"f4"}, do: live.CallOff, side: game.First, reason: "away.early"},
		"given moves, not begun":       {settings: live.Settings{Moves: []string{"f4", "f3"}}, moves: []string{"e3"}, do: live.CallOff, side: game.First, away: 600_000},
		"given moves, begun":           {settings: live.Settings{Moves: []string{"f4", "f3"}}, moves: []string{"e3", "d3"}, do: live.CallOff, side: game.Second, away: 600_000, reason: "away.early"},
	} {
		t.Run(name, func(t *testing.T) {
			c.settings.Game = "othello"
			d := sit(t, c.settings)
			for _, m := range c.moves {
				d.move(t, 0, m)
			}
			d.now += c.wait
			err := d.do(live.Command{Do: c.do, Side: c.side, Away: c.away})
			var refused *live.Error
			if errors.As(err, &refused) != (c.reason != "") || refused != nil && refused.Reason != c.reason {
				t.Fatalf("error %v, want the reason %q", err, c.reason)
			}
			want := live.Ending{}
			switch {
			case c.reason != "":
			case c.do == live.ClaimWin:
				want = live.Ending{Result: game.Win(c.side), Reason: live.ReasonAbandonment}
			default:
				want = live.Ending{Reason: live.ReasonAborted}
			}
			if d.Ending() != want {
				t.Errorf("the game ended as %+v, want %+v", d.Ending(), want)
			}
		})
	}
}

// TestUntimedTurn checks that in a game without a clock the turn, not the game, must last.
func TestUntimedTurn(t *testing.T) {
	d := open(t, live.Settings{Game: "othello", Seats: [2]live.Player{{Name: "Ann", Secret: "a"}}})
	d.now += 2 * live.UntimedTurn
	d.must(t, live.Command{Do: live.Sit, Side: game.Second, Player: live.Player{Name: "Ben", Secret: "b"}})
	claim := live.Command{Do: live.ClaimWin, Side: game.Second}
	if err := d.do(claim); !live.IsCode(err, live.CodeNothing) {
		t.Errorf("claim when the second player has just come: %v, want a refusal", err)
	}
	d.now += live.UntimedTurn - 1
	d.move(t, 0, "f4")
	d.move(t, 1, "f3")
	if err := d.do(claim); !live.IsCode(err, live.CodeNothing) {
		t.Errorf("claim after a move: %v, want a refusal", err)
	}
	d.now += live.UntimedTurn
	d.must(t, claim)
}

// TestMissGame calls off games of a tournament that a player does not come to, and no others.
func TestMissGame(t *testing.T) {
	miss := live.Command{Do: live.MissGame}
	level := [2]live.Player{{Name: "level:1", Engine: "level:1"}}
	blitz := live.TimeControl{Main: 60}
	for name, c := range map[string]struct {
		settings live.Settings
		moves    []string
		wait     int64
		missed   game.Side
		ok       bool
	}{
		"first":           {settings: live.Settings{Tournament: "x"}, wait: 30_000, missed: game.First, ok: true},
		"second":          {settings: live.Settings{Tournament: "x"}, moves: []string{"f4"}, wait: 30_000, missed: game.Second, ok: true},
		"early":           {settings: live.Settings{Tournament: "x"}, wait: 29_999},
		"begun":           {settings: live.Settings{Tournament: "x"}, moves: []string{"f4", "f3"}, wait: 40_000},
		"an engine":       {settings: live.Settings{Tournament: "x", Seats: level}, wait: 40_000},
		"a game like any": {wait: 40_000},
	} {
		c.settings.Game, c.settings.Clock = "othello", blitz
		d := sit(t, c.settings)
		for _, m := range c.moves {
			d.move(t, 0, m)
		}
		d.now += c.wait
		if err := d.do(miss); (err == nil) != c.ok {
			t.Errorf("%s: %v, want missed: %t", name, err, c.ok)
		}
		if side, ok := d.Missed(); ok != c.ok || ok && side != c.missed {
			t.Errorf("%s: the %s side missed the game: %t", name, side, ok)
		}
	}
	d := sit(t, live.Settings{Game: "othello", Clock: blitz, Tournament: "x"})
	d.now += 60_300
	d.must(t, live.Command{Do: live.Flag})
	if side, ok := d.Missed(); !ok || side != game.First {
		t.Errorf("the %s side, whose time ran out, missed the game: %t", side, ok)
	}
}
