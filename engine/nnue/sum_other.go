//go:build !amd64

package nnue

// sum is sumPlain by the fastest means.
func (n *Network) sum(features []uint16, mask uint16, output *Output) int32 {
	return n.sumPlain(features, mask, output)
}
