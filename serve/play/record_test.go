package play

import (
	"math/rand/v2"
	"testing"

	"quintet/game"
	"quintet/games"
	"quintet/live"
)

// TestRecordsAreLinear checks that the record of a game of four times the length takes
// about four times the work, not sixteen times.
func TestRecordsAreLinear(t *testing.T) {
	g, err := games.ByName("othello")
	if err != nil {
		t.Fatal(err)
	}
	setup := game.Setup{"size": "26"}
	texts := randomGame(t, g, setup, 600)
	work := func(plies int) float64 {
		table := live.New("aaaaaaaaaaaa")
		e, err := live.OpenTable(table.ID(), live.Settings{Game: "othello", Options: setup, Moves: texts[:plies]}, "", live.Stamp{})
		if err != nil {
			t.Fatal(err)
		}
		data, err := e.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := table.Load(data); err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(1, func() {
			if _, err := recordOf(table, ""); err != nil {
				t.Fatal(err)
			}
		})
	}
	if short, long := work(150), work(600); long > 8*short {
		t.Errorf("600 plies take %.0f allocations, 150 take %.0f: want about four times as many", long, short)
	}
}

// randomGame returns the notation of a random game of a number of plies, which is not over.
func randomGame(t *testing.T, g game.Game, setup game.Setup, plies int) (texts []string) {
	t.Helper()
	p, err := g.Start(setup)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.NewPCG(1, 1)
	for range plies {
		m := game.Sample(p, random, nil)
		texts = append(texts, p.Format(m))
		p.Play(m)
	}
	if p.Result().Over() {
		t.Fatal("the random game is over")
	}
	return texts
}
