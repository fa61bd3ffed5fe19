//go:build race

package perft_test

// most is the number of leaves of the largest tree that is counted here: the
// race detector makes counting fifty times slower.
const most = 1_000_000
