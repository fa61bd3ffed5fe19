package picture

import (
	"math/rand/v2"
	"testing"

	"quintet/game"
	"quintet/games"
)

// TestIncrementalImage compares incremental rendering with full rendering, in random
// games, forwards and from one position to any other.
func TestIncrementalImage(t *testing.T) {
	for _, g := range games.All() {
		r := rand.New(rand.NewPCG(1, 2))
		p, err := g.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		list := []Drawing{Of(p.Board(), Options{})}
		for range 7 {
			legal := p.Moves(nil)
			if len(legal) == 0 {
				break
			}
			mv := legal[r.IntN(len(legal))]
			p.Play(mv)
			list = append(list, Of(p.Board(), Options{Last: []game.Cell{mv.To()}}))
		}
		f := incrementalImage{width: 150}
		for i := range 2 * len(list) {
			at := i
			if i >= len(list) {
				at = r.IntN(len(list))
			}
			got, err := f.image(list[at])
			if err != nil {
				t.Fatal(err)
			}
			want, err := list[at].Image(150)
			if err != nil {
				t.Fatal(err)
			}
			for n := range want.Pix {
				if d := int(want.Pix[n]) - int(got.Pix[n]); d > 3 || d < -3 {
					t.Fatalf("%s, picture %d: byte %d is %d, want %d", g.Name, i, n, got.Pix[n], want.Pix[n])
				}
			}
		}
	}
}
