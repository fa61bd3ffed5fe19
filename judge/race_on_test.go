//go:build race

package judge_test

// raced is whether the race detector is on, under which everything takes eight
// times as long.
const raced = true
