package arena

import "testing"

// TestMerge checks that all counts are added.
func TestMerge(t *testing.T) {
	c := Counts{1, 2, 3, 4, 5, 6, 7}
	if c.merge(c); c != (Counts{2, 4, 6, 8, 10, 12, 14}) {
		t.Errorf("twice the counts: %+v", c)
	}
}
