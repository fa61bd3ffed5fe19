package analysis_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/lab/await"
	"quintet/serve/analysis"
	"quintet/serve/jobs"
	"quintet/web/wire"
)

// match returns a match of a game from a position, or from its start.
func match(t *testing.T, name, position string, moves ...string) *game.Match {
	t.Helper()
	g, err := games.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.Start(nil)
	if position != "" {
		p, err = g.Read(position)
	}
	if err != nil {
		t.Fatal(err)
	}
	m := game.NewMatch(g, p)
	for _, text := range moves {
		if err := m.PlayText(text); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// run runs a task to its end, and returns all results that it had after a step.
func run(t *testing.T, k *analysis.Task) (list []analysis.Result, reason analysis.Reason) {
	t.Helper()
	for more, deepest := true, 0; more; {
		more = k.Step(t.Context())
		r, _ := k.Latest()
		if r.Depth < deepest {
			t.Errorf("depth %d is shown after %d", r.Depth, deepest)
		}
		deepest = r.Depth
		if n := len(list); r.Depth > 0 && (n == 0 || r.Depth > list[n-1].Depth) {
			list = append(list, r)
		}
	}
	k.End(nil)
	_, reason = k.Latest()
	return list, reason
}

// TestLines checks three lines of every game: deeper and deeper, legal, and with different
// first moves.
func TestLines(t *testing.T) {
	a := analysis.New(analysis.Config{Nodes: 20_000, Slice: time.Nanosecond})
	for _, g := range games.All() {
		m := match(t, g.Name, "")
		list, reason := run(t, a.Task(m, analysis.Options{Lines: 3}))
		if reason != analysis.Limit || len(list) < 3 {
			t.Errorf("%s: %d results, %q, want more until the limit", g.Name, len(list), reason)
			continue
		}
		for _, r := range list {
			firsts := map[string]bool{}
			for _, l := range r.Lines {
				checkLine(t, m.Clone(), l)
				firsts[l.PV[0]] = true
			}
			if len(r.Lines) != 3 || len(firsts) != 3 {
				t.Errorf("%s, depth %d: lines %+v, want 3 with different moves", g.Name, r.Depth, r.Lines)
			}
			for i := range r.Lines[1:] {
				if r.Lines[i].Score < r.Lines[i+1].Score {
					t.Errorf("%s, depth %d: scores %d before %d", g.Name, r.Depth, r.Lines[i].Score, r.Lines[i+1].Score)
				}
			}
		}
	}
}

// checkLine expects the moves of a line to be legal and its numbers in their ranges.
func checkLine(t *testing.T, m *game.Match, l wire.Variation) {
	t.Helper()
	if len(l.PV) == 0 || len(l.PV) > 16 || len(l.SAN) != len(l.PV) || l.Chance < 0 || l.Chance > 1 || l.Text == "" {
		t.Errorf("line %+v", l)
	}
	for _, text := range l.PV {
		if err := m.PlayText(text); err != nil {
			t.Errorf("line %v: %v", l.PV, err)
		}
	}
}

// TestTurnsDiffer checks that lines of Connect6 differ as turns, not only in the order of
// stones.
func TestTurnsDiffer(t *testing.T) {
	a := analysis.New(analysis.Config{Nodes: 20_000})
	list, _ := run(t, a.Task(match(t, "connect6", "", "j9"), analysis.Options{Lines: 3}))
	for _, r := range list {
		seen := map[string]bool{}
		for _, l := range r.Lines {
			turn := strings.Join(slices.Sorted(slices.Values(l.PV[:2])), " ")
			if seen[turn] {
				t.Errorf("depth %d: the turn %s comes twice", r.Depth, turn)
			}
			seen[turn] = true
		}
	}
}

// TestSuspended checks that suspensions do not change the result of a node-limited search.
func TestSuspended(t *testing.T) {
	for _, g := range games.All() {
		m := match(t, g.Name, "")
		var got [2]analysis.Result
		for i, slice := range []time.Duration{time.Nanosecond, time.Hour} {
			a := analysis.New(analysis.Config{Nodes: 10_000, Slice: slice})
			list, _ := run(t, a.Task(m, analysis.Options{Lines: 2}))
			got[i] = list[len(list)-1]
			got[i].Time = 0
		}
		if diff := cmp.Diff(got[1], got[0]); diff != "" {
			t.Errorf("%s: a suspended search differs (-whole +suspended):\n%s", g.Name, diff)
		}
	}
}

// TestValues compares the values of Othello moves near the end with playing out every
// line.
func TestValues(t *testing.T) {
	m := match(t, "othello", "")
	for ply := range 53 { // seven cells stay empty
		legal := m.Legal()
		if err := m.Play(legal[ply*7%len(legal)]); err != nil {
			t.Fatal(err)
		}
	}
	list, reason := run(t, analysis.New(analysis.Config{}).Task(m, analysis.Options{Values: true}))
	last := list[len(list)-1]
	legal := m.Legal()
	if reason != analysis.Exact || len(last.Lines) != len(legal) || len(legal) < 3 {
		t.Fatalf("%d values of %d moves, %q", len(last.Lines), len(legal), reason)
	}
	for _, l := range last.Lines {
		p := m.Position()
		mv, err := p.Parse(l.PV[0])
		if err != nil {
			t.Fatal(err)
		}
		p.Play(mv)
		if value := -solve(p); l.Score != 100*value || !l.Proved || !strings.HasPrefix(l.Text, "solved: ") {
			t.Errorf("%s: %+v, want %d discs", l.PV[0], l, value)
		}
	}
}

// solve plays an end of Othello out in all ways, and returns the best lead in discs of the
// side to move. Empty cells count for the winner.
func solve(p game.Position) (best int) {
	best = -64
	for _, m := range p.Moves(nil) {
		next := p.Clone()
		next.Play(m)
		best = max(best, -solve(next))
	}
	if !p.Result().Over() {
		return best
	}
	lead, empty := 0, 0
	for _, c := range p.Board().Cells {
		switch {
		case c.Kind == game.Empty:
			empty++
		case c.Side == p.Turn():
			lead++
		default:
			lead--
		}
	}
	switch {
	case lead > 0:
		return lead + empty
	case lead < 0:
		return lead - empty
	}
	return 0
}

// TestProved checks that proved wins and losses are shown with their number of turns.
func TestProved(t *testing.T) {
	a := analysis.New(analysis.Config{Nodes: 200_000})
	for _, c := range []struct{ game, position, text string }{
		{"connect6", "BBBBB1/6/6/6/6/6 B 1", "wins in 1"},
		{"connect6", "BBBB2/6/6/6/6/6 B 2", "wins in 1"},
		{"connect6", "8/8/2BBBB2/8/2BBBB2/8/8/8 W 1", "loses in 1"},
		{"chess", "4k3/8/8/8/8/8/4R3/4K3 w", "wins in 1"},
		{"chess", "k7/8/1K6/8/8/8/8/7R w", "wins in 2"},
		{"chess", "k7/8/1K6/8/8/8/8/7R b", "loses in 2"},
		{"loa", "8/3B4/4B3/8/5B2/8/W6W/8 B", "wins in 1"},
	} {
		list, _ := run(t, a.Task(match(t, c.game, c.position), analysis.Options{Lines: 1}))
		if l := list[len(list)-1].Lines[0]; l.Text != c.text || !l.Proved || l.Chance != 0 && l.Chance != 1 {
			t.Errorf("%s %s: %+v, want %s", c.game, c.position, l, c.text)
		}
	}
}

// ticker is a clock that advances by a millisecond whenever somebody looks at it.
func ticker() func() time.Time {
	var mu sync.Mutex
	var at time.Time
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(time.Millisecond)
		return at
	}
}

// TestTime checks that a task ends when its time is used up, without the time it was
// suspended.
func TestTime(t *testing.T) {
	a := analysis.New(analysis.Config{Now: ticker(), Slice: 10 * time.Millisecond, Time: 100 * time.Millisecond})
	k := a.Task(match(t, "chess", ""), analysis.Options{Lines: 3})
	steps := 1
	for ; k.Step(t.Context()); steps++ {
	}
	k.End(nil)
	if _, reason := k.Latest(); reason != analysis.Limit || steps != 10 {
		t.Errorf("%q after %d steps, want the limit after 10", reason, steps)
	}
}

// TestPause checks that a paused task continues, with its tables if there is space and without
// them otherwise, and never repeats a depth.
func TestPause(t *testing.T) {
	a := analysis.New(analysis.Config{Nodes: 30_000, Slice: time.Nanosecond, Kept: 1})
	kept := a.Task(match(t, "loa", ""), analysis.Options{Lines: 1})
	dropped := a.Task(match(t, "loa", ""), analysis.Options{Lines: 1})
	for _, k := range []*analysis.Task{kept, dropped} {
		for r, _ := k.Latest(); r.Depth < 3; r, _ = k.Latest() {
			if !k.Step(t.Context()) {
				t.Fatal("the task ended")
			}
		}
	}
	kept.Pause()
	dropped.Pause()
	for name, k := range map[string]*analysis.Task{"kept": kept, "dropped": dropped} {
		before, _ := k.Latest()
		k.Step(t.Context())
		if r, _ := k.Latest(); r.Depth < before.Depth {
			t.Errorf("%s: depth %d is shown after %d", name, r.Depth, before.Depth)
		}
		list, reason := run(t, k)
		if reason != analysis.Limit || len(list) == 0 || list[0].Depth < before.Depth || name == "kept" && list[len(list)-1].Depth <= before.Depth {
			t.Errorf("%s: depth %d, then %d results, %q", name, before.Depth, len(list), reason)
		}
	}
}

// TestCancel checks that cancelling a task ends its search, running or suspended.
func TestCancel(t *testing.T) {
	a := analysis.New(analysis.Config{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	running := a.Task(match(t, "chess", ""), analysis.Options{Lines: 3})
	for running.Step(ctx) {
	}
	running.End(context.Canceled)
	suspended := a.Task(match(t, "chess", ""), analysis.Options{Lines: 3})
	suspended.Step(t.Context())
	suspended.End(context.Canceled) // it waits for the goroutine, or hangs
	for _, k := range []*analysis.Task{running, suspended} {
		if _, reason := k.Latest(); reason != "" {
			t.Errorf("a cancelled task ends for %q", reason)
		}
	}
}

// broken is a search that panics.
type broken struct{ engine.Searcher }

func (broken) Search(context.Context, engine.Position, engine.Limit, func(engine.Line)) engine.Line {
	panic("oh")
}

// TestFaults checks that a failing search ends its task but not the worker.
func TestFaults(t *testing.T) {
	var reported any
	for _, searcher := range []func(game.Game) (engine.Searcher, error){
		func(game.Game) (engine.Searcher, error) { return broken{}, nil },
		func(game.Game) (engine.Searcher, error) { return nil, errors.New("no memory") },
	} {
		a := analysis.New(analysis.Config{Searcher: searcher})
		k := a.Task(match(t, "loa", ""), analysis.Options{Lines: 1})
		queue(t, jobs.Config{Report: func(v any) { reported = v }}, k)
		for _, reason := k.Latest(); reason == ""; _, reason = k.Latest() {
			await.Receive(t, "a change of the task", k.Changed())
		}
		if _, reason := k.Latest(); reason != analysis.Fault {
			t.Errorf("the task ends for %q", reason)
		}
	}
	if text, _ := reported.(string); !strings.Contains(text, "oh") {
		t.Errorf("reported %v", reported)
	}
}

// queue runs tasks of different clients in a queue with one worker until the test ends.
func queue(t *testing.T, c jobs.Config, tasks ...*analysis.Task) {
	t.Helper()
	q := jobs.New(c)
	for i, k := range tasks {
		if _, err := q.Submit(string(rune('a'+i)), k); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() { q.Work(ctx) })
	t.Cleanup(func() { cancel(); all.Wait(); q.Close() })
}

// TestFair checks that four users with three lines each get their first lines in the first
// four steps of the queue, and then take turns.
func TestFair(t *testing.T) {
	now := ticker()
	a := analysis.New(analysis.Config{Now: now, Slice: 100 * time.Millisecond, Nodes: 20_000})
	var tasks []*analysis.Task
	for _, name := range []string{"loa", "neighbors", "connect6", "chess"} {
		tasks = append(tasks, a.Task(match(t, name, ""), analysis.Options{Lines: 3}))
	}
	for _, k := range tasks {
		k.Step(t.Context())
		if r, _ := k.Latest(); len(r.Lines) != 3 {
			t.Errorf("after one step there are %d lines", len(r.Lines))
		}
	}
	queue(t, jobs.Config{}, tasks...)
	for _, k := range tasks {
		for _, reason := k.Latest(); reason == ""; _, reason = k.Latest() {
			await.Receive(t, "a change of the task", k.Changed())
		}
	}
}

// remote fails at its third search. It implements engine.Remote.
type remote struct {
	engine.Searcher
	searches, released int
}

func (r *remote) Search(ctx context.Context, p engine.Position, l engine.Limit, _ func(engine.Line)) engine.Line {
	if r.searches++; r.Err() != nil {
		return engine.Line{}
	}
	return r.Searcher.Search(ctx, p, l, nil)
}

func (r *remote) Err() error {
	if r.searches >= 3 {
		return errors.New("the process is gone")
	}
	return nil
}

func (r *remote) Release() { r.released++ }

func (*remote) Elsewhere() bool { return false }

// TestFailingSearch checks that a task ends when its search fails, shows the lines from
// before, and releases the search.
func TestFailingSearch(t *testing.T) {
	var made *remote
	a := analysis.New(analysis.Config{Searcher: func(g game.Game) (engine.Searcher, error) {
		inner, err := bots.Searcher(g, bots.Options{Megabytes: 1})
		made = &remote{Searcher: inner}
		return made, err
	}})
	list, reason := run(t, a.Task(match(t, "loa", ""), analysis.Options{Lines: 2}))
	if reason != analysis.Fault || len(list) != 1 || len(list[0].Lines) != 2 || made.searches != 3 || made.released != 1 {
		t.Errorf("it ends for %q with %d results after %d searches, released %d times", reason, len(list), made.searches, made.released)
	}
}
