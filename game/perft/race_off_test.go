//go:build !race

package perft_test

// most is the number of leaves of the largest tree that is counted here.
const most = 1 << 62
