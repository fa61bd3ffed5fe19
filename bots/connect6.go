package bots

import (
	"math/bits"

	"quintet/game"
	"quintet/games/connect6"
)

// windowValues are what a window is worth, six cells in a line without a stone
// of the other side, by the number of own stones in it: set by hand. From four
// on, one turn completes the six.
var windowValues = [connect6.Six]int{0, 1, 4, 9, 40, 45}

// rows is a set of cells, a word a row, with as many empty rows below as a
// window can reach beyond the board.
type rows [connect6.MaxSize + connect6.Six]uint32

// windowRows are windows that begin in a row, by how many own stones they have:
// at index k, those with k.
type windowRows [connect6.Six]uint32

// lineSteps are the four directions of windows: rows down, and columns right.
var lineSteps = [4]struct{ down, right int }{{0, 1}, {1, 0}, {1, 1}, {1, -1}}

// evalConnect6 counts the windows that both sides can still fill. The stones of
// the turn that is going on make its four as good as won.
func evalConnect6(p game.Position) int {
	q := p.(*connect6.Position)
	own, other := rowsOf(q, q.Turn()), rowsOf(q, q.Turn().Other())
	score := windowScore(&own, &other, q.Size()) - windowScore(&other, &own, q.Size())
	return min(max(score+10*q.Left(), -19_000), 19_000)
}

func rowsOf(q *connect6.Position, s game.Side) (r rows) {
	for i := range q.Size() {
		r[i] = q.Row(s, i)
	}
	return r
}

func windowScore(own, other *rows, size int) (score int) {
	for _, step := range lineSteps {
		for row := 0; row+5*step.down < size; row++ {
			w := windowsAt(own, other, row, step.down, step.right, size)
			for k := 1; k < connect6.Six; k++ {
				score += windowValues[k] * bits.OnesCount32(w[k])
			}
		}
	}
	return score
}

// windowsAt returns the open windows that begin in a row, by own stones. The
// stones of all windows are added up at once, by adders of one bit a window.
func windowsAt(own, other *rows, row, down, right, size int) (w windowRows) {
	var ones, twos, fours, closed uint32
	for i := range connect6.Six {
		mine, theirs := along(own[row+i*down], i*right), along(other[row+i*down], i*right)
		closed |= theirs
		carry := ones & mine
		ones ^= mine
		fours |= twos & carry
		twos ^= carry
	}
	open := fits(right, size) &^ closed
	w[1] = open & ones &^ twos &^ fours
	w[2] = open &^ ones & twos &^ fours
	w[3] = open & ones & twos &^ fours
	w[4] = open &^ ones &^ twos & fours
	w[5] = open & ones &^ twos & fours
	return w
}

// along returns a row as windows see it that have moved some columns right.
func along(row uint32, right int) uint32 {
	if right < 0 {
		return row << -right
	}
	return row >> right
}

// fits returns the columns in which a window can begin.
func fits(right, size int) uint32 {
	all := uint32(1)<<size - 1
	switch {
	case right == 0:
		return all
	case size < connect6.Six:
		return 0
	case right > 0:
		return all >> 5
	}
	return all &^ 0x1f
}

// mostCandidates is how many moves are looked at in a position.
const mostCandidates = 14

// candidatesConnect6 appends the empty cells that the most is to be had from:
// in windows of own stones, or of the other side's, which they close.
func candidatesConnect6(p game.Position, buf []game.Move) []game.Move {
	q := p.(*connect6.Position)
	if q.Result().Over() {
		return buf
	}
	size := q.Size()
	var worth [connect6.MaxSize][connect6.MaxSize]int32
	own, other := rowsOf(q, q.Turn()), rowsOf(q, q.Turn().Other())
	addWorth(&worth, &own, &other, size, 5)
	addWorth(&worth, &other, &own, size, 4)
	begin := len(buf)
	var values [mostCandidates]int32
	for row := range size {
		for e := (uint32(1)<<size - 1) &^ (own[row] | other[row]); e != 0; e &= e - 1 {
			col := bits.TrailingZeros32(e)
			// Ties go to the middle.
			v := worth[row][col]*64 - int32(abs(2*row-size+1)+abs(2*col-size+1))
			buf = insert(buf, begin, &values, game.Put(game.Cell(row*size+col)), v)
		}
	}
	return buf
}

// addWorth adds, to the empty cells of open windows, what the windows are worth.
func addWorth(worth *[connect6.MaxSize][connect6.MaxSize]int32, own, other *rows, size int, weight int32) {
	for _, step := range lineSteps {
		for row := 0; row+5*step.down < size; row++ {
			w := windowsAt(own, other, row, step.down, step.right, size)
			for k := 1; k < connect6.Six; k++ {
				value := int32(windowValues[k]) * weight
				for at := w[k]; at != 0; at &= at - 1 {
					col := bits.TrailingZeros32(at)
					for i := range connect6.Six {
						worth[row+i*step.down][col+i*step.right] += value
					}
				}
			}
		}
	}
}

// insert puts a move in its place among the best so far.
func insert(buf []game.Move, begin int, values *[mostCandidates]int32, m game.Move, v int32) []game.Move {
	n := len(buf) - begin
	if n == mostCandidates {
		if v <= values[n-1] {
			return buf
		}
		n--
	} else {
		buf = append(buf, m)
	}
	for n > 0 && values[n-1] < v {
		values[n], buf[begin+n] = values[n-1], buf[begin+n-1]
		n--
	}
	values[n], buf[begin+n] = v, m
	return buf
}
