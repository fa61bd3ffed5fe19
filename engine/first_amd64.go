package engine

import "golang.org/x/sys/cpu"

// vectors reports whether this processor has the instructions of the assembly.
var vectors = cpu.X86.HasAVX2

// first returns the index of the first of the highest values from i on.
func first(values []int32, i int) int {
	if !vectors || len(values)-i < vectorLanes {
		return firstScalar(values, i)
	}
	return i + firstAVX2(values[i:])
}

// vectorLanes is the fewest values that firstAVX2 accepts.
const vectorLanes = 8

// firstAVX2 returns the index of the first of the highest values, of which there are at
// least vectorLanes.
//
//go:noescape
func firstAVX2(values []int32) int
