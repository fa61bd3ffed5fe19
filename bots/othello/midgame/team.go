package midgame

// This file lets several threads search one position: they split nodes, and search the moves of
// a split point together.

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

	idle    atomic.Int32  // threads that wait for a split point
	changes atomic.Uint32 // new split points, threads that have left one, ends of searches
	nodes   atomic.Uint64 // visited by all threads, save for the last few of each
	limit   uint64        // of nodes; 0 for none

	progress *Progress // of the search, or nil

	mu          sync.Mutex    // guards what follows, and the fields of all split points
	change      sync.Cond     // signals that changes has grown
	splitPoints []*splitPoint // with unclaimed moves, the oldest first
	closed      bool
}

// splitPoint is a node whose moves several threads search.
type splitPoint struct {
	parent           *splitPoint // that its owner was searching a move of; nil for none
	depth, certainty int
	moves            []candidate // in the owner's scratch list
	next             int         // the first unclaimed move
	alpha, beta      int         // alpha rises with best
	best             int         // of the moves searched
	squares          [2]int
	threads          int  // that are searching its moves
	cutoff           bool // whether best has reached beta
}

// minSplitDepth is the least depth of a node that is split: below, handing over moves takes longer
// than to search them.
const minSplitDepth = 5

// alwaysSplitDepth is the least depth of a node that is split even if no thread is idle yet, so
// that one that becomes idle finds much work at once.
const alwaysSplitDepth = 18

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

// end makes the helpers return.
func (g *team) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	g.signal()
}

// help searches split points until the search ends.
func (t *thread) help() {
	g := t.team
	g.mu.Lock()
	defer g.mu.Unlock()
	for !g.closed {
		if sp := g.findSplitPoint(nil); sp != nil {
			t.searchSplitPoint(sp)
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

// findSplitPoint returns the oldest split point with unclaimed moves below another, or the oldest
// of all if that is nil.
// The team is locked.
func (g *team) findSplitPoint(above *splitPoint) *splitPoint {
	for _, sp := range g.splitPoints {
		if sp.isBelow(above) && !sp.isCut() {
			return sp
		}
	}
	return nil
}

// isBelow reports whether the split point is another one or below it; nil is above all.
func (sp *splitPoint) isBelow(other *splitPoint) bool {
	for sp != nil && sp != other {
		sp = sp.parent
	}
	return sp == other
}

// isCut reports whether the split point no longer matters: it, or one above it, had a beta cutoff.
func (sp *splitPoint) isCut() bool {
	for ; sp != nil; sp = sp.parent {
		if sp.cutoff {
			return true
		}
	}
	return false
}

// canSplit reports whether a node of a depth is split now.
func (t *thread) canSplit(depth int) bool {
	if depth < minSplitDepth || t.mustFinish || len(t.team.threads) == 1 {
		return false
	}
	return depth >= alwaysSplitDepth || t.team.idle.Load() > 0
}

// split searches the rest of the moves of a node together with idle threads. It returns when no
// thread searches them any longer.
func (t *thread) split(sp *splitPoint) {
	g := t.team
	g.mu.Lock()
	defer g.mu.Unlock()
	sp.parent = t.current
	g.splitPoints = append(g.splitPoints, sp)
	g.signal()
	t.searchSplitPoint(sp)
	for sp.threads > 0 {
		if below := g.findSplitPoint(sp); below != nil {
			t.searchSplitPoint(below)
		} else {
			g.wait()
		}
	}
}

// searchSplitPoint searches moves of a split point until all have been begun or one reaches beta.
// The team is locked, but not while the thread searches.
func (t *thread) searchSplitPoint(sp *splitPoint) {
	g, outer, certainty := t.team, t.current, t.certainty
	t.current, t.certainty = sp, sp.certainty
	for sp.threads++; sp.next < len(sp.moves) && !sp.isCut(); {
		c, alpha := pick(sp.moves, sp.next), sp.alpha
		if sp.next++; sp.next == len(sp.moves) {
			g.remove(sp)
		}
		g.mu.Unlock()
		value := t.scout(&c.after, sp.depth, alpha, sp.beta)
		g.mu.Lock()
		if !t.stopped() {
			g.record(sp, value, int(c.square))
		}
	}
	sp.threads--
	t.current, t.certainty = outer, certainty
	t.halt.Store(outer.isCut())
	g.remove(sp)
	g.signal()
}

// record stores the value of a move, and stops all threads below the split point if it reaches
// beta. The team is locked.
func (g *team) record(sp *splitPoint, value, square int) {
	if value <= sp.best {
		return
	}
	sp.best, sp.squares = value, [2]int{square + 1, sp.squares[0]}
	sp.alpha = max(sp.alpha, value)
	if value < sp.beta {
		return
	}
	sp.cutoff = true
	for _, t := range g.threads {
		if t.current.isBelow(sp) {
			t.halt.Store(true)
		}
	}
}

// remove takes a split point from the list. The team is locked.
func (g *team) remove(sp *splitPoint) {
	if i := slices.Index(g.splitPoints, sp); i >= 0 {
		g.splitPoints = slices.Delete(g.splitPoints, i, i+1)
	}
}
