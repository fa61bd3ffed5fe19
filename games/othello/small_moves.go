package othello

import "math/bits"

// ray has the eight rays from a square: for each of the four lines through it, the
// squares after and before it. The lines are the row, the column and the two
// diagonals, with adjacent squares 1, 8, 9 and 7 apart. The assembly depends on this
// layout.
type ray struct {
	after, before [4]uint64
	square        uint64 // the bit of the square itself
}

// rays has the rays of each square of 8 by 8.
var rays = makeRays()

func makeRays() (rays [64]ray) {
	lines := [4]struct{ down, right int }{{0, 1}, {1, 0}, {1, 1}, {1, -1}}
	for s := range rays {
		rays[s].square = 1 << s
		for i, line := range lines {
			rays[s].after[i] = look(s, line.down, line.right)
			rays[s].before[i] = look(s, -line.down, -line.right)
		}
	}
	return rays
}

// look returns the squares in a direction from a square of 8 by 8.
func look(square, down, right int) (seen uint64) {
	row, col := square/8+down, square%8+right
	for row >= 0 && row < 8 && col >= 0 && col < 8 {
		seen |= 1 << (row*8 + col)
		row, col = row+down, col+right
	}
	return seen
}

// playPlain returns the discs that an own disc on a square flips, and the opponent's
// legal replies. It is the portable version and the test oracle of the assembly.
func playPlain(own, other, ground uint64, square int) (flips, next uint64) {
	flips = flipped(own, other, &rays[square&63])
	return flips, repliesPlain(other^flips, own|flips|rays[square&63].square, ground)
}

// flipped returns the discs that a disc at the origin of the rays flips. On each ray
// it finds the nearest square without an opponent's disc; if that holds an own disc,
// it flips all squares before it.
func flipped(own, other uint64, r *ray) (flips uint64) {
	for _, line := range &r.after {
		end := line &^ other
		end &= -end & own
		flips |= line & (end - (end|-end)>>63) // empty if there is no end
	}
	for _, line := range &r.before {
		end := 1 << 63 >> bits.LeadingZeros64(line&^other) & own
		flips |= line & -(end << 1)
	}
	return flips
}

// inner is all squares except the left and right columns. A horizontal or diagonal
// run can only continue from one of these.
const inner uint64 = 0x7e7e7e7e7e7e7e7e

// repliesPlain returns the legal moves of the side own. It is the portable version and the
// test oracle of the assembly. Each direction is one parallel
// prefix computation (Kogge and Stone, 1973) over runs of the opponent's discs, which
// are at most six long.
func repliesPlain(own, other, ground uint64) uint64 {
	in := other & inner
	return (runs(own, in, 1) | runs(own, other, 8) | runs(own, in, 9) | runs(own, in, 7)) & ground &^ (own | other)
}

// runs returns the squares after runs of the opponent's discs that begin at an own
// disc, in both directions along lines with a distance of s.
func runs(own, other uint64, s uint) uint64 {
	return ahead(own, other, s) | behind(own, other, s)
}

func ahead(own, other uint64, s uint) uint64 {
	run := other & (own << s)
	run |= other & (run << s)
	two := other & (other << s)
	run |= two & (run << (2 * s))
	run |= two & (run << (2 * s))
	return run << s
}

func behind(own, other uint64, s uint) uint64 {
	run := other & (own >> s)
	run |= other & (run >> s)
	two := other & (other >> s)
	run |= two & (run >> (2 * s))
	run |= two & (run >> (2 * s))
	return run >> s
}

// pairsPlain returns the number of pairs of a move and a reply. A move without a
// reply counts one: it forces a pass or ends the game.
func pairsPlain(own, other, ground, moves uint64) (n uint64) {
	for ; moves != 0; moves &= moves - 1 {
		_, next := playPlain(own, other, ground, bits.TrailingZeros64(moves))
		n += uint64(max(bits.OnesCount64(next), 1))
	}
	return n
}

// childrenPlain sets out to the boards after each move, from the lowest square to the highest.
func childrenPlain(own, other, ground, moves uint64, out *[64]Bitboards) {
	for n := 0; moves != 0; moves &= moves - 1 {
		flips, next := playPlain(own, other, ground, bits.TrailingZeros64(moves))
		out[n] = Bitboards{other ^ flips, own | flips | moves&-moves, ground, next}
		n++
	}
}
