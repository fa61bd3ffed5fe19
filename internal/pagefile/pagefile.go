//go:build js

// Package pagefile reads the files that a page has loaded for the engine in it (web/ui/engine.ts),
// which are too large to be part of it.
package pagefile

import (
	"fmt"
	"io/fs"
	"syscall/js"
)

// Read returns a file that the page has loaded.
func Read(name string) ([]byte, error) {
	file := js.Global().Get("quintetFiles").Get(name)
	if file.IsUndefined() {
		return nil, fmt.Errorf("reading %s: the page has not loaded it: %w", name, fs.ErrNotExist)
	}
	data := make([]byte, file.Length())
	js.CopyBytesToGo(data, file)
	return data, nil
}
