package pattern

import "testing"

// TestVectorParts checks that the parts of a vector lie side by side: classes, moves,
// replies, and 65 numbers for the discs.
func TestVectorParts(t *testing.T) {
	own, other, discs, length := vectorParts(7)
	if own != 7 || other != own+mobilities || discs != other+mobilities || length != discs+65 {
		t.Errorf("the parts begin at %d, %d and %d of %d", own, other, discs, length)
	}
}
