//go:build !unix

package run

// noFollow says nothing where nothing is judged.
const noFollow = 0
