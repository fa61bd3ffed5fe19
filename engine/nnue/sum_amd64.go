package nnue

import "golang.org/x/sys/cpu"

// vectors reports whether this processor has the instructions of the assembly.
var vectors = cpu.X86.HasAVX2

// sum is sumPlain by the fastest means.
func (n *Network) sum(features []uint16, mask uint16, output *Output) int32 {
	if !vectors || len(features) == 0 {
		return n.sumScalar(features, mask, output)
	}
	return sumAVX2(&n.Bias, output, n.Rows, features, mask)
}

// sumAVX2 is sumPlain in assembly, for at least one feature. The features, also
// combined with the mask, must be less than len(rows): it does not check them.
//
//go:noescape
func sumAVX2(bias *Row, output *Output, rows []Row, features []uint16, mask uint16) int32
