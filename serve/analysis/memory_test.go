package analysis_test

import (
	"runtime"
	"testing"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/serve/analysis"
)

// maxTaskMegabytes bounds what the search of a task keeps, tables and all, as
// docs/operations.md says.
const maxTaskMegabytes = 24

// TestTaskMemory measures the heap that one more search of each game keeps.
func TestTaskMemory(t *testing.T) {
	for _, g := range games.All() {
		start, err := g.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		cache := bots.NewCache() // as all tasks share one
		search := func() engine.Searcher {
			s, err := bots.Searcher(g, bots.Options{Megabytes: analysis.TableMegabytes, Cache: cache})
			if err != nil {
				t.Fatal(err)
			}
			engine.Lines(t.Context(), s, engine.At(game.NewMatch(g, start)), engine.Limit{Nodes: 10_000}, 3)
			return s
		}
		first := search() // with what all searches of the game share
		before := heap()
		second := search()
		kept := heap() - before
		runtime.KeepAlive(first)
		runtime.KeepAlive(second)
		t.Logf("%s: %.1f MB", g.Name, float64(kept)/1e6)
		if kept > maxTaskMegabytes*1_000_000 {
			t.Errorf("%s: a search keeps %d bytes, want at most %d MB", g.Name, kept, maxTaskMegabytes)
		}
	}
}

// heap returns the bytes of the heap that are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
