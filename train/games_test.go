package train

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"quintet/bots/othello/linear"
	"quintet/bots/othello/pattern"
)

// allGames are small games of all kinds, with the function that makes them again.
func allGames(t *testing.T) map[string]func() *Games {
	t.Helper()
	w, err := pattern.Trained()
	if err != nil {
		t.Fatal(err)
	}
	s := settings()
	s.From = w
	b := BoardSettings{Games: 10, Nodes: 200, From: linear.Untrained(), Seed: 3, Threads: 1}
	return map[string]func() *Games{"8x8": s.Play8x8, "by mobility": settings().Play8x8, "any": b.PlayBoards, "scored": scored(t).Play}
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

// TestTableIsCleared checks that games and labels do not depend on earlier searches. The
// searches are deep enough, and game 6 is one in which they would, as labels would if the
// positions are searched from the last stage backwards.
func TestTableIsCleared(t *testing.T) {
	w, err := pattern.Trained()
	if err != nil {
		t.Fatal(err)
	}
	s := settings()
	s.From, s.Play, s.Games = w, 7, 2
	g := s.Play8x8()
	if !bytes.Equal(record(t, g, 6), record(t, g, 6)) {
		t.Error("the game depends on the same game before it")
	}
	s.Play = 1
	stages, err := s.samplePositions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l := NewLabeler(w, 7, 6)
	for _, boards := range slices.Backward(stages[:]) {
		p := encodePositions(boards)
		for i := range p.Len() {
			if got, want := l.Value(p, i), NewLabeler(w, 7, 6).Value(p, i); got != want {
				t.Errorf("%x has value %d after others, and %d alone", p.at(i), got, want)
			}
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
	g, b := settings().Check8x8(), (&BoardSettings{Games: 10, Nodes: 5, From: linear.Untrained(), Seed: 3}).CheckBoards()
	c := ScoredGames{Games: 10, Depth: 2, Exact: 6, Seed: 1}.Check()
	good, err := settings().Play8x8().Record(context.Background(), 0)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good, 0)
	f.Add([]byte{1, 0, 0}, 3)
	f.Fuzz(func(t *testing.T, records []byte, first int) {
		first = max(first, 0) % 1000
		for _, games := range []*Games{g, b, c} {
			if list, err := games.Check(first, 1, records); err == nil && !bytes.Equal(list[0], records) {
				t.Errorf("%x is accepted as %x", records, list)
			}
		}
	})
}

// TestPositionsCheck checks that positions of no game are rejected, and that labels are
// wanted for each.
func TestPositionsCheck(t *testing.T) {
	start := encodePositions([]board{startBoard()})
	if err := start.Check(); err != nil || start.Len() != 1 || start.at(0) != startBoard() {
		t.Errorf("the start: %v", err)
	}
	for what, p := range map[string]Positions{
		"nothing": nil, "half a position": start[:8], "two discs in a cell": encodePositions([]board{{1, 1}}), "no move": encodePositions([]board{{1, 1 << 40}}),
	} {
		if err := p.Check(); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	s := settings()
	s.Labels = func(context.Context, Positions, *pattern.Weights) ([]int, error) { return []int{1}, nil }
	if _, err := Othello(t.Context(), s, func(string) {}); err == nil {
		t.Error("too few labels are accepted")
	}
}

// TestElsewhere checks that games and labels that come from elsewhere give the weights of
// those that are made here, and that their errors end the training.
func TestElsewhere(t *testing.T) {
	s := settings()
	s.Source = s.Play8x8().Record
	labels := 0
	s.Labels = func(_ context.Context, p Positions, w *pattern.Weights) (values []int, err error) {
		l := NewLabeler(w, s.Depth, s.Exact)
		for i := p.Len() - 1; i >= 0; i-- { // in another order than here
			values = append(values, l.Value(p, i))
		}
		slices.Reverse(values)
		labels += len(values)
		return values, p.Check()
	}
	var here, elsewhere bytes.Buffer
	for to, s := range map[*bytes.Buffer]Settings{&here: settings(), &elsewhere: s} {
		w, err := Othello(t.Context(), s, func(string) {})
		if err == nil {
			err = w.Write(to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(here.Bytes(), elsewhere.Bytes()) || labels == 0 {
		t.Error("the weights differ")
	}
	broken := errors.New("broken")
	s.Source = func(context.Context, int) ([]byte, error) { return nil, broken }
	if _, err := Othello(t.Context(), s, func(string) {}); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}
