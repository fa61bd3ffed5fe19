package env

import "encoding/binary"

// Layout says where the arrays are in the shared file, in bytes from its beginning. Numbers are
// little-endian. N is the number of games, A that of actions, P, R and C those of planes, rows and columns.
type Layout struct {
	Actions      int `json:"actions"`      // N int32: what to play; also the sources of copy
	Rewards      int `json:"rewards"`      // N float32: of the side that moved, or of the learner
	Plies        int `json:"plies"`        // N int32: plies played
	Terminated   int `json:"terminated"`   // N bytes: 1 if the rules have ended the game
	Truncated    int `json:"truncated"`    // N bytes: 1 if the game has reached MaxPlies
	Turn         int `json:"turn"`         // N bytes: the side to move, 0 or 1
	Result       int `json:"result"`       // N bytes: 0 ongoing, 1 first wins, 2 second wins, 3 draw
	Selected     int `json:"selected"`     // N bytes: 1 for the games of reset, undo and copy
	Observations int `json:"observations"` // N×P×R×C bytes
	Mask         int `json:"mask"`         // N×A bytes: 1 for legal actions
	Size         int `json:"size"`         // of the file
}

// align is the alignment of each array: a cache line.
const align = 64

// newLayout returns the layout for n games, with planes and actions of so many bytes a game.
func newLayout(n, planes, actions int) (l Layout) {
	at := 0
	for _, array := range []struct {
		place *int
		size  int
	}{
		{&l.Actions, 4 * n},
		{&l.Rewards, 4 * n},
		{&l.Plies, 4 * n},
		{&l.Terminated, n},
		{&l.Truncated, n},
		{&l.Turn, n},
		{&l.Result, n},
		{&l.Selected, n},
		{&l.Observations, n * planes},
		{&l.Mask, n * actions},
		{&l.Size, 0},
	} {
		*array.place = at
		at = (at + array.size + align - 1) / align * align
	}
	return l
}

// word returns four bytes of an array of numbers.
func word(memory []byte, place, i int) []byte { return memory[place+4*i : place+4*i+4] }

func (b *Batch) actionOf(i int) int {
	return int(int32(binary.LittleEndian.Uint32(word(b.memory, b.layout.Actions, i))))
}
