package suite

import "testing"

// TestBalance checks that a full board gets as many stones of each side as in a real game, whichever side
// had too many.
func TestBalance(t *testing.T) {
	const n = 4
	for white := range byte(2) {
		cells, want, got := make([][]byte, n), 0, 0
		for i := range cells {
			cells[i] = []byte{white, white, white, white}
		}
		balance(cells, false)
		for i := range n * n {
			want += mover(i)
			got += int(cells[i/n][i%n])
		}
		if got != want {
			t.Errorf("from a board of stones of side %d: %d of side 1, want %d", white, got, want)
		}
	}
}
