package bots

import (
	"bytes"
	"fmt"

	"quintet/engine"
	"quintet/engine/nnue"
)

// What a piece is to its side, as the network tells pieces apart.
const (
	rolePart  = iota // in the largest group
	roleStray        // outside, and cannot join it by a move
	roleJoins        // outside, and can
	pieceRoles
)

// mobilityClass is the number of moves of a piece as the network tells it apart.
var mobilityClass = [...]uint16{0, 1, 1, 2, 2, 3, 3, 3, 3}

const mobilityClasses = 4

const (
	connectionBoard  = 2 * 64 // features by side and cell alone
	connectionInputs = connectionBoard * mobilityClasses * pieceRoles
)

// feature adds a piece of the side that is looked at to the features of the network:
// by role, mobility, cell and, in the lowest bit, side.
func (e *connectionEval) feature(role, mobility, cell int) {
	class := mobilityClass[min(mobility, len(mobilityClass)-1)]
	f := (uint16(role)*mobilityClasses+class)*connectionBoard + uint16(cell)*2
	if e.sign < 0 {
		f++
	}
	e.features[e.n&63] = f
	e.n++
}

// byNetwork returns a function that guides a search by the network of a file that comes with the
// program.
func byNetwork(file []byte, read func([]byte) (*nnue.Network, error), know func([]int32, *nnue.Network) engine.Knowledge) func() engine.Knowledge {
	return func() engine.Knowledge {
		net := networkOf(read, file)
		return know(net.Linear, net)
	}
}

// networkOf reads weights that come with the program.
func networkOf(read func([]byte) (*nnue.Network, error), file []byte) *nnue.Network {
	net, err := read(file)
	if err != nil {
		panic("embedded weights: " + err.Error())
	}
	return net
}

// readNetwork reads a network and the linear evaluation beside it.
func readNetwork(file []byte) (*nnue.Network, error) {
	return readSized(file, connectionInputs, connectionWeights, 1)
}

// readSized reads a network with these numbers of features, linear weights and outputs.
func readSized(file []byte, inputs, linear, outputs int) (*nnue.Network, error) {
	net, err := nnue.Read(bytes.NewReader(file))
	if err != nil {
		return nil, err //nolint:wrapcheck // it says what failed
	}
	if len(net.Rows) != inputs || len(net.Linear) != linear || len(net.Output) != outputs {
		return nil, fmt.Errorf("%d features, %d linear weights and %d outputs, expected %d, %d and %d",
			len(net.Rows), len(net.Linear), len(net.Output), inputs, linear, outputs)
	}
	return net, nil
}
