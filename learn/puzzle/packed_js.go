package puzzle

import "quintet/internal/pagefile"

// Packed returns the compressed file of the puzzles of a game, which the page has loaded.
func Packed(name string) ([]byte, error) { return pagefile.Read(name + ".jsonl.gz") }
