package loa_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quintet/game"
	"quintet/games/loa"
)

func must(t *testing.T, text string) *loa.Position {
	t.Helper()
	p, err := loa.Game.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*loa.Position)
}

func names(p game.Position) string {
	var moves []string
	for _, m := range p.Moves(nil) {
		moves = append(moves, p.Format(m))
	}
	return strings.Join(moves, " ")
}

// TestAgainstPlain compares the moves with the rules' own words, in positions
// of random games and with pieces strewn at random.
func TestAgainstPlain(t *testing.T) {
	r := rand.NewPCG(1, 1)
	p := loa.Start()
	for range 4_000 {
		q := newPlain(p)
		want, theirs := q.moves(p.Turn()), q.moves(p.Turn().Other())
		switch {
		case p.Gathered().Over():
			want = nil
		case len(want) == 0 && len(theirs) > 0:
			want = []game.Move{game.Pass}
		}
		if got := p.Moves(nil); !slices.Equal(got, want) {
			t.Fatalf("%s: moves %v, want %v", p, got, want)
		}
		if p.Result().Over() {
			p = strewn(t, r)
			continue
		}
		p.Play(p.Sample(r))
	}
}

// strewn returns a position of up to 12 pieces a side.
func strewn(t *testing.T, r *rand.PCG) *loa.Position {
	t.Helper()
	cells := []byte(strings.Repeat(".", 64))
	for range 2 + game.Below(r, 23) {
		cells[game.Below(r, 64)] = "BW"[game.Below(r, 2)]
	}
	board := game.FormatRows(8, 8, func(c game.Cell) byte { return cells[c] })
	return must(t, board+" "+string("BW"[game.Below(r, 2)]))
}

func TestPerft(t *testing.T) {
	for i, n := range known {
		if got := loa.Start().Perft(i + 1); got != n {
			t.Errorf("Perft(%d) = %d, want %d", i+1, got, n)
		}
	}
}

func TestParse(t *testing.T) {
	p := loa.Start()
	legal := p.Format(p.Moves(nil)[5])
	for _, s := range []string{legal, strings.ToUpper(legal)} {
		if m, err := p.Parse(s); err != nil || p.Format(m) != legal {
			t.Errorf("Parse(%q) = %v, %v", s, m, err)
		}
	}
	for _, s := range []string{"d4d5", "a0a0", "a0a1", "h7a0", "pass", "PASS"} {
		if m, err := p.Parse(s); !errors.Is(err, game.ErrIllegal) || !strings.Contains(err.Error(), s) {
			t.Errorf("Parse(%q) = %v, %v, want an error that is %q and names the move", s, m, err, game.ErrIllegal)
		}
	}
	for _, s := range []string{"", "d0", "d0f8", "i0a0", "d0-f2", "d0 f2", "d0f2x", "d00f2"} {
		if m, err := p.Parse(s); err == nil || errors.Is(err, game.ErrIllegal) {
			t.Errorf("Parse(%q) = %v, %v, want an error that it is no move", s, m, err)
		}
	}
}

func TestEnds(t *testing.T) {
	for _, test := range ends {
		p := must(t, test.text)
		if got := names(p); got != test.moves || p.Result() != test.result {
			t.Errorf("%s, %s: moves %q, %s, want %q, %s", test.name, test.text, got, p.Result(), test.moves, test.result)
		}
		if got := string(course(p).GameOver()); got != test.course {
			t.Errorf("%s, %s: GameOver is %s, want %s", test.name, test.text, got, test.course)
		}
	}
}

func TestPlay(t *testing.T) {
	for _, test := range plays {
		m := game.NewMatch(loa.Game, must(t, test.text))
		for _, s := range strings.Fields(test.moves) {
			if err := m.PlayText(s); err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
		}
		if got := m.Position().String(); got != test.want || m.Outcome() != test.outcome {
			t.Errorf("%s: %s, %v, want %s, %v", test.name, got, m.Outcome(), test.want, test.outcome)
		}
	}
}

func TestCourse(t *testing.T) {
	c := loa.NewCourse()
	if c.CurrentPlayer() != 'B' || c.Pieces('B') != 12 || c.Pieces('W') != 12 || c.Pieces('x') != 0 || c.GameOver() != '-' {
		t.Errorf("a new game: player %c, %d and %d pieces, %c", c.CurrentPlayer(), c.Pieces('B'), c.Pieces('W'), c.GameOver())
	}
	before := c.Board()
	for _, cells := range invalid {
		from, to, _ := strings.Cut(cells, " ")
		if c.Move(from, to) {
			t.Errorf("Move(%q, %q) is valid", from, to)
		}
	}
	if !slices.Equal(c.Board().Cells, before.Cells) {
		t.Error("an invalid move has changed the board")
	}
	for _, cells := range valid {
		d, text := loa.NewCourse(), cells
		from, to, _ := strings.Cut(text, " ")
		if !d.Move(from, to) {
			t.Errorf("Move(%q, %q) is not valid", from, to)
		}
		if d.CurrentPlayer() != 'B' {
			t.Error("Move has swapped the players")
		}
	}
	c.SwapPlayer()
	if c.CurrentPlayer() != 'W' || c.Connected('W') || !c.CanMove('W') || c.CanMove('x') || !c.Connected('x') {
		t.Error("after SwapPlayer it is White's turn, with pieces that are not connected and can move")
	}
}
