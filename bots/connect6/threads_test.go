package connect6

import (
	"strings"
	"testing"

	"quintet/engine"
	"quintet/game"
	rules "quintet/games/connect6"
)

// played returns the position after moves from the empty board of 19 by 19.
func played(t testing.TB, moves string) *rules.Position {
	t.Helper()
	p, err := rules.Start(19)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range strings.Fields(moves) {
		m, err := p.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Play(m)
	}
	return p
}

// quietOpening leads to a position in which a short search proves nothing.
const quietOpening = "J9 I10 J11 J7 G12 L7 L9"

// TestThreads searches with several threads to a depth: the line can be played, the nodes of
// all threads count, and each has its share of a limit.
func TestThreads(t *testing.T) {
	p := played(t, quietOpening)
	s := NewThreads(1, 3)
	for _, limit := range []engine.Limit{{Depth: 6}, {Nodes: 9000}} {
		s.Reset()
		line := s.Search(t.Context(), engine.Position{Position: p}, limit, nil)
		sum := s.tree.nodes + s.tree.threats.nodes
		for _, h := range s.helpers {
			sum += h.nodes + h.threats.nodes
			if want := limit.NodesPerThread(3); h.limit != want {
				t.Errorf("%+v: a helper has %d nodes, want %d", limit, h.limit, want)
			}
		}
		if line.Nodes != sum {
			t.Errorf("%+v: %d nodes are counted, want %d", limit, line.Nodes, sum)
		}
		at := *p
		for _, m := range line.Moves {
			if !game.Legal(&at, m) {
				t.Fatalf("%+v: %v cannot be played", limit, line.Moves)
			}
			at.Play(m)
		}
	}
}

// TestSharedProof lets a helper find a win, of which the first thread then knows a part.
func TestSharedProof(t *testing.T) {
	p := played(t, "J9 J8 K9 I7 I10 K8 I8 L8 K7 J7 F8 H8 H9 I6 J6")
	s := NewThreads(1, 2)
	find := func(tr *tree) (turns int, nodes uint64) {
		tr.begin(p, 0, func(uint64) bool { return false })
		turns = tr.find(p.Turn(), 2, 10, 100_000)
		return turns, tr.threats.nodes
	}
	turns, first := find(s.helpers[0])
	again, second := find(&s.tree)
	if turns < 2 || again != turns || second*3 > first*2 {
		t.Errorf("a win in %d turns in %d nodes, then in %d turns in %d nodes, want the same in two thirds of the nodes or fewer", turns, first, again, second)
	}
}

// TestPutOff tells a search that another thread is searching all turns, or one: they come
// last, and the result is the same.
func TestPutOff(t *testing.T) {
	p := engine.Position{Position: played(t, quietOpening)}
	limit := engine.Limit{Depth: 4}
	want := New(1).Search(t.Context(), p, limit, nil)
	s := NewThreads(1, 2)
	s.helpers = nil // only their announcements
	list := func() []pair {
		r := &run{tree: &s.tree, position: played(t, quietOpening), side: game.First}
		s.tree.begin(r.position, 0, func(uint64) bool { return false })
		r.list()
		return s.tree.root.list[:s.tree.root.n]
	}()
	if len(list) < 20 {
		t.Fatalf("%d turns at the root", len(list))
	}
	for _, n := range []int{1, len(list)} {
		for _, q := range list[:n] {
			s.busy.Begin(s.tree.busyKey(q, 2))
		}
		s.Reset()
		line := s.Search(t.Context(), p, limit, nil)
		if line.Best() != want.Best() || line.Score != want.Score {
			t.Errorf("%d busy turns: %v, score %d, want %v, score %d", n, line.Moves, line.Score, want.Moves, want.Score)
		}
		if later := s.tree.scratch[0].later; n > 1 && later == [maxPairs]uint8{} {
			t.Error("no turn was put off")
		}
	}
}

// TestThreatTable stores entries and finds them again; a word of another key is no entry.
func TestThreatTable(t *testing.T) {
	table := make(threatTable, 8)
	for i, e := range []threatEntry{
		{best: pair{0, maxCells - 1}, won: maxThreatTurns}, {best: pair{maxCells - 1, none}, won: 1},
		{failed: maxThreatTurns},
	} {
		key := uint64(i) << 7
		table.put(key, e)
		if got := table.get(key); got != e {
			t.Errorf("%+v, want %+v", got, e)
		}
		if got := table.get(key + 8<<7); got != (threatEntry{}) { // the same slot
			t.Errorf("%+v for another key", got)
		}
		table.slot(key).word.Store(threatEntry{won: 2}.pack()) // another thread was half-way
		if got := table.get(key); got != (threatEntry{}) {
			t.Errorf("%+v from words that do not match", got)
		}
	}
	if got := table.get(7 << 7); got != (threatEntry{}) {
		t.Errorf("%+v in an empty slot", got)
	}
}
