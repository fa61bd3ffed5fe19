package pattern

import "golang.org/x/sys/cpu"

// vectors reports whether this processor has the instructions of the assembly.
var vectors = cpu.X86.HasAVX2

// sum adds up the values of the patterns on a board.
func sum(own, other uint64, t *tables) int {
	if vectors {
		return int(sumAVX2(own, other, addends, t))
	}
	return sumPlain(own, other, t)
}

// sumAVX2 is sumPlain in assembly; a test compares the two.
//
//go:noescape
func sumAVX2(own, other uint64, add *rowNumbers, t *tables) int32
