package pattern

import (
	"bytes"
	"fmt"

	"quintet/internal/pagefile"
)

// Trained returns the weights that the page has loaded. They are larger than the engine, and only
// Othello needs them.
func Trained() (*Weights, error) {
	data, err := pagefile.Read("othello8.gz")
	if err != nil {
		return nil, fmt.Errorf("the weights of Othello: %w", err)
	}
	return Read(bytes.NewReader(data))
}
