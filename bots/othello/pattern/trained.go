//go:build !js

package pattern

import (
	"bytes"
	_ "embed" // the trained weights
)

// trained are weights that "lab train othello" has made; docs/internals/engines.md says which version.
//
//go:embed othello8.gz
var trained []byte

// Packed returns the file of the weights that come with the program. It must not be changed.
func Packed() []byte { return trained }

// Trained returns the weights that come with the program.
func Trained() (*Weights, error) { return Read(bytes.NewReader(trained)) }
