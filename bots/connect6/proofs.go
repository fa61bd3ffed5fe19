package connect6

import (
	"slices"

	"quintet/bots/connect6/certificate"
	"quintet/game"
)

// Limits of the search for wins with free stones.
const (
	maxFree    = 3  // turns in a line that leave the defender a free stone
	maxSingles = 64 // turns with one threat tried in a position
)

// prover searches for wins by turns that make a threat, of which some can be answered with one
// stone. The defender's other stone is then free: the search looks for a win without it, and
// then only tries the free stones in the relevance zone of that win (Wu and Lin 2010). It
// makes a certificate of each win.
type prover struct {
	t      *threats
	pairs  *pairs
	budget uint64 // node limit of each threat search
	round  uint64 // distinguishes the table's entries of searches with different budgets
}

// proof is a proved win.
type proof struct {
	tree *certificate.Tree
	zone zone // the win holds if the defender has extra stones elsewhere
}

// add adds a reply.
func (w *proof) add(stones []cell, then *proof) {
	w.tree.Replies = append(w.tree.Replies, certificate.Reply{Stones: gameCells(stones), Then: then.tree})
	w.zone.union(&then.zone)
}

func gameCells(list []cell) (cells []game.Cell) {
	for _, c := range list {
		if c != none {
			cells = append(cells, game.Cell(c))
		}
	}
	return cells
}

func (v *prover) over() bool { return v.t.nodes >= v.t.most || v.t.halt != nil && v.t.halt() }

// attack looks for a win of a side with two stones to place, within depth turns of threats
// before the one that completes six. At most singles of them leave a free stone. The win must
// hold if the defender has this many extra stones outside of its zone.
func (v *prover) attack(s game.Side, depth, singles, extra int) *proof {
	t := v.t
	switch {
	case t.b.hot[s] > 0:
		return v.complete(s)
	case depth == 0 || v.over():
		return nil
	}
	t.nodes++
	if turns := t.find(s, 2, depth, v.budget); turns > 0 {
		return v.double(s, 2, turns, extra)
	}
	if singles == 0 || depth < 2 {
		return nil
	}
	key := game.Mix(t.b.key^sideKey(s), v.round<<2|uint64(singles))
	entry := t.table.get(key)
	if entry.failed >= depth {
		return nil
	}
	for _, p := range v.list(s, entry.best) {
		if w := v.turn(s, p, depth, singles, extra); w != nil {
			t.table.put(key, threatEntry{best: p, won: depth})
			return w
		}
		if v.over() {
			return nil
		}
	}
	t.table.put(key, threatEntry{failed: depth})
	return nil
}

// complete proves a win by completing six.
func (v *prover) complete(s game.Side) *proof {
	return newProof(v.t.b.winner(s))
}

// newProof begins the proof that a turn wins.
func newProof(p pair) *proof {
	w := &proof{tree: &certificate.Tree{Turn: gameCells([]cell{p.first, p.second})}}
	w.zone.add(p.first)
	if p.second != none {
		w.zone.add(p.second)
	}
	return w
}

// double proves a win that the threat search has found, with left stones in its first turn.
func (v *prover) double(s game.Side, left, turns, extra int) *proof {
	p := v.t.winning(s, left, turns)
	if p.first == none {
		return nil
	}
	return v.turn(s, p, turns, 0, extra)
}

// turn proves that a turn wins.
func (v *prover) turn(s game.Side, p pair, depth, singles, extra int) *proof {
	b := v.t.b
	b.play(s, p)
	defer b.undo(s, p)
	var a answers
	if b.hot[s^1] > 0 {
		return nil
	}
	b.answer(s, &a)
	if a.stones == 0 || a.stones < 3 && depth <= 1 || a.stones == 1 && singles == 0 {
		return nil
	}
	w := newProof(p)
	w.zone.addWindows(b, s, 4)
	w.zone.addWindows(b, s^1, max(4-extra, 0))
	if a.stones == 3 {
		return w
	}
	d := defence{s: s, depth: depth - 1, singles: singles, extra: extra, free: a.stones == 1}
	if d.free {
		d.singles--
		d.extra++
	}
	if !v.replies(w, d, &a) {
		return nil
	}
	return w
}

// defence is what a win after replies has to keep to.
type defence struct {
	s                     game.Side // of the winner
	depth, singles, extra int
	free                  bool // whether the defender has a free stone
}

// replies proves a win against all answers: at once, or else against each.
func (v *prover) replies(w *proof, d defence, a *answers) bool {
	all := append(make([]cell, 0, len(a.single)+2*len(a.pairs)), a.single[:a.n]...)
	for _, p := range a.pairs[:a.m] {
		all = appendNew(all, p)
	}
	turn := *w.tree
	before := w.zone
	if v.beats(w, d, all) {
		return true
	}
	if a.n+a.m == 1 || v.over() {
		return false
	}
	*w.tree, w.zone = turn, before
	for _, c := range a.single[:a.n] {
		if !v.beats(w, d, []cell{c}) {
			return false
		}
	}
	d.free = false
	for _, p := range a.pairs[:a.m] {
		if !v.beats(w, d, []cell{p.first, p.second}) {
			return false
		}
	}
	return true
}

// beats proves a win against stones of the defender, with every free stone.
func (v *prover) beats(w *proof, d defence, stones []cell) bool {
	null := v.against(d, stones)
	if null == nil {
		return false
	}
	w.add(stones, null)
	if !d.free {
		return true
	}
	rest := null.zone
	for _, c := range stones {
		rest.remove(c)
	}
	rest.onlyVacant(v.t.b)
	for c := rest.first(); c != none; c = rest.first() {
		with := slices.Concat(stones, []cell{c})
		one := v.against(d, with)
		if one == nil {
			return false
		}
		w.add(with, one)
		rest.intersect(&one.zone)
		rest.remove(c)
	}
	return true
}

// against looks for a win after stones of the defender.
func (v *prover) against(d defence, stones []cell) (w *proof) {
	if !v.t.b.fill(d.s^1, stones) {
		w = v.attack(d.s, d.depth, d.singles, d.extra)
	}
	v.t.b.clear(d.s^1, stones)
	return w
}

// list returns the turns that make threats, first the one given if any.
func (v *prover) list(s game.Side, first pair) []pair {
	t := v.t
	r := &t.scratch[0]
	if t.list(s, 2, r); r.must.stones == 3 {
		return nil
	}
	list := make([]pair, 0, 1+r.n+maxSingles)
	if first.first != first.second { // not the zero pair
		list = append(list, first)
	}
	list = append(list, r.list[:r.n]...)
	var singles pairList
	v.listSingles(s, &r.must, &singles)
	return append(list, singles.list[:singles.n]...)
}

// listSingles lists turns of a stone that makes a threat with one of the best other stones.
func (v *prover) listSingles(s game.Side, must *answers, l *pairList) {
	t := v.t
	near := v.pairs.weigh(s)
	top := v.pairs.best(near, false)
	n := t.classify(s)
	for _, x := range t.single[:n] {
		for _, y := range top {
			if x == y || t.class[x]+t.class[y] >= 2 || must.stones > 0 && uncovered(must.gaps[:must.open], x, y) >= 0 {
				continue
			}
			l.add(pair{x, y}, t.weight[x]+v.pairs.value[y], maxSingles)
		}
	}
	for _, c := range t.single[:n] {
		t.class[c] = 0
	}
	v.pairs.forget(near)
}

// line returns a line of a proved win: the replies with the longest wins.
func (v *prover) line(s game.Side, w *certificate.Tree) (list []pair) {
	b := v.t.b
	if b.hot[s] > 0 {
		return []pair{b.winner(s)}
	}
	p := pairOf(w.Turn)
	b.play(s, p)
	var a answers
	b.answer(s, &a)
	q, then := longest(w, &a)
	if then == nil {
		q = v.t.reply(s)
	}
	b.play(s^1, q)
	list = append([]pair{p, q}, v.line(s, then)...)
	b.undo(s^1, q)
	b.undo(s, p)
	return list
}

func pairOf(cells []game.Cell) pair {
	p := pair{cell(cells[0]), none}
	if len(cells) > 1 {
		p.second = cell(cells[1])
	}
	return p
}

// longest returns a turn that stops all threats and the rest of the longest win against one; no
// win if there is no such turn.
func longest(w *certificate.Tree, a *answers) (q pair, then *certificate.Tree) {
	most := 0
	for _, r := range w.Replies {
		if p, ok := turnFrom(r.Stones, a); ok && r.Then.Turns() > most {
			q, then, most = p, r.Then, r.Then.Turns()
		}
	}
	return q, then
}

// turnFrom returns two of some stones that stop all threats.
func turnFrom(stones []game.Cell, a *answers) (pair, bool) {
	for i, x := range stones {
		for _, y := range stones[i+1:] {
			if uncovered(a.gaps[:a.open], cell(x), cell(y)) < 0 {
				return pair{cell(x), cell(y)}, true
			}
		}
	}
	return pair{}, false
}
