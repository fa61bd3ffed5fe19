package pattern

import "golang.org/x/sys/cpu"

// vectors reports whether this processor has the instructions of the assembly.
var vectors = cpu.X86.HasAVX2

// sum adds up what the pictures on a board are worth.
func sum(own, other uint64, values *[pictures]int16) int {
	if vectors {
		return int(sumAVX2(own, other, addends, values))
	}
	return sumPlain(own, other, values)
}

// sumAVX2 is sumPlain in assembly. The first picture of each lane's kind is a
// number in its text; a test compares the two.
//
//go:noescape
func sumAVX2(own, other uint64, add *rowNumbers, values *[pictures]int16) int32
