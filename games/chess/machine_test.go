package chess_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"quintet/game"
	"quintet/games/chess"
)

// try is a move of the machine, or, not ok, a forfeited turn.
type try struct {
	y1, x1, y2, x2 int
	ok             bool
}

// literal is the machine's algorithm word for word.
func literal(c *chess.Course, r *rand.PCG) try {
	pieces := c.PieceCount(c.Turn())
	for range 10 * pieces {
		piece, _ := c.Piece(c.Turn(), game.IntN(r, pieces))
		for range 4096 {
			y, x := game.IntN(r, 8), game.IntN(r, 8)
			if c.IsMoveValid(piece.Y, piece.X, y, x) {
				return try{piece.Y, piece.X, y, x, true}
			}
		}
	}
	return try{}
}

// courseOf sets up a course game.
func courseOf(t *testing.T, text string) *chess.Course {
	t.Helper()
	p, c := must(t, text), chess.NewCourse()
	for cell := range game.Cell(64) {
		c.Put(int(cell/8), int(cell%8), p.At(cell))
	}
	if p.Turn() == game.Second {
		c.NextTurn()
	}
	return c
}

// TestRandomMove draws many moves and compares how often each comes with its
// chance by the document, and with how often the literal algorithm draws it.
func TestRandomMove(t *testing.T) {
	for _, text := range []string{
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w",
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b",
		"4k3/8/8/8/8/8/4p3/3QK3 w",
	} {
		const draws, literals = 100_000, 2_000
		c, r := courseOf(t, text), rand.NewPCG(7, 7)
		seen, plainly := map[try]float64{}, map[try]float64{}
		for range draws {
			y1, x1, y2, x2, ok := c.RandomMove(r)
			seen[try{y1, x1, y2, x2, ok}]++
		}
		for range literals {
			plainly[literal(c, r)]++
		}
		want := chances(c)
		if chi, limit := chiSquare(seen, want, draws); chi > limit {
			t.Errorf("%s: chi-square %.1f against the chances, want below %.1f", text, chi, limit)
		}
		if chi, limit := chiSquare(plainly, want, literals); chi > limit {
			t.Errorf("%s: chi-square %.1f of the literal algorithm, want below %.1f", text, chi, limit)
		}
	}
}

// chances returns the chance of each move: even over the pieces that can move,
// and then over the piece's targets.
func chances(c *chess.Course) map[try]float64 {
	var movable []map[try]float64
	for i := range c.PieceCount(c.Turn()) {
		piece, _ := c.Piece(c.Turn(), i)
		targets := map[try]float64{}
		for y := range 8 {
			for x := range 8 {
				if c.IsMoveValid(piece.Y, piece.X, y, x) {
					targets[try{piece.Y, piece.X, y, x, true}] = 1
				}
			}
		}
		if len(targets) > 0 {
			movable = append(movable, targets)
		}
	}
	all := map[try]float64{}
	for _, targets := range movable {
		for m := range targets {
			all[m] = 1 / float64(len(movable)*len(targets))
		}
	}
	return all
}

// chiSquare compares counts with chances. The statistic has mean n and variance
// 2n for n+1 moves; the limit is five deviations above. A move without a chance
// makes it infinite.
func chiSquare(seen, chance map[try]float64, draws float64) (chi, limit float64) {
	for m := range seen {
		if chance[m] == 0 {
			return math.Inf(1), 0
		}
	}
	for m, p := range chance {
		d := seen[m] - draws*p
		chi += d * d / (draws * p)
	}
	n := float64(len(chance) - 1)
	return chi, n + 5*math.Sqrt(2*n)
}

// TestForfeit compares how often a side with one movable piece among eight
// forfeits its turn with the chance of missing it 80 times, (7/8)^80.
func TestForfeit(t *testing.T) {
	const draws = 1_000_000
	c, r := courseOf(t, "KPPPP3/PP6/8/8/8/8/7P/7k w"), rand.NewPCG(7, 7)
	forfeits := 0.0
	for range draws {
		y1, x1, y2, x2, ok := c.RandomMove(r)
		if !ok {
			forfeits++
		} else if !c.IsMoveValid(y1, x1, y2, x2) {
			t.Fatalf("RandomMove = %d, %d, %d, %d, which is not valid", y1, x1, y2, x2)
		}
	}
	want := draws * math.Pow(7./8, 80)
	if math.Abs(forfeits-want) > 4*math.Sqrt(want) {
		t.Errorf("%.0f forfeits in %d turns, want about %.1f", forfeits, draws, want)
	}
}

// TestStuckMachine has no move to draw.
func TestStuckMachine(t *testing.T) {
	c, r := courseOf(t, "KP6/PP6/8/8/8/8/8/7k w"), rand.NewPCG(1, 1)
	if y1, x1, y2, x2, ok := c.RandomMove(r); ok {
		t.Errorf("RandomMove = %d, %d, %d, %d, want the turn forfeited", y1, x1, y2, x2)
	}
	c = chess.NewCourse()
	c.Stop()
	if _, _, _, _, ok := c.RandomMove(r); ok {
		t.Error("the machine moves in a stopped game")
	}
}
