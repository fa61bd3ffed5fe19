package engineproc

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quintet/bots"
	"quintet/engine"
	"quintet/game"
	"quintet/games"
	"quintet/serve/analysis"
)

// turns is a pacer that suspends nothing, and counts.
type turns struct{ yields int }

func (p *turns) Yield()            { p.yields++ }
func (*turns) Left() time.Duration { return time.Nanosecond }

var sameLine = cmpopts.IgnoreFields(engine.Line{}, "Time")

// TestSame plays games of every kind, and checks that the engine process finds the same in
// their positions as this process: from empty tables and with those of earlier searches, with
// excluded moves, and in slices.
func TestSame(t *testing.T) {
	t.Parallel()
	p, _ := process(t, "")
	for _, g := range games.All() {
		own, err := bots.Searcher(g, bots.Options{Megabytes: 1})
		if err != nil {
			t.Fatal(err)
		}
		remote := p.Searcher(g, 1)
		m := game.NewMatch(g, start(t, g).Position)
		random := rand.New(rand.NewPCG(1, 2))
		parked := &turns{}
		for ply := 0; ply < 60 && !m.Outcome().Result.Over(); ply++ {
			legal := m.Legal()
			if ply%6 == 5 {
				at := engine.At(m)
				if ply%12 == 11 && len(legal) > 1 {
					at.Skip = legal[:1]
				}
				if ply%4 == 1 {
					own.Reset()
					remote.Reset()
				}
				want := own.Search(t.Context(), at, engine.Limit{Nodes: 20_000}, nil)
				got := remote.Search(t.Context(), at, engine.Limit{Nodes: 20_000, Pacer: parked}, nil)
				if diff := cmp.Diff(want, got, sameLine); diff != "" || remote.Err() != nil {
					t.Errorf("%s at ply %d, %v: %s", g.Name, ply, remote.Err(), diff)
				}
			}
			if err := m.Play(legal[random.IntN(len(legal))]); err != nil {
				t.Fatal(err)
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

// TestAnalysis checks that an analysis in the engine process gives the same results as one
// here.
func TestAnalysis(t *testing.T) {
	t.Parallel()
	p, _ := process(t, "")
	results := func(c analysis.Config, g game.Game) (list []analysis.Result) {
		c.Nodes, c.Slice = 20_000, time.Millisecond
		k := analysis.New(c).Task(game.NewMatch(g, start(t, g).Position), analysis.Options{Lines: 3})
		for more := true; more; {
			more = k.Step(t.Context())
			if r, _ := k.Latest(); r.Depth > 0 && (len(list) == 0 || r.Depth > list[len(list)-1].Depth) {
				list = append(list, r)
			}
		}
		k.End(nil)
		r, reason := k.Latest()
		if reason != analysis.Limit {
			t.Errorf("%s ends for %q", g.Name, reason)
		}
		return []analysis.Result{r}
	}
	for _, g := range games.All() {
		want := results(analysis.Config{}, g)
		got := results(analysis.Config{Searcher: func(g game.Game) (engine.Searcher, error) { return p.Searcher(g, analysis.TableMegabytes), nil }}, g)
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
		"exits":   {"the engine process ended during the search", "exit status 3", 2},
		"garbage": {"the engine process ended during the search", `reading a message \"hello\"`, 2},
		"long":    {"the engine process ended during the search", "token too long", 2},
		"other":   {"the engine process ended during the search", "restart the server after an upgrade", 2},
		"nested":  {"the engine process ended during the search", "starting the engine process: this is an engine process itself", 2},
		"memory":  {"no memory", "", 0},
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			p, log := process(t, mode)
			g := gameOf(t, "loa")
			s := p.Searcher(g, 1)
			if got := s.Search(t.Context(), start(t, g), engine.Limit{Depth: 2}, nil); !cmp.Equal(got, engine.Line{}) {
				t.Errorf("it finds %+v", got)
			}
			if err := s.Err(); err == nil || !strings.Contains(err.Error(), want.err) || !strings.Contains(log.String(), want.log) || p.Restarts() != want.restarts {
				t.Errorf("error %v after %d restarts, want %q after %d; log %s", err, p.Restarts(), want.err, want.restarts, log)
			}
			if s.Release(); engine.SearchError(s) == nil {
				t.Error("the error is forgotten")
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
	s := p.Searcher(g, 1)
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
	s := p.Searcher(g, 1)
	got := s.Search(t.Context(), start(t, g), engine.Limit{Nodes: 20_000}, nil)
	if diff := cmp.Diff(want, got, sameLine); diff != "" || s.Err() != nil || p.Restarts() != 1 {
		t.Errorf("%v, %d restarts, log %s: %s", s.Err(), p.Restarts(), log, diff)
	}
}

// TestPanic checks that a panic of a search is one of its caller, and that the engine process
// survives it.
func TestPanic(t *testing.T) {
	t.Parallel()
	p, _ := process(t, "panics")
	g := gameOf(t, "loa")
	s := p.Searcher(g, 1)
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
		s := p.Searcher(g, 1)
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
		p.Searcher(g, 1).Search(ctx, at, engine.Limit{}, nil)
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
	var list []*Searcher
	for range maxSessions {
		s := p.Searcher(g, 1)
		s.Search(t.Context(), start(t, g), engine.Limit{Depth: 1}, nil)
		if s.Err() != nil {
			t.Fatal(s.Err())
		}
		list = append(list, s)
	}
	for _, want := range []string{"32 searches keep their tables", ""} {
		s := p.Searcher(g, 1)
		s.Search(t.Context(), start(t, g), engine.Limit{Depth: 1}, nil)
		if err := fmt.Sprint(s.Err()); want == "" && s.Err() != nil || !strings.Contains(err, want) {
			t.Errorf("error %s, want %q", err, want)
		}
		list[7].Release()
	}
}

// TestTime checks that a search ends when it has used its processor time, with a line.
func TestTime(t *testing.T) {
	t.Parallel()
	p, _ := process(t, "")
	g := gameOf(t, "chess")
	s := p.Searcher(g, 1)
	line := s.Search(t.Context(), start(t, g), engine.Limit{Time: 50 * time.Millisecond}, nil)
	if line.Best() == 0 || line.Time < 50*time.Millisecond || s.Err() != nil {
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
