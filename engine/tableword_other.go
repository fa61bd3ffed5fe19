//go:build !wasm

package engine

import "sync/atomic"

// tableWord is a word of an entry of the table.
type tableWord = atomic.Uint64
