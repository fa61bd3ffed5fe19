package endgame

import (
	"math/bits"

	"quintet/games/othello"
)

// axis is a line direction: the bits by which neighbours are apart, and where a
// step up or down it does not leave the board.
type axis struct {
	step     uint
	up, down uint64 // squares that a step toward higher, and lower, bits can arrive at
}

var axes = [4]axis{
	{1, 0xfefefefefefefefe, 0x7f7f7f7f7f7f7f7f},
	{8, 0xffffffffffffff00, 0x00ffffffffffffff},
	{9, 0xfefefefefefefe00, 0x007f7f7f7f7f7f7f},
	{7, 0x7f7f7f7f7f7f7f00, 0x00fefefefefefefe},
}

// stable returns discs of own that can never be turned over: on each of the four
// lines through them there is no empty cell up to the border or a pit both ways,
// or a border, a pit or another such disc beside them. There may be more.
func stable(own, empty, ground uint64) (safe uint64) {
	var ok [4]uint64
	for i := range axes {
		ok[i] = axes[i].settled(empty, ground)
	}
	for {
		next := own
		for i := range axes {
			a := &axes[i]
			next &= ok[i] | safe<<a.step&a.up | safe>>a.step&a.down
		}
		if next == safe {
			return safe
		}
		safe = next
	}
}

// settled returns the cells from which no empty cell is seen along the axis, or
// that have a border or a pit beside them on it.
func (a *axis) settled(empty, ground uint64) uint64 {
	wall := ^ground
	high, low := empty, empty
	through, over := a.up&ground, a.down&ground
	up, down := through, over
	for s := a.step; s <= 4*a.step; s *= 2 {
		high |= high << s & up
		low |= low >> s & down
		up &= up << s
		down &= down >> s
	}
	beside := ^a.up | ^a.down | wall<<a.step | wall>>a.step
	return ^(high | low) | beside
}

// most returns the largest value that a board can still have, by the discs that
// the other side will keep.
func most(w *othello.Bitboards) int {
	return bits.OnesCount64(w.Ground) - 2*bits.OnesCount64(stable(w.Other, w.Empty(), w.Ground))
}
