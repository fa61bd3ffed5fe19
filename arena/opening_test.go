package arena_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quintet/arena"
	"quintet/game"
	"quintet/games"
)

// TestOpenings checks that openings leave moves to play wherever that is possible.
func TestOpenings(t *testing.T) {
	g, err := games.ByName("othello")
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Start(game.Setup{"size": "4"})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(50) {
		q := p.Clone()
		moves := arena.RandomOpening(p, 8, rand.NewPCG(seed, 0))
		for _, m := range moves {
			q.Play(m)
		}
		if len(moves) != 8 || q.Result().Over() {
			t.Errorf("seed %d: %d plies to %s", seed, len(moves), q)
		}
	}
	if moves := arena.RandomOpening(p, 99, rand.NewPCG(1, 0)); len(moves) > 16 {
		t.Errorf("an opening of %d plies on 4 by 4", len(moves))
	}
}

// discs values a position of Othello by its note, "Black 4, White 1": what is
// more of the side to move.
func discs(_ context.Context, p game.Position) int {
	more := 0
	for _, piece := range p.Board().Cells {
		switch {
		case piece.Kind != game.Stone:
		case piece.Side == p.Turn():
			more++
		default:
			more--
		}
	}
	return more
}

// TestBandOpenings checks openings of odd and even length in a band of scores for the
// first side, and that equal seeds give equal openings.
func TestBandOpenings(t *testing.T) {
	o := options(t, "othello", fake{}, fake{})
	for _, plies := range []int{5, 6} {
		openings := arena.BandOpenings(o.Start, plies, 7, 3, 4, discs)
		again := arena.BandOpenings(o.Start, plies, 7, 3, 4, discs)
		for round := range 20 {
			opening, err := openings(context.Background(), round)
			other, err2 := again(context.Background(), round)
			if err := errors.Join(err, err2); err != nil || len(opening.Moves) != plies || !slices.Equal(opening.Moves, other.Moves) {
				t.Fatalf("round %d: %v and %v, %v", round, opening.Moves, other.Moves, err)
			}
			p := opening.Start.Clone()
			for _, mv := range opening.Moves {
				p.Play(mv)
			}
			v := discs(context.Background(), p)
			if p.Turn() == game.Second {
				v = -v
			}
			if v < 3 || v > 4 {
				t.Errorf("%d plies, round %d: value %d, want 3 or 4", plies, round, v)
			}
		}
	}
	none := arena.BandOpenings(o.Start, 4, 7, 100, 200, discs)
	want := "none of 1000 random openings of 4 plies has a value from 100 to 200: use a wider band or another number of plies"
	if _, err := none(context.Background(), 0); err == nil || err.Error() != want {
		t.Errorf("a band that nothing is in: %v, want %s", err, want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := none(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

const book = `# An opening is a line.
e3 d3 c3

  E3 d3
position 8/8/8/3WB3/3BW3/8/8/8 B
position 8/8/8/3WB3/3BW3/8/8/8 B moves e3 d3
`

// TestReadOpenings reads a book, and plays its lines one after the other.
func TestReadOpenings(t *testing.T) {
	o := options(t, "othello", fake{}, fake{})
	text := strings.ReplaceAll(book, "8/8/8/3WB3/3BW3/8/8/8 B", o.Start.String())
	list, err := arena.ReadOpenings(strings.NewReader(text), o.Game, o.Start)
	if err != nil {
		t.Fatal(err)
	}
	var lengths []int
	for _, opening := range list {
		lengths = append(lengths, len(opening.Moves))
	}
	if !slices.Equal(lengths, []int{3, 2, 0, 2}) {
		t.Errorf("openings of %v plies, want 3, 2, 0 and 2", lengths)
	}
	openings := arena.ListOpenings(list)
	for round, want := range []int{3, 2, 0, 2, 3, 2} {
		if opening, err := openings(context.Background(), round); err != nil || len(opening.Moves) != want {
			t.Errorf("round %d: %d plies, %v, want %d", round, len(opening.Moves), err, want)
		}
	}
}

// TestReadOpeningsErrors quotes what is said of lines that are wrong.
func TestReadOpeningsErrors(t *testing.T) {
	o := options(t, "connect6", fake{}, fake{})
	start, err := o.Game.Start(game.Setup{"size": "1"})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                 "no openings: write a line of moves, or position TEXT, for each",
		"# a1\n\n":         "no openings: write a line of moves, or position TEXT, for each",
		"# one\n\nA0":      "line 3: the opening ends the game",
		"A0 A0":            `line 1: move 2, "A0": the game is over`,
		"B0":               `line 1: move 1: move: cell "B0": outside of the board of 1 by 1, expected from A0 to A0`,
		"position":         "line 1: position: ",
		"position x":       "line 1: position: ",
		"position x moves": "line 1: position: ",
	} {
		_, err := arena.ReadOpenings(strings.NewReader(text), o.Game, start)
		if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(want, ": ") && err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := arena.ReadOpenings(strings.NewReader(strings.Repeat("A0 ", 1<<20)), o.Game, start); err == nil {
		t.Error("a line of three megabytes: no error")
	}
}

// FuzzReadOpenings reads any text: an error, or openings that can be played on.
func FuzzReadOpenings(f *testing.F) {
	f.Add(book, uint8(1))
	f.Add("A0 a1\nposition 3/3/3 B", uint8(3))
	f.Add("moves\nposition moves moves", uint8(4))
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		g := games.All()[int(which)%len(games.All())]
		start, err := g.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := arena.ReadOpenings(strings.NewReader(text), g, start)
		if (err == nil) != (len(list) > 0) {
			t.Fatalf("%d openings, %v", len(list), err)
		}
		for _, o := range list {
			m := game.NewMatch(g, o.Start)
			for _, mv := range o.Moves {
				if err := m.Play(mv); err != nil {
					t.Fatal(err)
				}
			}
			if m.Over() {
				t.Fatal("nothing is left to play")
			}
		}
	})
}
