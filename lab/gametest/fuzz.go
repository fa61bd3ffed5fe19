package gametest

import (
	"slices"
	"testing"

	"quintet/game"
)

// FuzzRead is the body of a game's fuzz target for position texts: Read never panics,
// accepted texts round-trip, and the position satisfies the contract for a few plies.
func FuzzRead(f *testing.F, g game.Game, setups ...string) {
	r := newRand(3)
	for _, setup := range append([]string{""}, setups...) {
		p := Start(f, g, setup)
		for ply := 0; ply < 80 && !p.Result().Over(); ply++ {
			if ply%16 == 0 {
				f.Add(p.String())
			}
			p.Play(game.Sample(p, r, nil))
		}
		f.Add(p.String())
	}
	f.Fuzz(func(t *testing.T, text string) { checkRead(t, g, text) })
}

func checkRead(t TB, g game.Game, text string) {
	p, err := g.Read(text)
	if err != nil {
		return
	}
	w := walk{TB: t, g: g, pick: newRand(uint64(len(text)))}
	w.play(p, 3)
}

// FuzzParse is the body of a game's fuzz target for moves: Parse never panics and
// accepts only legal moves, in positions of a random game.
func FuzzParse(f *testing.F, g game.Game, setups ...string) {
	for _, text := range []string{"d3", "d0f2", "e2e4", "J9", "pass", "", "a0", "zz9", "a1b"} {
		f.Add(text, uint8(0))
	}
	var starts []game.Position
	for _, setup := range append([]string{""}, setups...) {
		starts = append(starts, Start(f, g, setup))
	}
	f.Fuzz(func(t *testing.T, text string, plies uint8) {
		checkParse(t, starts[int(plies)%len(starts)].Clone(), text, int(plies))
	})
}

// checkParse plays some random plies on p and parses the text there.
func checkParse(t TB, p game.Position, text string, plies int) {
	r := newRand(uint64(plies))
	for i := 0; i < plies && !p.Result().Over(); i++ {
		p.Play(game.Sample(p, r, nil))
	}
	m, err := p.Parse(text)
	if err == nil && !slices.Contains(p.Moves(nil), m) {
		t.Errorf("%s: Parse(%q) = %v, which is not legal", p, text, m)
	}
}
