package midgame_test

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"quintet/bots/othello/midgame"
	"quintet/engine"
	"quintet/game"
	"quintet/games/othello"
)

// twentyFile has 100 positions with 20 empty cells and their exact values for the side
// to move. QUINTET_GOLDEN=1 makes it again.
const twentyFile = "testdata/twenty.txt"

// twenty reads the positions with 20 empty cells.
func twenty(t testing.TB) (list []ending) {
	t.Helper()
	data, err := os.ReadFile(twentyFile)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var rows, side string
		e := ending{number: i + 1}
		if _, err := fmt.Sscan(line, &rows, &side, &e.value); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		p, err := othello.Game.Read(rows + " " + side)
		if err != nil {
			t.Fatal(err)
		}
		e.position = p.(*othello.Small)
		list = append(list, e)
	}
	return list
}

// playToTwenty plays a game of eight random plies, searches of four plies and a random
// move in ten, until 20 cells are empty. It returns nil if the side to move must pass
// there, or the game ends before.
func playToTwenty(t testing.TB, s *midgame.Search, seed uint64) *othello.Small {
	t.Helper()
	p, err := othello.Game.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.NewPCG(seed, 20)
	small := p.(*othello.Small)
	for ply := 0; !p.Result().Over(); ply++ {
		w := small.Bitboards()
		if bits.OnesCount64(w.Empty()) == 20 && w.Moves != 0 {
			return small
		}
		if ply < 8 || game.IntN(r, 10) == 0 {
			p.Play(game.Sample(p, r, nil))
			continue
		}
		s.Reset()
		p.Play(s.Search(context.Background(), engine.Position{Position: p}, engine.Limit{Depth: 4}, nil).Best())
	}
	return nil
}

// TestTwenty solves the first positions with 20 empty cells.
func TestTwenty(t *testing.T) {
	s := solver(t)
	if os.Getenv("QUINTET_GOLDEN") != "" {
		writeTwenty(t, s)
	}
	list := twenty(t)
	if len(list) != 100 {
		t.Fatalf("%d positions, want 100", len(list))
	}
	for _, e := range list {
		if empty := bits.OnesCount64(e.position.Bitboards().Empty()); empty != 20 {
			t.Errorf("position %d has %d empty cells, want 20", e.number, empty)
		}
	}
	for _, e := range list[:5] {
		s.Reset()
		if r, err := s.Solve(context.Background(), e.position, nil); err != nil || r.Value != e.value {
			t.Errorf("position %d: %+d, %v, want %+d", e.number, r.Value, err, e.value)
		}
	}
}

func writeTwenty(t *testing.T, s *midgame.Search) {
	t.Helper()
	var text strings.Builder
	for seed, n := uint64(1), 0; n < 100; seed++ {
		p := playToTwenty(t, s, seed)
		if p == nil {
			continue
		}
		n++
		s.Reset()
		r, err := s.Solve(context.Background(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "%s %+d\n", p, r.Value)
	}
	if err := os.WriteFile(twentyFile, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkTwenty solves the positions with 20 empty cells with one thread and with two.
func BenchmarkTwenty(b *testing.B) { solveAll(b, twenty(b)) }
