package engine

// query is what the search of a node asks for: a score within a window, to a depth.
type query struct{ depth, alpha, beta int }

// answers reports whether what the table knows of a position answers a query.
func (f ttEntry) answers(q query) bool {
	return f.depth >= q.depth && f.bound.Cuts(f.score, q.alpha, q.beta)
}

// unwinding is the way back to a node that another thread has finished.
type unwinding struct {
	active bool
	ply    int // of the node
	found  ttEntry
}

// finished reports whether another thread has meanwhile finished the node of a ply, or one
// above it. The search then unwinds to the topmost such node instead of searching the rest of
// a tree that no longer matters. The first thread does not unwind to the root, because the
// table does not hold the whole principal variation.
func (w *worker) finished(ply int) bool {
	if w.busy == nil || w.queries[ply].depth < busyDepth {
		return false
	}
	at := 0
	if w.number == 0 {
		at = 1
	}
	for ; at <= ply; at++ {
		if found := w.table.get(w.tableKey(at), at); found.answers(w.queries[at]) {
			w.unwind = unwinding{true, at, found}
			return true
		}
	}
	return false
}

// unwound returns the score of the node at a ply if the search has unwound to it. done is
// false if it unwinds further, or was stopped.
func (w *worker) unwound(ply int) (score int, done bool) {
	if !w.unwind.active || w.unwind.ply != ply {
		return 0, false
	}
	w.unwind.active = false
	if ply == 0 {
		w.pv[0][0], w.length[0] = w.unwind.found.move, 1
	}
	return w.unwind.found.score, true
}

// tableKey returns the key of the position at a ply in the table. It includes the positions of the history
// that end the game when they occur again: what an earlier search has found about a line to one of them
// no longer holds.
func (w *worker) tableKey(ply int) uint64 {
	key := w.keys[ply] + w.line.halts
	if ply == 0 {
		key += SkipKey(w.skip)
	}
	return key
}
