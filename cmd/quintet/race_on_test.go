//go:build race

package main

// raced reports whether the race detector is on: then only what runs goroutines is
// tested.
const raced = true
