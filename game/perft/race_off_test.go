//go:build !race

package perft_test

// most is the number of leaves of the largest tree in the tests.
const most = 1 << 62
