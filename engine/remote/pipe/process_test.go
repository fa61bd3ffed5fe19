package pipe

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quintet/bots"
	"quintet/engine"
	"quintet/engine/remote"
	"quintet/game"
	"quintet/games"
	"quintet/serve/analysis"
)

// turns is a pacer that suspends nothing, and counts.
type turns struct{ yields int }

func (p *turns) Yield()            { p.yields++ }
func (*turns) Left() time.Duration { return time.Nanosecond }

var sameLine = cmpopts.IgnoreFields(engine.Line{}, "Time")

// TestSame checks that the engine process finds the same in positions of random games as this
// process: from empty tables and with those of earlier searches, with excluded moves, with a
// history, and in slices.
func TestSame(t *testing.T) {
	t.Parallel()
	const nodes = 6_000 // a search looks every 1,024 whether it is to wait
	p, _ := process(t, "")
	for _, g := range games.All() {
		own, err := bots.Searcher(g, bots.Options{Megabytes: 1})
		if err != nil {
			t.Fatal(err)
		}
		child := searcher(p, g)
		parked := &turns{}
		for i, at := range positions(t, g) {
			if i%3 == 0 {
				own.Reset()
				child.Reset()
			}
			want := own.Search(t.Context(), at, engine.Limit{Nodes: nodes}, nil)
			got := child.Search(t.Context(), at, engine.Limit{Nodes: nodes, Pacer: parked}, nil)
			if diff := cmp.Diff(want, got, sameLine); diff != "" || child.Err() != nil {
				t.Errorf("%s, position %d, %v: %s", g.Name, i, child.Err(), diff)
			}
		}
		if parked.yields == 0 {
			t.Errorf("%s: the search was not suspended", g.Name)
		}
	}
	if p.Restarts() != 0 {
		t.Errorf("%d restarts, want none", p.Restarts())
	}
}

// positions returns positions of a random game: some without the first legal move, and some
// with a history in which each position after a legal move has come as often as ends the game.
func positions(t *testing.T, g game.Game) (list []engine.Position) {
	t.Helper()
	m := game.NewMatch(g, start(t, g).Position)
	random := rand.New(rand.NewPCG(1, 2))
	for ply := 1; ply <= 48 && !m.Over(); ply++ {
		legal := m.Legal()
		if ply%12 == 0 {
			at := engine.At(m)
			at.Position = at.Clone()
			list = append(list, at)
			at.History = slices.Clone(at.History)
			for _, mv := range legal {
				next := at.Clone()
				next.Play(mv)
				at.History = append(at.History, slices.Repeat([]uint64{next.Key()}, g.Repeat)...)
			}
			list = append(list, at)
			if len(legal) > 1 {
				at.History, at.Skip = nil, legal[:1]
				list = append(list, at)
			}
		}
		if err := m.Play(legal[random.IntN(len(legal))]); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// TestAnalysis checks that an analysis in the engine process gives the same lines as one
// here.
func TestAnalysis(t *testing.T) {
	t.Parallel()
	p, _ := process(t, "")
	last := func(c analysis.Config, g game.Game) analysis.Result {
		c.Nodes, c.Slice = 20_000, time.Millisecond
		k := analysis.New(c).Task(game.NewMatch(g, start(t, g).Position), analysis.Options{Lines: 3})
		for k.Step(t.Context()) {
		}
		k.End(nil)
		r, reason := k.Latest()
		if reason != analysis.Limit {
			t.Errorf("%s ends for %q", g.Name, reason)
		}
		return r
	}
	for _, g := range games.All() {
		want := last(analysis.Config{}, g)
		got := last(analysis.Config{Searcher: func(g game.Game) (engine.Searcher, error) { return searcherOf(p, g, analysis.TableMegabytes), nil }}, g)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(analysis.Result{}, "Time")); diff != "" {
			t.Errorf("%s: %s", g.Name, diff)
		}
	}
}

// TestFaults lists what happens when the engine process has a fault.
func TestFaults(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]struct {
		err, log string
		restarts int64
	}{
		"exits":   {"the search server ended during the search", "exit status 3", 2},
		"garbage": {"the search server ended during the search", `reading a message \"hello\"`, 2},
		"long":    {"the search server ended during the search", "token too long", 2},
		"other":   {"restart the server after an upgrade", "", 0},
		"nested":  {"the search server ended during the search", "starting the engine process: this is an engine process itself", 2},
		"memory":  {"no memory", "", 0},
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			p, log := process(t, mode)
			g := gameOf(t, "loa")
			s := searcher(p, g)
			if got := s.Search(t.Context(), start(t, g), engine.Limit{Depth: 2}, nil); !cmp.Equal(got, engine.Line{}) {
				t.Errorf("it finds %+v", got)
			}
			if err := s.Err(); err == nil || !strings.Contains(err.Error(), want.err) || !strings.Contains(log.String(), want.log) || p.Restarts() != want.restarts {
				t.Errorf("error %v after %d restarts, want %q after %d; log %s", err, p.Restarts(), want.err, want.restarts, log)
			}
		})
	}
}

// TestMissing checks the error when there is no program to start.
func TestMissing(t *testing.T) {
	p, _ := process(t, "")
	command := p.config.Command
	p.config.Command = func(ctx context.Context) (c *exec.Cmd, err error) {
		if c, err = command(ctx); err == nil {
			c.Path = filepath.Join(t.TempDir(), "missing")
		}
		return c, err
	}
	g := gameOf(t, "loa")
	s := searcher(p, g)
	s.Search(t.Context(), start(t, g), engine.Limit{Depth: 2}, nil)
	if err := s.Err(); err == nil || !strings.Contains(err.Error(), "starting the engine process") {
		t.Errorf("error %v", err)
	}
}

// TestDies checks that a search continues when the engine process dies: it begins again with
// empty tables.
func TestDies(t *testing.T) {
	t.Parallel()
	p, log := process(t, "exits-once "+filepath.Join(t.TempDir(), "died"))
	g := gameOf(t, "loa")
	own, err := bots.Searcher(g, bots.Options{Megabytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := own.Search(t.Context(), start(t, g), engine.Limit{Nodes: 20_000}, nil)
	s := searcher(p, g)
	got := s.Search(t.Context(), start(t, g), engine.Limit{Nodes: 20_000}, nil)
	if diff := cmp.Diff(want, got, sameLine); diff != "" || s.Err() != nil || p.Restarts() != 1 {
		t.Errorf("%v, %d restarts, log %s: %s", s.Err(), p.Restarts(), log, diff)
	}
}

// killer is a pacer that kills the engine process of a search some times.
type killer struct {
	turns
	process *Process
	times   int
}

func (k *killer) Yield() {
	if k.yields++; k.yields <= k.times {
		k.process.mu.Lock()
		c := k.process.child
		k.process.mu.Unlock()
		_ = c.cmd.Process.Kill() // nothing else ends it
		<-c.done
	}
}

// TestDiesParked checks that a search continues however often the engine process ends while
// the search is suspended.
func TestDiesParked(t *testing.T) {
	t.Parallel()
	p, log := process(t, "")
	g := gameOf(t, "loa")
	own, err := bots.Searcher(g, bots.Options{Megabytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := own.Search(t.Context(), start(t, g), engine.Limit{Nodes: 20_000}, nil)
	s := searcher(p, g)
	got := s.Search(t.Context(), start(t, g), engine.Limit{Nodes: 20_000, Pacer: &killer{process: p, times: maxTries + 1}}, nil)
	if diff := cmp.Diff(want, got, sameLine); diff != "" || s.Err() != nil || p.Restarts() != maxTries+1 {
		t.Errorf("%v, %d restarts, log %s: %s", s.Err(), p.Restarts(), log, diff)
	}
}

// TestHangs checks that an engine process that says nothing of a search is killed.
func TestHangs(t *testing.T) {
	t.Parallel()
	p, log := process(t, "silent")
	p.hangTime = 100 * time.Millisecond
	g := gameOf(t, "loa")
	s := searcher(p, g)
	s.Search(t.Context(), start(t, g), engine.Limit{}, nil)
	if err := s.Err(); err == nil || !strings.Contains(err.Error(), "does not answer") || p.Restarts() != maxTries-1 || !strings.Contains(log.String(), "does not answer") {
		t.Errorf("error %v, log %s", err, log)
	}
}

// TestPanic checks that a panic of a search is one of its caller, and that the engine process
// survives it.
func TestPanic(t *testing.T) {
	t.Parallel()
	p, _ := process(t, "panics")
	g := gameOf(t, "loa")
	s := searcher(p, g)
	for range 2 {
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.HasPrefix(text, "oh\n") || !strings.Contains(text, "faulty.Search") {
					t.Errorf("it panics with %q", text)
				}
			}()
			s.Search(t.Context(), start(t, g), engine.Limit{Depth: 2}, nil)
		}()
	}
	if p.Restarts() != 0 {
		t.Errorf("%d restarts, want none", p.Restarts())
	}
}

// TestCancel checks that a cancelled search returns, also when the engine process does not
// answer, and that Close ends the process then.
func TestCancel(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"endless", "deaf"} {
		p, _ := process(t, mode)
		g := gameOf(t, "loa")
		s := searcher(p, g)
		for range 3 {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(20*time.Millisecond, cancel)
			s.Search(ctx, start(t, g), engine.Limit{}, nil)
		}
		s.Release()
		p.Close()
		s.Search(t.Context(), start(t, g), engine.Limit{}, nil)
		if err := s.Err(); err == nil || !strings.Contains(err.Error(), "stopping") || p.Restarts() != 0 {
			t.Errorf("%s: %v and %d restarts after Close", mode, err, p.Restarts())
		}
	}
}

// TestDeaf checks that an engine process that reads nothing is killed before its requests
// fill the memory.
func TestDeaf(t *testing.T) {
	t.Parallel()
	p, log := process(t, "deaf")
	g := gameOf(t, "loa")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	at := start(t, g)
	at.History = make([]uint64, 20_000)
	for p.Restarts() < 2 {
		searcher(p, g).Search(ctx, at, engine.Limit{}, nil)
	}
	if !strings.Contains(log.String(), "it has not read 256 requests") {
		t.Errorf("log %s", log)
	}
}

// TestMemory checks that the engine process has few sessions, and more when some are released.
func TestMemory(t *testing.T) {
	t.Parallel()
	p, _ := process(t, "")
	g := gameOf(t, "neighbors")
	var list []*remote.Searcher
	for range maxSessions {
		s := searcher(p, g)
		s.Search(t.Context(), start(t, g), engine.Limit{Depth: 1}, nil)
		if s.Err() != nil {
			t.Fatal(s.Err())
		}
		list = append(list, s)
	}
	for _, want := range []string{"32 searches keep their tables", ""} {
		s := searcher(p, g)
		s.Search(t.Context(), start(t, g), engine.Limit{Depth: 1}, nil)
		if err := fmt.Sprint(s.Err()); want == "" && s.Err() != nil || !strings.Contains(err, want) {
			t.Errorf("error %s, want %q", err, want)
		}
		list[7].Release()
	}
}

// TestTime checks that a search ends when the process has used so much processor time, with the line
// of a search that was not cut short at once. Making the engine and collecting garbage count, too, so
// the search itself may take less.
func TestTime(t *testing.T) {
	t.Parallel()
	p, _ := process(t, "")
	g := gameOf(t, "chess")
	s := searcher(p, g)
	line := s.Search(t.Context(), start(t, g), engine.Limit{Time: 50 * time.Millisecond}, nil)
	if line.Best() == 0 || line.Depth < 3 || s.Err() != nil {
		t.Errorf("%+v, %v", line, s.Err())
	}
}

// TestDelay lists how long the engine process waits before it starts again.
func TestDelay(t *testing.T) {
	for failures, want := range map[int]time.Duration{
		0: 0, 1: 0, 2: 100 * time.Millisecond, 3: 200 * time.Millisecond, 4: 400 * time.Millisecond, 10: 25_600 * time.Millisecond, 11: 30 * time.Second, 1000: 30 * time.Second,
	} {
		if got := delay(failures); got != want {
			t.Errorf("after %d failures %s, want %s", failures, got, want)
		}
	}
}

// TestLog keeps the first lines that a process writes to its standard error, cut, and reads all.
func TestLog(t *testing.T) {
	log := &logged{}
	in := strings.NewReader(strings.Repeat(strings.Repeat("x", 3*maxLogLine/2)+"\n", maxLogLines))
	c := &child{errs: in, config: Config{Log: slog.New(slog.NewTextHandler(log, nil))}}
	c.logErrors()
	if n := strings.Count(log.String(), "the engine process says"); n != maxLogLines || in.Len() > 0 || strings.Contains(log.String(), strings.Repeat("x", maxLogLine+1)) {
		t.Errorf("%d lines, want %d; %d bytes are not read", n, maxLogLines, in.Len())
	}
}
