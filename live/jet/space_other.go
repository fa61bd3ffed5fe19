//go:build !linux && !darwin

package jet

import "math"

// freeSpace reports unlimited space: on these systems only a failed write reveals a full
// disk.
func freeSpace(string) (free, all uint64, err error) { return math.MaxUint64, math.MaxUint64, nil }
