package engine

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quintet/game"
)

// giveUpAfter is how long tests wait for what never happens.
const giveUpAfter = time.Minute

// TestHelpersSearch blocks the first thread between two iterations until the others have
// evaluated positions, to show that they search and that their nodes count.
func TestHelpersSearch(t *testing.T) {
	var held atomic.Bool
	var once sync.Once
	helped := make(chan struct{})
	k := plainKnowledge()
	eval := k.Eval
	k.Eval = func(p game.Position) int {
		if held.Load() {
			once.Do(func() { close(helped) })
		}
		return eval(p)
	}
	a := NewAlphaBeta(k, 1, 3)
	ctx, stop := context.WithCancel(context.Background()) // with a depth limit the others could finish first
	line := a.Search(ctx, start(t, "chess", "", ""), Limit{}, func(l Line) {
		if l.Depth != 2 {
			return
		}
		held.Store(true)
		defer stop()
		select {
		case <-helped:
		case <-time.After(giveUpAfter):
			t.Error("no other thread searches")
		}
	})
	sum := uint64(0)
	for _, w := range a.workers {
		sum += w.nodes
	}
	if line.Nodes != sum || sum <= a.workers[0].nodes {
		t.Errorf("%d nodes are counted, want %d, of which the first thread visited %d", line.Nodes, sum, a.workers[0].nodes)
	}
}

// TestNodesAreShared divides a limit of nodes among the threads.
func TestNodesAreShared(t *testing.T) {
	for threads, each := range map[int]uint64{1: 9_000, 3: 3_000} {
		a := NewAlphaBeta(plainKnowledge(), 1, threads)
		line := a.Search(context.Background(), start(t, "chess", "", ""), Limit{Nodes: 9_000}, nil)
		for _, w := range a.workers {
			if w.limit != each || w.nodes > each {
				t.Errorf("%d threads: one visited %d of %d, want %d", threads, w.nodes, w.limit, each)
			}
		}
		if w := a.workers[0]; w.nodes != each || line.Nodes > 9_000 {
			t.Errorf("%d threads: the first visited %d, all %d", threads, w.nodes, line.Nodes)
		}
	}
}
