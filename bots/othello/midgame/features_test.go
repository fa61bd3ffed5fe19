package midgame

import (
	"math/rand/v2"
	"testing"

	"quintet/bots/othello/large"
	"quintet/bots/othello/linear"
	"quintet/game"
	"quintet/games/othello"
	"quintet/lab/randomboard"
)

// TestFeatures compares the features of a board in one word with those that package large, in
// its layout, finds.
func TestFeatures(t *testing.T) {
	source := rand.NewPCG(4, 4)
	r := rand.New(source)
	for i := range 60 {
		size := 4 + i%3*2
		start, err := othello.Game.Start(randomboard.Setup(size, r.IntN(size*size/3), r))
		if err != nil {
			t.Fatal(err)
		}
		p := start.(*othello.Small)
		one, other := newPlain(new(linear.Weights), p.Bitboards().Ground), large.NewFeatures(p)
		for ; !p.Result().Over(); p.Play(game.Sample(p, source, nil)) {
			w := p.Bitboards()
			var got linear.Row
			one.features(&w, w.Pass().Moves, &got)
			if want, _ := other.Of(p); got != want {
				t.Fatalf("%s: %v, want %v", p, got, want)
			}
		}
	}
}
