package endgame

import "golang.org/x/sys/cpu"

// hasAVX2 reports whether the processor supports the assembly.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

// tail returns the value of a board with 1 to 6 empty cells on which the side to move can
// move; see tailPlain.
func (s *Solver) tail(own, other, empty uint64, alpha, beta int) int {
	if rest := empty & (empty - 1); !hasAVX2 || rest&(rest-1) == 0 {
		return s.tailPlain(own, other, empty, oddQuadrants(empty), alpha, beta, false)
	}
	value, nodes := tailAVX2(own, other, empty, oddQuadrants(empty), alpha, beta, s.kernel)
	s.nodes += uint64(nodes)
	return value
}

// tailAVX2 is tailPlain in assembly, for 3 to 6 empty cells. It returns the number of nodes, too.
//
//go:noescape
func tailAVX2(own, other, empty, odd uint64, alpha, beta int, k *kernel) (value, nodes int)
