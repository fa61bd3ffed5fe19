package midgame

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// team searches one position with several threads by the young brothers wait concept
// (Feldmann, "Game tree search on massively parallel systems", 1993): once the first move of
// a node has been searched, threads that are idle help to search the others. The value is
// that of a search by one thread, where nothing is cut by ProbCut.
type team struct {
	threads []*thread // the first begins the search, the others help

	idle    atomic.Int32  // threads that wait for a split
	changes atomic.Uint32 // new splits, threads that have left one, ends of searches
	nodes   atomic.Uint64 // visited by all threads, save for the last few of each
	limit   uint64        // of nodes; 0 for none

	progress *Progress // of the search, or nil

	mu     sync.Mutex // guards what follows, and the fields of all splits
	change sync.Cond  // signals that changes has grown
	open   []*split   // splits with unclaimed moves, the oldest first
	closed bool
}

// split is a node whose moves several threads search.
type split struct {
	parent           *split // that its owner was searching a move of; nil for none
	depth, certainty int
	moves            []candidate // in the owner's scratch list
	next             int         // the first unclaimed move
	beta             int
	best             int // of the moves searched
	floor            int // the larger of best and alpha
	squares          [2]int
	threads          int  // that are searching its moves
	cut              bool // whether best has reached beta
}

// minShared is the least depth of a node that is split: below, handing over moves takes longer
// than to search them.
const minShared = 5

// alwaysShared is the least depth of a node that is split even if no thread is idle yet, so
// that one that becomes idle finds much work at once.
const alwaysShared = 18

func newTeam(threads []*thread) *team {
	g := &team{threads: threads}
	g.change.L = &g.mu
	return g
}

// begin makes the team ready for a search.
func (g *team) begin(limit uint64) {
	g.limit, g.closed = limit, false
	g.nodes.Store(0)
}

// end sends the helpers home.
func (g *team) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	g.signal()
}

// help searches splits until the search ends.
func (t *thread) help() {
	g := t.team
	g.mu.Lock()
	defer g.mu.Unlock()
	for !g.closed {
		if sp := g.split(nil); sp != nil {
			t.searchSplit(sp)
		} else {
			g.wait()
		}
	}
}

// spins is how often an idle thread looks for a change before it sleeps, for about half a
// millisecond together. Most waits last some microseconds, and to wake a thread that sleeps takes
// up to a hundred.
const spins = 4000

// wait waits for a change. The team is locked.
func (g *team) wait() {
	seen := g.changes.Load()
	g.idle.Add(1)
	g.mu.Unlock()
	for n := 0; n < spins && g.changes.Load() == seen; n++ {
		runtime.Gosched()
	}
	g.mu.Lock()
	for g.changes.Load() == seen {
		g.change.Wait()
	}
	g.idle.Add(-1)
}

// signal wakes the threads that wait. The team is locked.
func (g *team) signal() {
	g.changes.Add(1)
	g.change.Broadcast()
}

// split returns the oldest open split below another, or the oldest of all if that is nil.
// The team is locked.
func (g *team) split(above *split) *split {
	for _, sp := range g.open {
		if sp.under(above) && !sp.over() {
			return sp
		}
	}
	return nil
}

// under reports whether the split is another or below it; nil is above all.
func (sp *split) under(other *split) bool {
	for sp != nil && sp != other {
		sp = sp.parent
	}
	return sp == other
}

// over reports whether the split no longer matters: it, or one above it, was cut.
func (sp *split) over() bool {
	for ; sp != nil; sp = sp.parent {
		if sp.cut {
			return true
		}
	}
	return false
}

// shares reports whether a node of a depth is split now.
func (t *thread) shares(depth int) bool {
	if depth < minShared || t.first || len(t.team.threads) == 1 {
		return false
	}
	return depth >= alwaysShared || t.team.idle.Load() > 0
}

// share searches the rest of the moves of a node together with idle threads. It returns
// when no thread searches them any longer.
func (t *thread) share(sp *split) {
	g := t.team
	g.mu.Lock()
	defer g.mu.Unlock()
	sp.parent = t.current
	g.open = append(g.open, sp)
	g.signal()
	t.searchSplit(sp)
	for sp.threads > 0 {
		if below := g.split(sp); below != nil {
			t.searchSplit(below)
		} else {
			g.wait()
		}
	}
}

// searchSplit searches moves of a split until all have been begun or one is good enough. The
// team is locked, but not while the thread searches.
func (t *thread) searchSplit(sp *split) {
	g, outer, certainty := t.team, t.current, t.certainty
	t.current, t.certainty = sp, sp.certainty
	for sp.threads++; sp.next < len(sp.moves) && !sp.over(); {
		c, floor := pick(sp.moves, sp.next), sp.floor
		if sp.next++; sp.next == len(sp.moves) {
			g.remove(sp)
		}
		g.mu.Unlock()
		value := t.younger(c, sp.depth, floor, sp.beta)
		g.mu.Lock()
		if !t.stopped() {
			g.record(sp, value, int(c.square))
		}
	}
	sp.threads--
	t.current, t.certainty = outer, certainty
	t.halt.Store(outer.over())
	g.remove(sp)
	g.signal()
}

// record stores the value of a move, and stops all threads under the split if it is good
// enough. The team is locked.
func (g *team) record(sp *split, value, square int) {
	if value <= sp.best {
		return
	}
	sp.best, sp.squares = value, [2]int{square + 1, sp.squares[0]}
	sp.floor = max(sp.floor, value)
	if value < sp.beta {
		return
	}
	sp.cut = true
	for _, t := range g.threads {
		if t.current.under(sp) {
			t.halt.Store(true)
		}
	}
}

// remove takes a split from the open ones. The team is locked.
func (g *team) remove(sp *split) {
	if i := slices.Index(g.open, sp); i >= 0 {
		g.open = slices.Delete(g.open, i, i+1)
	}
}
