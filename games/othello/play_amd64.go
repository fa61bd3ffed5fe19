package othello

import "golang.org/x/sys/cpu"

// hasAVX2 reports whether the processor supports the assembly.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT

// play returns the discs that an own disc on a square flips, and the opponent's legal
// replies.
func play(own, other, ground uint64, square int) (flips, next uint64) {
	if hasAVX2 {
		return playAVX2(own, other, ground, &rays[square&63])
	}
	return playPlain(own, other, ground, square)
}

// replies returns the legal moves of the side own.
func replies(own, other, ground uint64) uint64 {
	if hasAVX2 {
		return repliesAVX2(own, other, ground)
	}
	return repliesPlain(own, other, ground)
}

// pairs returns the number of pairs of a move and a reply; see pairsPlain.
func pairs(own, other, ground, moves uint64) uint64 {
	if hasAVX2 {
		return pairsAVX2(own, other, ground, moves, &rays)
	}
	return pairsPlain(own, other, ground, moves)
}

// children sets out to the boards after each move; see childrenPlain.
func children(own, other, ground, moves uint64, out *[64]Bitboards) {
	if hasAVX2 {
		childrenAVX2(own, other, ground, moves, &rays, out)
	} else {
		childrenPlain(own, other, ground, moves, out)
	}
}

// Flips returns the discs that an own disc on an empty square flips.
func Flips(own, other uint64, square int) uint64 {
	if hasAVX2 {
		return flipsAVX2(own, other, &rays[square&63])
	}
	return flipped(own, other, &rays[square&63])
}

// flipsAVX2 is flipped in assembly, for the square of the ray.
//
//go:noescape
func flipsAVX2(own, other uint64, r *ray) (flips uint64)

// playAVX2 is playPlain in assembly, for the square of the rays.
//
//go:noescape
func playAVX2(own, other, ground uint64, r *ray) (flips, next uint64)

// repliesAVX2 is repliesPlain in assembly.
//
//go:noescape
func repliesAVX2(own, other, ground uint64) (moves uint64)

// pairsAVX2 is pairsPlain in assembly. moves must not be empty.
//
//go:noescape
func pairsAVX2(own, other, ground, moves uint64, r *[64]ray) uint64

// childrenAVX2 is childrenPlain in assembly. moves must not be empty.
//
//go:noescape
func childrenAVX2(own, other, ground, moves uint64, r *[64]ray, out *[64]Bitboards)
