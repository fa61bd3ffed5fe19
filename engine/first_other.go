//go:build !amd64

package engine

// first returns the index of the first of the highest values from i on.
func first(values []int32, i int) int { return firstScalar(values, i) }
