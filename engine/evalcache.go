package engine

// evalCache keeps evaluations of a worker by the keys of positions: iterations and
// searches with other windows come to the same positions again. An entry is the key,
// its lowest bits replaced by the evaluation; they are its place. An evaluation of an
// empty entry is never found, as no position has the key 0.
type evalCache [1 << evalBits]uint64

const (
	evalBits = 16
	evalMask = 1<<evalBits - 1
)

func (c *evalCache) get(key uint64) (eval int, ok bool) {
	e := c[key&evalMask]
	return int(int16(e)), (e^key)>>evalBits == 0 && e != 0
}

func (c *evalCache) put(key uint64, eval int) {
	c[key&evalMask] = key&^evalMask | uint64(uint16(eval))
}

// eval returns the evaluation of the position at a ply.
func (w *worker) eval(ply int) int {
	key := w.keys[ply]
	if eval, ok := w.cache.get(key); ok {
		return eval
	}
	eval := w.know.Eval(w.pos[ply])
	w.cache.put(key, eval)
	return eval
}
