//go:build !unix

package run

// noFollow has no effect, because nothing is judged on these systems.
const noFollow = 0
