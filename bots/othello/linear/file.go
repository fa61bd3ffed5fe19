package linear

import (
	"bufio"
	"bytes"
	_ "embed" // the trained weights
	"fmt"
	"io"
	"strconv"
	"strings"
)

// trained are the weights of training; docs/internals/engines.md says how they were made.
//
//go:embed weights.txt
var trained []byte

// Trained returns the weights that come with the program.
func Trained() (*Weights, error) { return Read(bytes.NewReader(trained)) }

// names are the names of the features in files.
var names = [Features]string{
	"bias", "parity", "mobility", "mobility-share", "anchor-moves", "edge-moves", "risky-moves", "frontier", "edge-frontier",
	"potential", "anchors", "edges", "slopes", "second", "inner", "adjacent", "diagonal", "stable",
}

// Read reads weights from text: a line for each feature and property of the board, with the weights of
// the phases in discs.
func Read(from io.Reader) (*Weights, error) {
	w, lines := new(Weights), bufio.NewScanner(from)
	for i := range Features * Bases {
		if !lines.Scan() {
			return nil, fmt.Errorf("reading weights: %d lines, expected %d", i, Features*Bases)
		}
		fields := strings.Fields(lines.Text())
		if len(fields) != 1+Knots || fields[0] != names[i/Bases] {
			return nil, fmt.Errorf("reading weights: line %d: expected %s and %d numbers", i+1, names[i/Bases], Knots)
		}
		for k, text := range fields[1:] {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil || !(max(x, -x) <= 1000) {
				return nil, fmt.Errorf("reading weights: line %d: %q: expected a number from -1000 to 1000", i+1, text)
			}
			w[i/Bases][i%Bases][k] = x
		}
	}
	if lines.Scan() {
		return nil, fmt.Errorf("reading weights: more than %d lines", Features*Bases)
	}
	return w, lines.Err() //nolint:wrapcheck // it says enough
}
