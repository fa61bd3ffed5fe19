package train

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"quintet/bots/othello/pattern"
)

// allGames are small games of all kinds, with the function that makes them again.
func allGames(t *testing.T) map[string]func() *Games {
	t.Helper()
	b := BoardGames{Games: 10, Nodes: 200, From: UntrainedBoards(), Seed: 3}
	deep := scored(t)
	deep.Depth = 7 // deep enough that a game depends on what a table knows of others
	return map[string]func() *Games{"8x8": scored(t).Play, "8x8, deep": deep.Play, "any": b.Play}
}

func record(t *testing.T, g *Games, i int) []byte {
	t.Helper()
	r, err := g.Record(t.Context(), i)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestGamesAlone checks that a game does not depend on the games that were played before
// it, and that records are accepted one by one and together.
func TestGamesAlone(t *testing.T) {
	for name, games := range allGames(t) {
		g := games()
		var all []byte
		var want [][]byte
		for i := range 6 {
			want = append(want, record(t, g, i))
			all = append(all, want[i]...)
		}
		for i := range slices.Backward(want) {
			if !bytes.Equal(record(t, games(), i), want[i]) {
				t.Errorf("%s: game %d depends on those before it", name, i)
			}
			for range 2 { // the second time the table has its positions
				if !bytes.Equal(record(t, g, i), want[i]) {
					t.Errorf("%s: game %d depends on the same game before it", name, i)
				}
			}
			if _, err := g.Check(i, 1, want[i]); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		got, err := g.Check(0, len(want), all)
		if err != nil || !slices.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("%s: %v, or other records", name, err)
		}
	}
}

// TestGamesCheck checks that records of no game are rejected.
func TestGamesCheck(t *testing.T) {
	for name, games := range allGames(t) {
		g := games()
		good := record(t, g, 1)
		longer := appendRecord(nil, append(slices.Clone(good[2:]), 0))
		wild := slices.Clone(good)
		wild[2] = 200
		score := slices.Clone(good)
		score[3], score[4] = 0xff, 0x7f
		for what, bad := range map[string][]byte{
			"nothing": nil, "half a length": good[:1], "cut off": good[:len(good)-1], "one more byte": append(slices.Clone(good), 0),
			"one move more": longer, "another move or score": score, "one move less": appendRecord(nil, good[2:len(good)-1]), "an illegal move": wild,
		} {
			if _, err := g.Check(1, 1, bad); err == nil {
				t.Errorf("%s, %s: no error", name, what)
			}
		}
		if _, err := g.Check(2, 1, good); err == nil && name != "any" { // another number, other random moves
			t.Errorf("%s: the game of another number is accepted", name)
		}
	}
}

// FuzzGamesCheck checks that no record makes the check panic.
func FuzzGamesCheck(f *testing.F) {
	b := BoardGames{Games: 10, Nodes: 5, From: UntrainedBoards(), Seed: 3}.Play()
	s := ScoredGames{Games: 10, From: pattern.Untrained(), Depth: 2, Exact: 6, Seed: 1}
	good, err := s.Play().Record(context.Background(), 0)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good, 0)
	f.Add([]byte{1, 0, 0}, 3)
	f.Fuzz(func(t *testing.T, records []byte, first int) {
		first = max(first, 0) % 1000
		for _, games := range []*Games{s.Play(), b} {
			if list, err := games.Check(first, 1, records); err == nil && !bytes.Equal(list[0], records) {
				t.Errorf("%x is accepted as %x", records, list)
			}
		}
	})
}
