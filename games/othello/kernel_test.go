package othello

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"golang.org/x/sys/cpu"

	"quintet/game"
)

// slowPlay plays a disc on a row-by-row walk of 8 by 8, with nothing but
// coordinates.
func slowPlay(own, other uint64, square int) (flips uint64) {
	for d := range 9 {
		down, right := d/3-1, d%3-1
		var line uint64
		row, col := square/8+down, square%8+right
		for row >= 0 && row < 8 && col >= 0 && col < 8 && (down != 0 || right != 0) {
			bit := uint64(1) << (row*8 + col)
			if own&bit != 0 {
				flips |= line
			}
			if other&bit == 0 {
				break
			}
			line |= bit
			row, col = row+down, col+right
		}
	}
	return flips
}

func slowReplies(own, other, ground uint64) (moves uint64) {
	for s := range 64 {
		bit := uint64(1) << s
		if ground&^(own|other)&bit != 0 && slowPlay(own, other, s) != 0 {
			moves |= bit
		}
	}
	return moves
}

// randomBoards calls f with boards of every density, and every square of them.
func randomBoards(f func(own, other, ground uint64, square int)) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 20_000 {
		ground := ^uint64(0)
		if i%2 == 1 {
			ground = ^(r.Uint64() & r.Uint64() & r.Uint64())
		}
		taken := r.Uint64()
		switch i % 5 {
		case 0:
			taken |= r.Uint64() | r.Uint64()
		case 1:
			taken &= r.Uint64()
		}
		own := taken & ground & r.Uint64()
		if i%3 == 0 {
			own &= r.Uint64() // few own discs: long lines of the other's
		}
		f(own, taken&ground&^own, ground, r.IntN(64))
	}
}

func TestPlainPlay(t *testing.T) {
	randomBoards(func(own, other, ground uint64, square int) {
		flips, next := playPlain(own, other, ground, square)
		want := slowPlay(own, other, square)
		wantNext := slowReplies(other^want, own|want|1<<square, ground)
		if flips != want || next != wantNext {
			t.Fatalf("playPlain(%#x, %#x, %#x, %d) = %#x, %#x, want %#x, %#x",
				own, other, ground, square, flips, next, want, wantNext)
		}
	})
}

// TestPlay compares what this machine plays with, assembly if it can, with its
// plain twin.
func TestPlay(t *testing.T) {
	t.Logf("AVX2 and POPCNT: %t", cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT)
	randomBoards(func(own, other, ground uint64, square int) {
		flips, next := play(own, other, ground, square)
		want, wantNext := playPlain(own, other, ground, square)
		if flips != want || next != wantNext {
			t.Fatalf("play(%#x, %#x, %#x, %d) = %#x, %#x, want %#x, %#x",
				own, other, ground, square, flips, next, want, wantNext)
		}
		moves := replies(own, other, ground)
		if want := repliesPlain(own, other, ground); moves != want {
			t.Fatalf("replies(%#x, %#x, %#x) = %#x, want %#x", own, other, ground, moves, want)
		}
		if moves == 0 {
			return
		}
		if got, want := pairs(own, other, ground, moves), pairsPlain(own, other, ground, moves); got != want {
			t.Fatalf("pairs(%#x, %#x, %#x, %#x) = %d, want %d", own, other, ground, moves, got, want)
		}
	})
}

// TestReach compares the rows of large boards with the words of small ones, on
// boards that no game leads to.
func TestReach(t *testing.T) {
	randomBoards(func(own, other, ground uint64, _ int) {
		o, t8, g := rowsOf(own), rowsOf(other), rowsOf(ground)
		var moves grid
		moves.reach(&o, &t8, &g, 8)
		if want := rowsOf(replies(own, other, ground)); moves != want {
			t.Fatalf("reach(%#x, %#x, %#x) = %v, want %v", own, other, ground, moves, want)
		}
	})
}

func rowsOf(set uint64) (g grid) {
	for row := range 8 {
		g[row] = uint32(set >> (8 * row) & 0xff)
	}
	return g
}

// TestSmallAndLarge plays random games on both kinds of position at once.
func TestSmallAndLarge(t *testing.T) {
	r := rand.NewPCG(3, 4)
	for i := range 400 {
		l := startLayout(4+i%3*2, startOption.Choices[i%2])
		for range game.IntN(r, l.size*l.size/4+1) * (i % 2) {
			if c := game.IntN(r, len(l.cells)); l.cells[c] == game.Blank {
				l.cells[c] = pit
			}
		}
		small, large := newSmall(l), newLarge(l)
		for !small.Result().Over() {
			m := small.Sample(r)
			small.Play(m)
			large.Play(m)
			sameOnBoth(t, small, large)
		}
	}
}

func sameOnBoth(t *testing.T, small *Small, large *Large) {
	t.Helper()
	if small.String() != large.String() || small.Result() != large.Result() || small.Count() != large.Count() {
		t.Fatalf("small %s, %s, %d moves; large %s, %s, %d moves",
			small, small.Result(), small.Count(), large, large.Result(), large.Count())
	}
	a, b := small.Moves(nil), large.Moves(nil)
	for i := range a {
		if a[i] != b[i] || small.Format(a[i]) != large.Format(b[i]) {
			t.Fatalf("%s: small moves %v, large moves %v", small, a, b)
		}
	}
}

func TestRays(t *testing.T) {
	for s, r := range rays {
		var all uint64
		n := 0
		for _, line := range append(r.after[:], r.before[:]...) {
			all |= line
			n += bits.OnesCount64(line)
		}
		if bits.OnesCount64(all) != n || all&r.square != 0 || r.square != 1<<s || n < 21 || n > 27 {
			t.Errorf("square %d: %d squares on its lines, %d of them different", s, n, bits.OnesCount64(all))
		}
	}
}
