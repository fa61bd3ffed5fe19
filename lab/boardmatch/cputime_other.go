//go:build !unix

package main

import "math"

// processorTime is not measured here.
func processorTime() (own, external float64) { return math.NaN(), math.NaN() }
