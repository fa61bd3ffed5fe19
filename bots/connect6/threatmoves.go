package connect6

import (
	"math/bits"

	"quintet/game"
)

// list fills the list with turns that may make enough threats, for two stones or in the
// last turn three, and that stop the threats of the other side.
func (t *threats) list(s game.Side, depth int, r *threatScratch) {
	r.n = 0
	need := 2
	if depth == 1 {
		need = 3
	}
	t.b.answer(s^1, &r.must)
	if r.must.stones == 3 {
		return
	}
	n := t.classify(s)
	for i, x := range t.single[:n] {
		for _, y := range t.single[:i] {
			t.offer(s, r, pair{x, y}, int(t.class[x])+int(t.class[y]), need)
		}
	}
	t.listLines(s, r, need)
	t.listFree(s, r, n, need)
	for _, c := range t.single[:n] {
		t.class[c] = 0
	}
}

// classify finds the cells on which one stone makes a threat.
func (t *threats) classify(s game.Side) (n int) {
	b := t.b
	for i, busy := range b.busy[s] {
		for ; busy != 0; busy &= busy - 1 {
			line := i<<6 + bits.TrailingZeros64(busy)
			own := b.stones[s][line]
			if two := own & (own - 1); two&(two-1) != 0 { // three stones or more
				n = t.classifyLine(s, line, n)
			}
		}
	}
	return n
}

// classifyLine finds the cells of a line, after n cells of others.
func (t *threats) classifyLine(s game.Side, line, n int) int {
	b := t.b
	own := b.stones[s][line]
	ones, twos, _ := windowsWith(own, b.blocked[s][line])
	for cells := spread(ones&twos) &^ own; cells != 0; cells &= cells - 1 {
		at := uint8(bits.TrailingZeros64(cells) - reach)
		c := b.cellOf[line][at]
		if t.class[c] == 0 {
			t.single[n], t.weight[c] = c, b.gain(s, c)
			n++
		}
		t.class[c] += b.at(s, place{uint8(line), at}).threats
	}
	return n
}

// spread returns the cells of windows.
func spread(windows uint64) uint64 {
	w := windows | windows<<1
	return w | w<<2 | w<<4
}

// listLines offers pairs on one line that make more threats together than alone.
func (t *threats) listLines(s game.Side, r *threatScratch, need int) {
	for i, busy := range t.b.busy[s] {
		for ; busy != 0; busy &= busy - 1 {
			t.listLine(s, r, need, i<<6+bits.TrailingZeros64(busy))
		}
	}
}

func (t *threats) listLine(s game.Side, r *threatScratch, need, line int) {
	b := t.b
	e := t.lines.entry(b.stones[s][line], b.blocked[s][line])
	for _, p := range e.pairs[:e.n] {
		x, y := b.cellOf[line][p.x()], b.cellOf[line][p.y()]
		total := p.together()
		if cx, cy := int(t.class[x]), int(t.class[y]); cx > 0 && cy > 0 {
			if cx+cy >= need {
				continue // offered as two single stones
			}
			total += cx - p.aloneX() + cy - p.aloneY()
		} else if cx > 0 {
			total += cx - p.aloneX()
		} else if cy > 0 {
			total += cy - p.aloneY()
		}
		if total >= 2 {
			t.offer(s, r, pair{x, y}, total, need)
		}
	}
}

// lineThreats returns the number of stones needed to stop the hot windows of a line.
func lineThreats(own, blocked uint64) int {
	_, _, hot := windowsWith(own, blocked)
	return stonesToStop(hot, own)
}

// stonesToStop returns the number of stones needed to stop hot windows; 3 if two are not enough.
func stonesToStop(hot, own uint64) int {
	if hot == 0 {
		return 0
	}
	first := uint64(1<<six-1) << bits.TrailingZeros64(hot) &^ own
	low := first & -first
	high := first &^ low
	lowRest, highRest := unstopped(hot, low), unstopped(hot, high)
	switch {
	case lowRest == 0, highRest == 0 && high != 0:
		return 1
	case stoppable(lowRest, own), high != 0 && stoppable(highRest, own):
		return 2
	}
	return 3
}

// unstopped returns the windows that do not contain a cell.
func unstopped(hot, stone uint64) (rest uint64) {
	for ; hot != 0; hot &= hot - 1 {
		if uint64(1<<six-1)<<bits.TrailingZeros64(hot)&stone == 0 {
			rest |= hot & -hot
		}
	}
	return rest
}

// stoppable reports whether one stone stops all of the windows.
func stoppable(hot, own uint64) bool {
	common := ^uint64(0)
	for ; hot != 0; hot &= hot - 1 {
		common &= uint64(1<<six-1) << bits.TrailingZeros64(hot)
	}
	return common&^own != 0
}

// listFree offers stones that make two threats alone, with stones that stop the other
// side's threats.
func (t *threats) listFree(s game.Side, r *threatScratch, n, need int) {
	for _, x := range t.single[:n] {
		if int(t.class[x]) < need {
			t.cut = t.cut || t.class[x] >= 2
			continue
		}
		for _, y := range r.must.single[:r.must.n] {
			if y != x && t.class[y] == 0 {
				t.offer(s, r, pair{x, y}, int(t.class[x]), need)
			}
		}
		if r.must.stones == 0 {
			t.offerBest(s, r, x, need)
		}
	}
	for _, p := range r.must.pairs[:r.must.m] {
		t.offer(s, r, p, need, need)
	}
}

// offerBest offers a stone together with the most valuable second stone.
func (t *threats) offerBest(s game.Side, r *threatScratch, x cell, need int) {
	best, top := none, int32(-1)
	for _, p := range &t.b.places[x] {
		for at := int(p.at) - reach; at <= int(p.at)+reach; at++ {
			if at < 0 || at >= t.b.size {
				continue
			}
			y := t.b.cellOf[p.line][at]
			if y == none || y == x || t.class[y] > 0 || !t.b.vacant(y) {
				continue
			}
			if v := t.b.gain(s, y); v > top {
				best, top = y, v
			}
		}
	}
	if best != none {
		t.offer(s, r, pair{x, best}, int(t.class[x]), need)
	}
}

// offer inserts a turn into the strongest ones, if it makes enough threats.
func (t *threats) offer(s game.Side, r *threatScratch, p pair, total, need int) {
	if total < need {
		t.cut = t.cut || total >= 2
		return
	}
	if r.must.stones > 0 && uncovered(r.must.gaps[:r.must.open], p.first, p.second) >= 0 {
		return
	}
	r.add(p, int32(total)<<16+t.weigh(s, p.first)+t.weigh(s, p.second), maxForcing)
}

// weigh returns the gain of a stone, which classify has computed for some cells.
func (t *threats) weigh(s game.Side, c cell) int32 {
	if t.class[c] > 0 {
		return t.weight[c]
	}
	return t.b.gain(s, c)
}
