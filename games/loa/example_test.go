package loa_test

import (
	"fmt"
	"math/bits"

	"quintet/games/loa"
)

// Count the targets of a lone piece on a1, which moves one cell along each line.
func ExampleTargets() {
	fmt.Println(bits.OnesCount64(loa.Targets(0, 1, 0)))
	fmt.Println(bits.OnesCount64(loa.Targets(0, 1, 1<<1))) // two pieces stand in the first row
	// Output:
	// 3
	// 2
}
