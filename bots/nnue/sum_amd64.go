package nnue

import "golang.org/x/sys/cpu"

// vectors tells whether this machine has what the assembly is made of.
var vectors = cpu.X86.HasAVX2

// sum is sumPlain by the fastest means.
func (n *Network) sum(features []uint16) int32 {
	if !vectors || len(features) == 0 {
		return n.sumPlain(features)
	}
	return sumAVX2(&n.Bias, &n.Output, n.Rows, features)
}

// sumAVX2 is sumPlain in assembly, for at least one feature. The features must be
// less than len(rows): it does not check them.
//
//go:noescape
func sumAVX2(bias *Row, output *[2]Row, rows []Row, features []uint16) int32
