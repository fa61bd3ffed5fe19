package think_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"quintet/farm"
	"quintet/farm/think"
	"quintet/games"
)

func program() farm.Program { return farm.Program{Fingerprint: 7, Arch: "amd64"} }

// request asks for a move at the start of a game.
func request(t testing.TB, name string) farm.ThinkRequest {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	start, err := g.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	return farm.ThinkRequest{Version: farm.Version, Program: program(), Game: name, Start: start.String(), Player: "level:1", Seed: 1, Time: time.Millisecond}
}

// TestThink checks that moves are legal, and that a player that was used before chooses the
// move of a new one.
func TestThink(t *testing.T) {
	thinker := think.New(program())
	for _, g := range games.All() {
		r := request(t, g.Name)
		r.Player = "random"
		var moves []string
		for _, from := range []*think.Thinker{thinker, thinker, think.New(program())} {
			move, err := from.Think(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			moves = append(moves, move)
		}
		start, err := g.Read(r.Start)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := start.Parse(moves[0]); err != nil || moves[1] != moves[0] || moves[2] != moves[0] {
			t.Errorf("%s: moves %q, %v: want three times a legal one", g.Name, moves, err)
		}
	}
}

// TestThinkErrors checks that requests that no server sends have an error and no move.
func TestThinkErrors(t *testing.T) {
	for _, test := range []struct {
		want   string
		change func(r *farm.ThinkRequest)
	}{
		{"another version", func(r *farm.ThinkRequest) { r.Version++ }},
		{"another version", func(r *farm.ThinkRequest) { r.Program.Fingerprint++ }},
		{`game "go"`, func(r *farm.ThinkRequest) { r.Game = "go" }},
		{"start: ", func(r *farm.ThinkRequest) { r.Start = "9/9" }},
		{"move 1: ", func(r *farm.ThinkRequest) { r.Moves = "zz" }},
		{"move 2: ", func(r *farm.ThinkRequest) { r.Moves = "a1c1 a1c1" }},
		{"the game is over", func(r *farm.ThinkRequest) { r.Start = "8/8/8/3BB3/8/8/8/W6W W" }},
		{"making a player: ", func(r *farm.ThinkRequest) { r.Player = "uci:/bin/true" }},
		{"making a player: ", func(r *farm.ThinkRequest) { r.Player = "engine[book=/etc/passwd]" }},
		{"making a player: ", func(r *farm.ThinkRequest) { r.Player = "" }},
		{"making a player: ", func(r *farm.ThinkRequest) { r.Player = "level:99" }},
	} {
		r := request(t, "loa")
		test.change(&r)
		move, err := think.New(program()).Think(t.Context(), r)
		if err == nil || move != "" || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("move %q, %v: want one line with %q", move, err, test.want)
		}
	}
}

// FuzzThink checks that no request panics.
func FuzzThink(f *testing.F) {
	for _, name := range []string{"loa", "chess", "connect6"} {
		text, err := json.Marshal(request(f, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	thinker := think.New(program())
	f.Fuzz(func(t *testing.T, data []byte) {
		var r farm.ThinkRequest
		if len(data) > 4096 || json.Unmarshal(data, &r) != nil {
			return
		}
		r.Version, r.Program, r.Time, r.Player = farm.Version, program(), time.Millisecond, "random"
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if move, err := thinker.Think(ctx, r); err == nil && move == "" || err != nil && strings.Contains(err.Error(), "panic") {
			t.Errorf("move %q, %v", move, err)
		}
	})
}
