package env_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"quintet/game"
	"quintet/games"
	"quintet/protocol/env"
)

// TestRules plays random games in batches, and the same moves in matches: legal moves, results, repetition,
// rewards and observations agree.
func TestRules(t *testing.T) {
	setups := []struct {
		game  string
		setup game.Setup
	}{{"neighbors", nil}, {"loa", nil}, {"chess", nil}, {"othello", nil}, {"othello", game.Setup{"size": "10", "pits": "a1,c3"}}, {"connect6", game.Setup{"size": "7"}}}
	for _, s := range setups {
		g, err := games.ByName(s.game)
		if err != nil {
			t.Fatal(err)
		}
		p, err := g.Start(s.setup)
		if err != nil {
			t.Fatal(err)
		}
		b := start(t, env.Config{Game: g, Start: p, Games: 3, Workers: 2, Manual: true})
		matches := []*game.Match{game.NewMatch(g, p), game.NewMatch(g, p), game.NewMatch(g, p)}
		r := rand.New(rand.NewPCG(7, 7))
		for range 2000 {
			b.random(r)
			texts := b.texts()
			movers := []game.Side{matches[0].Position().Turn(), matches[1].Position().Turn(), matches[2].Position().Turn()}
			b.step()
			over := true
			for i, m := range matches {
				if texts[i] != "" {
					if err := m.PlayText(texts[i]); err != nil {
						t.Fatal(s.game, err)
					}
				}
				b.compare(i, m, movers[i], texts[i] != "")
				over = over && m.Over()
			}
			if over {
				break
			}
		}
		if !matches[0].Over() {
			t.Errorf("%s: a game is not over after 2000 plies", s.game)
		}
	}
}

// texts returns the notation of each game's action, "" if it is over.
func (b *batch) texts() (texts []string) {
	b.t.Helper()
	for i := range b.n {
		if b.memory[b.l.Terminated+i] == 1 {
			texts = append(texts, "")
			continue
		}
		a := binary.LittleEndian.Uint32(b.memory[b.l.Actions+4*i:])
		text, err := b.Text(i, int(a))
		if err != nil {
			b.t.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}

// compare compares a game with a match.
func (b *batch) compare(i int, m *game.Match, mover game.Side, moved bool) {
	b.t.Helper()
	p, o := m.Position(), m.Outcome()
	if got := b.memory[b.l.Result+i]; got != byte(o.Result) {
		b.t.Fatalf("%s: result %d, want %s", p, got, o.Result)
	}
	if got := len(b.legal(i)); got != len(m.Legal()) {
		b.t.Fatalf("%s: %d legal actions, want %d", p, got, len(m.Legal()))
	}
	want := float32(0)
	if winner, ok := o.Result.Winner(); ok && winner == mover {
		want = 1
	} else if ok {
		want = -1
	}
	if got := b.reward(i); moved && got != want {
		b.t.Fatalf("%s: reward %g, want %g", p, got, want)
	}
	b.observed(i, p)
}

// observed compares an observation with the board: each piece is in the plane of its kind and owner.
func (b *batch) observed(i int, p game.Position) {
	b.t.Helper()
	cells := p.Board().Cells
	size := (b.l.Mask - b.l.Observations) / b.n / len(cells) * len(cells)
	planes := b.memory[b.l.Observations+i*size:][:size]
	count, pieces := 0, 0
	for _, one := range planes[:size-len(cells)] {
		count += int(one)
	}
	for cell, piece := range cells {
		if piece.Kind == game.Empty {
			continue
		}
		pieces++
		half := 0
		for plane := range size/len(cells) - 1 {
			if planes[plane*len(cells)+cell] == 1 {
				half = plane + 1
			}
		}
		own := half > 0 && half <= (size/len(cells)-1)/2
		if half == 0 || piece.Kind != game.Pit && own != (piece.Side == p.Turn()) {
			b.t.Fatalf("%s: cell %d is in plane %d", p, cell, half-1)
		}
	}
	if count != pieces {
		b.t.Fatalf("%s: %d pieces in the planes, want %d", p, count, pieces)
	}
	if last := planes[size-1]; last == 1 != (p.Turn() == game.First) {
		b.t.Fatalf("%s: first to move is %d", p, last)
	}
}
