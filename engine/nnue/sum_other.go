//go:build !amd64

package nnue

// vectors reports whether there is an assembly for this processor.
const vectors = false

// sum is sumPlain by the fastest means.
func (n *Network) sum(features []uint16, mask uint16, output *Output) int32 {
	return n.sumScalar(features, mask, output)
}
