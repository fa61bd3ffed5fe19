//go:build !js

package puzzle

import "embed"

//go:embed sets/*.gz
var sets embed.FS

// Packed returns the compressed file of the puzzles of a game.
func Packed(name string) ([]byte, error) {
	return sets.ReadFile("sets/" + name + ".jsonl.gz") //nolint:wrapcheck // its callers say of which game
}
