package live

import (
	"errors"
	"strings"
	"testing"

	"quintet/game"
)

// load decides and applies commands until one is refused.
func load(t *testing.T, table *Table, list ...Command) error {
	t.Helper()
	for _, c := range list {
		e, err := table.Decide(c, Stamp{})
		if err != nil {
			return err
		}
		data, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := table.Load(data); err != nil {
			t.Fatal(err)
		}
	}
	return nil
}

func capGame(t *testing.T) *Table {
	t.Helper()
	table := New("game")
	e, err := OpenTable("game", Settings{Game: "othello", Seats: [2]Player{{Name: "Ann"}, {Name: "Ben"}}}, "", Stamp{})
	data, bad := e.Encode()
	if _, wrong := table.Load(data); err != nil || bad != nil || wrong != nil {
		t.Fatal(err, bad, wrong)
	}
	return table
}

func wantMany(t *testing.T, err error, reason string) {
	t.Helper()
	var refused *Error
	if !errors.As(err, &refused) || refused.Code != CodeMany || refused.Reason != reason {
		t.Fatalf("%v, want it refused as %s", err, reason)
	}
}

// TestManyRequests checks that endless offers are refused, while the game can still end
// and a rematch be agreed to.
func TestManyRequests(t *testing.T) {
	offer, decline := Command{Do: Offer}, Command{Do: Decline, Side: game.Second}
	table := capGame(t)
	for range MaxRequests / 2 {
		if err := load(t, table, offer, decline); err != nil {
			t.Fatal(err)
		}
	}
	wantMany(t, load(t, table, offer), "many.requests")
	if err := load(t, table, Command{Do: Move, Move: "f4", Ply: -1}); err != nil {
		t.Errorf("a move after that: %v", err)
	}
	wantMany(t, load(t, table, Command{Do: GoBack, Ply: -1}), "many.requests")
	if err := load(t, table, Command{Do: Resign}, Command{Do: AskRematch}, Command{Do: AskRematch, Side: game.Second, Next: "next"}); err != nil {
		t.Errorf("the end, and a rematch: %v", err)
	}

	table = capGame(t)
	if err := load(t, table, Command{Do: Resign}); err != nil {
		t.Fatal(err)
	}
	var err error
	for n := 0; err == nil && n < 2*MaxRequests; n++ {
		err = load(t, table, Command{Do: AskRematch}, decline)
	}
	wantMany(t, err, "many.requests")
	if want := MaxRequests + RematchRequests + 2; table.EventCount() != want {
		t.Errorf("%d events, want %d", table.EventCount(), want)
	}
}

// TestManyBytes checks that a game whose events are large accepts no more moves.
func TestManyBytes(t *testing.T) {
	table := capGame(t)
	err := load(t, table, Command{Do: Move, Move: "f4", Ply: -1, Key: strings.Repeat("k", MaxBytes)}, Command{Do: Move, Move: "f3", Ply: -1, Side: game.Second})
	wantMany(t, err, "many.moves")
	if table.Ply() != 1 {
		t.Errorf("%d moves, want the first alone", table.Ply())
	}
}

// TestManyMoves checks that a game of very many events accepts no more moves, but every
// way to end it.
func TestManyMoves(t *testing.T) {
	long := func() *Table {
		table := capGame(t)
		table.number = MaxEvents
		return table
	}
	wantMany(t, load(t, long(), Command{Do: Move, Move: "f4", Ply: -1}), "many.moves")
	for _, end := range [][]Command{{{Do: Resign}}, {{Do: Offer}, {Do: Accept, Side: game.Second}}} {
		if err := load(t, long(), end...); err != nil {
			t.Errorf("%v: %v", end, err)
		}
	}
	table := New("game") // one move before its end
	e, err := OpenTable("game", Settings{Game: "connect6", Position: "BBBBB1/6/6/6/6/6 B 1", Seats: [2]Player{{Name: "Ann"}, {Name: "Ben"}}}, "", Stamp{})
	data, bad := e.Encode()
	if _, wrong := table.Load(data); err != nil || bad != nil || wrong != nil {
		t.Fatal(err, bad, wrong)
	}
	table.number = MaxEvents
	if err := load(t, table, Command{Do: Move, Move: "F0", Ply: -1}); err != nil || !table.Over() {
		t.Errorf("a move that wins: %v", err)
	}
}

// TestExpire calls off a game without a move, and no other.
func TestExpire(t *testing.T) {
	expire := Command{Do: Expire}
	table := capGame(t)
	if err := load(t, table, Command{Do: Move, Move: "f4", Ply: -1}, expire); err == nil {
		t.Error("a game that has begun is called off")
	}
	table = capGame(t)
	if err := load(t, table, expire); err != nil || !table.Over() {
		t.Errorf("%v, over %t; want the game called off", err, table.Over())
	}
}

// TestExpireIdle checks that a game without a clock is lost by the side that has not moved
// for long, that it is called off if that is an engine, and that clocks end their games.
func TestExpireIdle(t *testing.T) {
	for _, c := range []struct {
		name   string
		clock  TimeControl
		engine string
		idle   int64 // milliseconds
		want   Kind  // "" for a refusal
	}{
		{"long", TimeControl{}, "", UntimedTurn, Abandoned},
		{"not long enough", TimeControl{}, "", UntimedTurn - 1, ""},
		{"an engine's turn", TimeControl{}, "level:3", UntimedTurn, CalledOff},
		{"a clock", TimeControl{Days: 14}, "", UntimedTurn, ""},
	} {
		table := capGame(t)
		if err := load(t, table, Command{Do: Move, Move: "f4", Ply: -1}); err != nil {
			t.Fatal(err)
		}
		table.settings.Clock, table.players[game.Second].Engine = c.clock, c.engine
		e := Event{Envelope: Envelope{At: table.turned + c.idle}}
		err := table.decideExpire(&e)
		if e.Kind != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v; want %q", c.name, e.Kind, err, c.want)
		}
		if e.Kind == Abandoned && e.By() != game.First {
			t.Errorf("%s: %s wins, want the side that has moved", c.name, e.By())
		}
	}
}
