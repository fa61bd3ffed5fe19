package train

import (
	"bytes"
	"slices"
	"testing"

	"quintet/lab/train/selfplay"
)

// allGames are small games of all kinds, with the function that makes them again.
func allGames(t *testing.T) map[string]func() selfplay.Source {
	t.Helper()
	deep := scored(t)
	deep.Depth = 7 // deep enough that a game depends on what a table knows of others
	return map[string]func() selfplay.Source{"8x8": scored(t).Play, "8x8, deep": deep.Play}
}

func record(t *testing.T, play selfplay.Source, i int) []byte {
	t.Helper()
	r, err := play(t.Context(), i)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestGamesAlone checks that a game does not depend on the games that were played before it.
func TestGamesAlone(t *testing.T) {
	for name, games := range allGames(t) {
		g := games()
		var want [][]byte
		for i := range 6 {
			want = append(want, record(t, g, i))
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
		}
	}
}

// TestGamesReplay checks that records of other games, and damaged ones, are rejected.
func TestGamesReplay(t *testing.T) {
	s := scored(t)
	good := record(t, s.Play(), 1)
	wild := slices.Clone(good)
	wild[0] = 200
	for what, bad := range map[string][]byte{
		"nothing": nil, "cut off": good[:len(good)-1], "one more byte": append(slices.Clone(good), 0), "an illegal move": wild,
	} {
		if _, err := s.replay(1, bad); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if _, err := s.replay(1, good); err != nil {
		t.Error(err)
	}
	score := record(t, s.Play(), 1)
	score[1], score[2] = 0xff, 0x7f
	if _, err := s.replay(1, score); err == nil {
		t.Error("a score of more than 64 discs: no error")
	}
}
