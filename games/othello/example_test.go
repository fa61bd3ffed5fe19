package othello_test

import (
	"fmt"
	"math/bits"

	"quintet/games/othello"
)

// Count what a disc on f5 flips at the start. Bit 0 is a1, bit 1 is b1, and bit 63 is h8.
func ExampleFlips() {
	const d4, e4, d5, e5, f5 = 3<<3 + 3, 3<<3 + 4, 4<<3 + 3, 4<<3 + 4, 4<<3 + 5
	black, white := uint64(1<<e4|1<<d5), uint64(1<<d4|1<<e5)
	flips := othello.Flips(black, white, f5)
	fmt.Println(bits.OnesCount64(flips), flips == 1<<e5)
	// Output:
	// 1 true
}
