package othello

import "math/bits"

// ray is what a disc on one square looks along: for each of the four lines
// through it, the squares on it that come after, and those that come before.
// The lines, in order, are the row, the column and the two diagonals, on which
// neighbours are 1, 8, 9 and 7 apart. The assembly reads this layout.
type ray struct {
	after, before [4]uint64
	square        uint64 // the bit of the square itself
}

// rays is what there is to see from each square of 8 by 8.
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

// look returns the squares that lie in a direction from one of 8 by 8.
func look(square, down, right int) (seen uint64) {
	row, col := square/8+down, square%8+right
	for row >= 0 && row < 8 && col >= 0 && col < 8 {
		seen |= 1 << (row*8 + col)
		row, col = row+down, col+right
	}
	return seen
}

// playPlain returns the discs that a disc of own on a square turns over, and
// where the other side can then put one. It is what the assembly does, for
// machines that have none, and what it is tested against.
func playPlain(own, other, ground uint64, square int) (flips, next uint64) {
	flips = flipped(own, other, &rays[square&63])
	return flips, replies(other^flips, own|flips|rays[square&63].square, ground)
}

// flipped returns the discs that a disc put at the origin of the rays turns
// over. On each ray it finds the nearest square without a disc of the other
// side: if that has one of own, all before it are turned.
func flipped(own, other uint64, r *ray) (flips uint64) {
	for _, line := range &r.after {
		end := line &^ other
		end &= -end & own
		flips |= line & (end - (end|-end)>>63) // nothing if there is no end
	}
	for _, line := range &r.before {
		end := 1 << 63 >> bits.LeadingZeros64(line&^other) & own
		flips |= line & -(end << 1)
	}
	return flips
}

// inner is every square but those of the left and right columns. A line that
// runs sideways can only go on from one of these.
const inner uint64 = 0x7e7e7e7e7e7e7e7e

// replies returns where the side own can put a disc. Each direction is one
// parallel prefix computation (Kogge and Stone, 1973) over runs of discs of the
// other side, which are at most six long.
func replies(own, other, ground uint64) uint64 {
	in := other & inner
	return (runs(own, in, 1) | runs(own, other, 8) | runs(own, in, 9) | runs(own, in, 7)) & ground &^ (own | other)
}

// runs returns the squares next to runs of the other side, both ways along the
// lines on which neighbours are s apart, that begin next to a disc of own.
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

// pairsPlain returns how many pairs of one of the moves and a reply to it
// there are. A move to which there is none counts for one: it is replied to by
// a pass, or it ends the game.
func pairsPlain(own, other, ground, moves uint64) (n uint64) {
	for ; moves != 0; moves &= moves - 1 {
		_, next := playPlain(own, other, ground, bits.TrailingZeros64(moves))
		n += uint64(max(bits.OnesCount64(next), 1))
	}
	return n
}
