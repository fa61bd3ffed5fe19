package connect6

import (
	"math/bits"
	"math/rand/v2"
	"testing"
	"time"

	"quintet/engine"
	"quintet/game"
	rules "quintet/games/connect6"
)

// position returns a board of some random stones, none of them six in a line.
func position(t testing.TB, r *rand.PCG, size, stones int) *rules.Position {
	t.Helper()
	p, err := rules.Start(size)
	if err != nil {
		t.Fatal(err)
	}
	for range min(stones, size*size-1) {
		q := *p
		if q.Play(q.Sample(r)); q.Result().Over() {
			break
		}
		p = &q
	}
	return p
}

// plainWindows computes the value of a side's windows, and the number of hot ones, by
// coordinates.
func plainWindows(p *rules.Position, s game.Side) (worth, hot int) {
	n := p.Size()
	has := func(s game.Side, row, col int) int { return int(p.Row(s, row) >> col & 1) }
	for row := range n {
		for col := range n {
			for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				if last := col + 5*d[1]; row+5*d[0] >= n || last < 0 || last >= n {
					continue
				}
				own, other := 0, 0
				for i := range six {
					own += has(s, row+i*d[0], col+i*d[1])
					other += has(s^1, row+i*d[0], col+i*d[1])
				}
				if other > 0 {
					continue
				}
				worth += values[own]
				if own >= 4 {
					hot++
				}
			}
		}
	}
	return worth, hot
}

// TestBoard puts and takes stones, and compares with a count of all windows.
func TestBoard(t *testing.T) {
	r := rand.NewPCG(1, 1)
	var b, fresh board
	for i := range 400 {
		p := position(t, r, 1+i%26, game.IntN(r, 200))
		b.reset(p)
		for s := range game.Side(2) {
			worth, hot := plainWindows(p, s)
			if int(b.worth[s]) != worth || int(b.hot[s]) != hot {
				t.Fatalf("%s: side %d is worth %d with %d hot windows, want %d and %d", p, s, b.worth[s], b.hot[s], worth, hot)
			}
		}
		checkBusy(t, &b)
		fresh.reset(p)
		var put []cell
		for range 10 {
			if c := cell(game.IntN(r, p.Size()*p.Size())); b.vacant(c) {
				b.put(game.Side(c&1), c)
				put = append(put, c)
			}
		}
		for len(put) > 0 {
			c := put[len(put)-1]
			b.take(game.Side(c&1), c)
			put = put[:len(put)-1]
		}
		b.saved, fresh.saved = [maxCells]saved{}, [maxCells]saved{} // what take has used
		if b != fresh {
			t.Fatalf("%s: putting and taking stones leaves another board", p)
		}
	}
}

// checkBusy expects exactly the lines with two or more stones of a side to be busy.
func checkBusy(t *testing.T, b *board) {
	t.Helper()
	for s := range game.Side(2) {
		for line := range b.lines {
			n := bits.OnesCount64(b.stones[s][line])
			if got := b.busy[s][line>>6]>>(line&63)&1 != 0; got != (n >= 2) {
				t.Fatalf("line %d with %d stones of side %d: busy is %v", line, n, s, got)
			}
		}
	}
}

// TestAnswer compares how hot windows can be stopped with trying all cells and
// all pairs of cells.
func TestAnswer(t *testing.T) {
	r := rand.NewPCG(2, 2)
	var b board
	var a answers
	found := [4]int{}
	for found[1] < 200 || found[2] < 200 || found[3] < 100 {
		p := position(t, r, 6+game.IntN(r, 4), 20+game.IntN(r, 20))
		b.reset(p)
		for s := range game.Side(2) {
			b.answer(s, &a)
			found[a.stones]++
			checkAnswer(t, p, &b, s, &a)
		}
	}
}

// TestAnswerOnSharedLine has a line in which both sides have hot windows, the first side
// more of them than the second has in all.
func TestAnswerOnSharedLine(t *testing.T) {
	q, err := rules.Game.Read("3BBBB8WWWW/19/19/WWWW15/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 B 2")
	if err != nil {
		t.Fatal(err)
	}
	p := q.(*rules.Position)
	var b board
	b.reset(p)
	for s := range game.Side(2) {
		var a answers
		b.answer(s, &a)
		checkAnswer(t, p, &b, s, &a)
	}
}

func checkAnswer(t *testing.T, p *rules.Position, b *board, s game.Side, a *answers) {
	t.Helper()
	singles, doubles := map[cell]bool{}, map[pair]bool{}
	n := cell(p.Size() * p.Size())
	for c := range n {
		if !b.vacant(c) {
			continue
		}
		b.put(s^1, c)
		if b.hot[s] == 0 {
			singles[c] = true
		}
		for d := range c {
			if !b.vacant(d) {
				continue
			}
			b.put(s^1, d)
			if b.hot[s] == 0 {
				doubles[pair{d, c}] = true
			}
			b.take(s^1, d)
		}
		b.take(s^1, c)
	}
	want := 3
	switch {
	case b.hot[s] == 0:
		want = 0
	case len(singles) > 0:
		want = 1
	case len(doubles) > 0:
		want = 2
	}
	if a.stones != want {
		t.Fatalf("%s: %d stones stop side %d, want %d", p, a.stones, s, want)
	}
	if want == 0 || want == 3 {
		return
	}
	for _, c := range a.single[:a.n] {
		if !singles[c] {
			t.Errorf("%s: cell %d does not stop side %d", p, c, s)
		}
	}
	if want == 1 && a.n != len(singles) {
		t.Errorf("%s: %d cells stop side %d, want %d", p, a.n, s, len(singles))
	}
	n2 := 0
	for q := range doubles {
		if !singles[q.first] && !singles[q.second] {
			n2++
		}
	}
	if a.m != n2 {
		t.Errorf("%s: %d pairs stop side %d, want %d", p, a.m, s, n2)
	}
}

// TestLineThreats compares the count for one line with the answers on a board.
func TestLineThreats(t *testing.T) {
	r := rand.NewPCG(3, 3)
	var b board
	var a answers
	seen := [4]int{}
	for range 20_000 {
		p := position(t, r, 13, 0)
		b.reset(p)
		own, other := uint64(0), uint64(0)
		for i := range 13 {
			switch game.IntN(r, 5) {
			case 0, 1:
				own |= 1 << i
			case 2:
				if game.IntN(r, 2) == 0 {
					other |= 1 << i
				}
			}
		}
		if windows(own<<reach) > 0 {
			continue
		}
		for i := range 13 {
			switch {
			case own>>i&1 != 0:
				b.put(0, b.cellOf[6][i])
			case other>>i&1 != 0:
				b.put(1, b.cellOf[6][i])
			}
		}
		b.answer(0, &a)
		got := lineThreats(b.stones[0][6], b.blocked[0][6])
		if seen[got]++; got != a.stones {
			t.Fatalf("%013b against %013b takes %d stones, want %d", own, other, got, a.stones)
		}
	}
	for n, times := range seen {
		if times < 20 {
			t.Errorf("%d stones: %d lines", n, times)
		}
	}
}

// windows counts full windows.
func windows(own uint64) (n int) {
	for i := range 60 {
		if own>>i&63 == 63 {
			n++
		}
	}
	return n
}

// TestBudget gives a turn twice what a move has of the clock, and never more
// than half of it.
func TestBudget(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		l    engine.Limit
		left int
		want [2]time.Duration
	}{
		{engine.Limit{}, 2, [2]time.Duration{}},
		{engine.Limit{Time: 100 * ms}, 2, [2]time.Duration{100 * ms, 100 * ms}},
		{engine.Limit{Clock: engine.Clock{Left: 2650 * ms}}, 1, [2]time.Duration{50 * ms, 300 * ms}},
		{engine.Limit{Clock: engine.Clock{Left: 2650 * ms}}, 2, [2]time.Duration{100 * ms, 600 * ms}},
		{engine.Limit{Clock: engine.Clock{Left: 2650 * ms}, Time: 200 * ms}, 2, [2]time.Duration{200 * ms, 200 * ms}},
		{engine.Limit{Clock: engine.Clock{Left: time.Second, Increment: time.Second}}, 2, [2]time.Duration{425 * ms, 500 * ms}},
	} {
		if soft, hard := budget(test.l, test.left); soft != test.want[0] || hard != test.want[1] {
			t.Errorf("%+v, %d stones: %v and %v, want %v", test.l, test.left, soft, hard, test.want)
		}
	}
}
