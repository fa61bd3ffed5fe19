package bots

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
	f := networkFeature(role, mobility, cell)
	if e.sign < 0 {
		f++
	}
	e.features[e.n&63] = f
	e.n++
}

// networkFeature returns the feature of a piece of the side to move.
func networkFeature(role, mobility, cell int) uint16 {
	class := mobilityClass[min(mobility, len(mobilityClass)-1)]
	return (uint16(role)*mobilityClasses+class)*connectionBoard + uint16(cell)*2
}
