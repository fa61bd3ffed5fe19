//go:build !unix

package source

// noFollow says nothing where nothing is judged.
const noFollow = 0
