package arena_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"quintet/arena"
	"quintet/game"
)

// playApart plays all pairs of a run in a random order, as text and back.
func playApart(t *testing.T, o arena.Options) (games []arena.Record) {
	t.Helper()
	names := []string{"a", "b", "c"}
	for _, pair := range rand.New(rand.NewPCG(3, 3)).Perm(o.Pairs()) {
		p, err := arena.NewPairPlayer(&o)
		if err != nil {
			t.Fatal(err)
		}
		played, err := p.Play(context.Background(), pair)
		if err := errors.Join(err, p.Close()); err != nil {
			t.Fatal(err)
		}
		opening, err := o.PairOpening(context.Background(), pair)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range played {
			text, err := arena.EncodeRecord(r, names)
			if err != nil {
				t.Fatal(err)
			}
			if played[i], err = arena.DecodeRecord(text, o.Game, names); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(o.CheckPair(pair, played, &opening), o.CheckPair(pair, played, nil)); err != nil {
			t.Fatal(err)
		}
		games = append(games, played[:]...)
	}
	return games
}

// feed returns a source of games for Collect.
func feed(games []arena.Record) func(context.Context) (arena.Record, error) {
	return func(context.Context) (arena.Record, error) {
		if len(games) == 0 {
			return arena.Record{}, io.EOF
		}
		r := games[0]
		games = games[1:]
		return r, nil
	}
}

// TestCollect checks that pairs played one by one, in any order, give the records and
// standings of a run in one process, also if an SPRT stops it and if games arrive twice.
func TestCollect(t *testing.T) {
	for _, test := range []struct {
		name string
		sprt *arena.SPRT
		kept int // games of an earlier run
	}{{"all", nil, 0}, {"sprt", &arena.SPRT{Elo0: 300, Elo1: 310}, 0}, {"resumed", nil, 5}} {
		t.Run(test.name, func(t *testing.T) {
			o, _ := recorded(t)
			if test.sprt != nil {
				o.Entrants, o.SPRT, o.Games = o.Entrants[:2], test.sprt, 4000
			}
			want := map[int]string{}
			o.Save = func(r arena.Record) error { want[r.Number] = asText(t, r.Summary()); return nil }
			local, err := arena.Run(context.Background(), o)
			if err != nil {
				t.Fatal(err)
			}
			short := o
			short.Games = local.Planned / len(local.Pairings)
			if test.sprt != nil {
				short.Games = local.Games + 10
			}
			games := playApart(t, short)
			o.Played = games[:test.kept]
			saved := map[int]bool{}
			for _, r := range o.Played {
				saved[r.Number] = true
			}
			o.Save = func(r arena.Record) error {
				if saved[r.Number] {
					t.Errorf("game %d is saved twice", r.Number)
				}
				saved[r.Number] = true
				if text, ok := want[r.Number]; ok && text != asText(t, r.Summary()) {
					t.Errorf("game %d is %s, want %s", r.Number, asText(t, r.Summary()), text)
				}
				return nil
			}
			s, err := arena.Collect(context.Background(), o, feed(append(games[:len(games):len(games)], games...)))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := asText(t, s), asText(t, local); got != want {
				t.Errorf("standings %s, want %s", got, want)
			}
		})
	}
}

// TestCheckPair checks that games of another pair are rejected.
func TestCheckPair(t *testing.T) {
	o, _ := recorded(t)
	p, err := arena.NewPairPlayer(&o)
	if err != nil {
		t.Fatal(err)
	}
	good, err := p.Play(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	opening, err := o.PairOpening(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(games *[2]arena.Record){
		"number":  func(g *[2]arena.Record) { g[0].Number++ },
		"players": func(g *[2]arena.Record) { g[1].Players = [2]int{0, 1} },
		"seed":    func(g *[2]arena.Record) { g[1].Seed++ },
		"opening": func(g *[2]arena.Record) { g[1].Opening-- },
		"length":  func(g *[2]arena.Record) { g[0].Moves = append(g[0].Moves[:6:6], make([]game.Move, 2000)...) },
	} {
		games := good
		spoil(&games)
		if o.CheckPair(1, games, &opening) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
