//go:build !race

package main

// raced reports whether the race detector is on.
const raced = false
