package remote

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quintet/engine"
	"quintet/game"
	"quintet/games/loa"
)

// scripted is a transport whose server answers each search with replies at given times.
type scripted struct {
	replies []Reply
	after   []time.Duration
	beats   bool          // the server sends heartbeats afterwards
	moving  bool          // and they say that the search makes progress
	dies    time.Duration // after the begin of a search; 0 for never
	tries   int           // 1 if 0
	parks   bool
	none    bool

	all sync.WaitGroup

	mu       sync.Mutex // guards the rest
	opened   int
	closed   int
	requests []Request
	failed   error
}

// The times of scripted servers.
const (
	testBeat     = 200 * time.Millisecond
	testSilence  = 4 * testBeat
	testStall    = 2 * time.Second
	testOvertime = 500 * time.Millisecond
)

func (s *scripted) Terms() Terms {
	return Terms{Build: "b", Silence: testSilence, Stall: testStall, Overtime: testOvertime, Tries: max(s.tries, 1), Parks: s.parks}
}

func (s *scripted) Open(_ context.Context, deliver func(Reply)) (Link, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened++; s.none {
		return nil, ErrNone
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &scriptedLink{s, ctx, cancel, deliver, make(chan struct{})}, nil
}

// scriptedLink is a session of scripted.
type scriptedLink struct {
	*scripted
	ctx     context.Context
	cancel  context.CancelFunc
	deliver func(Reply)
	lost    chan struct{}
}

func (l *scriptedLink) Send(r Request) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = append(l.requests, r)
	if r.Do == Search {
		l.all.Go(func() { l.answer(r.Search) })
		if l.dies > 0 {
			time.AfterFunc(l.dies, func() { close(l.lost) })
		}
	}
	return nil
}

func (l *scriptedLink) answer(search uint64) {
	wait := func(d time.Duration) bool {
		select {
		case <-time.After(d):
			return true
		case <-l.ctx.Done():
			return false
		}
	}
	for i, r := range l.replies {
		if !wait(l.after[i]) {
			return
		}
		r.Search = search
		l.deliver(r)
	}
	for beat := uint64(1); l.beats && wait(testBeat); {
		if l.moving {
			beat++
		}
		l.deliver(Reply{Search: search, Beat: beat})
	}
}

func (l *scriptedLink) Lost() <-chan struct{} { return l.lost }

func (l *scriptedLink) Fail(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = why
}

func (l *scriptedLink) Close() {
	l.cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed++
}

// local is a search of this process, which finds a line at once.
type local struct {
	limits []engine.Limit
	resets int
}

func (l *local) Search(_ context.Context, _ engine.Position, x engine.Limit, _ func(engine.Line)) engine.Line {
	l.limits = append(l.limits, x)
	return engine.Line{Depth: 77}
}

func (l *local) Reset() { l.resets++ }

func at(t *testing.T) engine.Position {
	t.Helper()
	return engine.At(game.NewMatch(loa.Game, loa.Start()))
}

// line returns a reply with a line that begins with moves.
func line(t *testing.T, moves ...string) Reply {
	t.Helper()
	l, p := engine.Line{Depth: 5, Score: 3}, loa.Start()
	for _, text := range moves {
		m, err := p.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		l.Moves = append(l.Moves, m)
		p.Play(m)
	}
	return Reply{Line: &l}
}

// TestLost checks when a client gives a server up and searches itself, and how much of the time
// of the search is left then. The times are exact, because they are simulated.
func TestLost(t *testing.T) {
	const limit = 3 * time.Second
	found, beat := line(t, "a2c0"), testBeat
	for name, test := range map[string]struct {
		server *scripted
		depth  int // 77 if it searches here
		took   time.Duration
		failed error
	}{
		"finds":         {&scripted{replies: []Reply{{Beat: 1}, found}, after: []time.Duration{beat, beat}}, 5, 2 * beat, nil},
		"nobody":        {&scripted{none: true}, 77, 0, nil},
		"killed early":  {&scripted{}, 77, testSilence, errMute},
		"killed later":  {&scripted{replies: []Reply{{Beat: 1}, {Beat: 2}}, after: []time.Duration{beat, beat}}, 77, 2*beat + testSilence, errMute},
		"dies":          {&scripted{beats: true, moving: true, dies: beat + 1, tries: 2}, 77, 2 * (beat + 1), nil}, // two servers
		"makes nothing": {&scripted{beats: true}, 77, beat + testStall, errStuck},
		"never moves":   {&scripted{beats: true, moving: true}, 77, limit + testOvertime, errSlow},
		"fails":         {&scripted{replies: []Reply{{Error: "oh"}}, after: []time.Duration{beat}}, 77, beat, nil},
		"panics":        {&scripted{replies: []Reply{{Panic: "oh"}}, after: []time.Duration{beat}}, 77, beat, nil},
		"illegal":       {&scripted{replies: []Reply{{Line: &engine.Line{Moves: []game.Move{12345}}}}, after: []time.Duration{beat}}, 77, beat, errNonsense},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began, here := time.Now(), &local{}
				s := New(test.server, Options{Here: func() (engine.Searcher, error) { return here, nil }, Once: true})
				got := s.Search(t.Context(), at(t), engine.Limit{Time: limit}, nil)
				if took := time.Since(began); got.Depth != test.depth || took != test.took || s.Err() != nil || !errors.Is(test.server.failed, test.failed) || (test.failed == nil) != (test.server.failed == nil) {
					t.Errorf("depth %d after %v, %v, %v: want %d after %v, %v", got.Depth, took, s.Err(), test.server.failed, test.depth, test.took, test.failed)
				}
				if test.depth == 77 && here.limits[0].Time != max(limit-test.took, limit/4) {
					t.Errorf("it searches here for %v", here.limits[0].Time)
				}
				if bound := 2500 * time.Millisecond; name != "never moves" && test.took > bound {
					t.Errorf("somebody waits for %v: want at most %v", test.took, bound)
				}
				if o := test.server; !o.none && o.opened != o.closed {
					t.Errorf("%d sessions of %d were closed", o.closed, o.opened)
				}
				test.server.all.Wait()
			})
		})
	}
}

// TestHere checks which searches never leave the process.
func TestHere(t *testing.T) {
	for _, test := range []struct {
		limit engine.Limit
		away  bool
	}{
		{engine.Limit{Nodes: 1000, Time: time.Second}, false},
		{engine.Limit{Nodes: 1001, Time: time.Second}, true},
		{engine.Limit{Time: leastTime - 1}, false},
		{engine.Limit{Time: leastTime}, true},
		{engine.Limit{Depth: 3}, true},
	} {
		server, here := &scripted{replies: []Reply{line(t, "a2c0")}, after: []time.Duration{0}}, &local{}
		s := New(server, Options{Here: func() (engine.Searcher, error) { return here, nil }, Small: 1000, Once: true})
		s.Search(t.Context(), at(t), test.limit, nil)
		if server.opened > 0 != test.away || len(here.limits) > 0 == test.away {
			t.Errorf("%+v: %d sessions, %d searches here, want elsewhere %v", test.limit, server.opened, len(here.limits), test.away)
		}
		server.all.Wait()
	}
}

// TestStays checks that a search that was continued here stays where its tables are until it
// is released, and that one with a session keeps it.
func TestStays(t *testing.T) {
	server, here := &scripted{replies: []Reply{line(t, "a2c0")}, after: []time.Duration{0}}, &local{}
	s := New(server, Options{Here: func() (engine.Searcher, error) { return here, nil }})
	search := func(sessions, searches int) {
		t.Helper()
		s.Search(t.Context(), at(t), engine.Limit{Depth: 3}, nil)
		if server.opened != sessions || len(here.limits) != searches {
			t.Errorf("%d sessions, %d searches here, want %d and %d", server.opened, len(here.limits), sessions, searches)
		}
	}
	search(1, 0)
	s.Reset()
	search(1, 0)
	if r := server.requests; !s.Elsewhere() || r[0].Job.Reset || !r[1].Job.Reset {
		t.Errorf("elsewhere %v after %+v", s.Elsewhere(), r)
	}
	s.Release()
	server.none = true
	search(2, 1)
	server.none = false
	search(2, 2)
	if s.Reset(); s.Elsewhere() || here.resets != 1 {
		t.Errorf("elsewhere %v, %d resets here, want one", s.Elsewhere(), here.resets)
	}
	s.Release()
	search(3, 2)
	s.Release()
	server.all.Wait()
}

// TestWithout checks that a failure is an error, or a panic, if nobody else can search.
func TestWithout(t *testing.T) {
	for says, reply := range map[string]Reply{"oh": {Error: "oh"}, "move 1 is illegal": {Line: &engine.Line{Moves: []game.Move{12345}}}, "ah": {Panic: "ah"}} {
		server := &scripted{replies: []Reply{reply}, after: []time.Duration{0}}
		s := New(server, Options{})
		panicked := func() (v any) {
			defer func() { v = recover() }()
			s.Search(t.Context(), at(t), engine.Limit{Depth: 3}, nil)
			return nil
		}()
		if reply.Panic != "" && panicked != reply.Panic || reply.Panic == "" && (s.Err() == nil || !strings.Contains(s.Err().Error(), says)) {
			t.Errorf("%s: panic %v, error %v", says, panicked, s.Err())
		}
		server.all.Wait()
	}
}

// TestCancel checks that the end of the context ends a search and its session at once.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, here := &scripted{beats: true, moving: true}, &local{}
		s := New(server, Options{Here: func() (engine.Searcher, error) { return here, nil }})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		s.Search(ctx, at(t), engine.Limit{}, nil)
		if took := time.Since(began); took != time.Second || server.closed != 1 || len(here.limits) > 0 || server.failed != nil {
			t.Errorf("after %v: %d sessions closed, %d searches here, %v", took, server.closed, len(here.limits), server.failed)
		}
		server.all.Wait()
	})
}

// napper is a pacer that suspends its search for a while after each slice.
type napper struct {
	began time.Time // of the slice
	naps  int
}

const (
	testSlice = 20 * time.Millisecond
	testNap   = 3 * time.Second // longer than a server may be silent
)

func (n *napper) Left() time.Duration { return testSlice - time.Since(n.began) }

func (n *napper) Yield() {
	n.naps++
	time.Sleep(testNap)
	n.began = time.Now()
}

// TestSuspended checks that a search elsewhere goes on while its caller is suspended, that the
// server does not count as lost then, and that one that shares the processors is parked.
func TestSuspended(t *testing.T) {
	for _, parks := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			server := &scripted{replies: []Reply{line(t, "a2c0")}, after: []time.Duration{4 * testNap}, parks: parks}
			if parks {
				server = &scripted{replies: []Reply{{Parked: true}, line(t, "a2c0")}, after: []time.Duration{testSlice, testNap + testSlice}, parks: true}
			}
			pacer := &napper{began: time.Now()}
			got := New(server, Options{}).Search(t.Context(), at(t), engine.Limit{Pacer: pacer}, nil)
			resumed := len(server.requests) == 2 && server.requests[1].Do == Resume && server.requests[1].Slice == testSlice
			if got.Depth != 5 || pacer.naps != map[bool]int{true: 1, false: 4}[parks] || resumed != parks || server.requests[0].Slice > 0 != parks {
				t.Errorf("parks %v: depth %d after %d naps, requests %+v", parks, got.Depth, pacer.naps, server.requests)
			}
			server.all.Wait()
		})
	}
}

// TestCheck lists lines that no search finds.
func TestCheck(t *testing.T) {
	good := *line(t, "a2c0", "g0g2").Line
	for says, change := range map[string]func(l *engine.Line, p *engine.Position){
		"":                      func(*engine.Line, *engine.Position) {},
		"score 30001":           func(l *engine.Line, _ *engine.Position) { l.Score = 30_001 },
		"score -30001":          func(l *engine.Line, _ *engine.Position) { l.Score = -30_001 },
		"depth -1":              func(l *engine.Line, _ *engine.Position) { l.Depth = -1 },
		"it has no move":        func(l *engine.Line, _ *engine.Position) { l.Moves = nil },
		"begins with a move to": func(l *engine.Line, p *engine.Position) { p.Skip = l.Moves[:1] },
		"move 2 is illegal":     func(l *engine.Line, _ *engine.Position) { l.Moves = []game.Move{l.Moves[0], l.Moves[0]} },
		"move 1 is illegal":     func(l *engine.Line, _ *engine.Position) { l.Moves = l.Moves[1:] },
		"depth 5 after -1ns":    func(l *engine.Line, _ *engine.Position) { l.Time = -1 },
	} {
		l, p := good, at(t)
		change(&l, &p)
		if err := check(p, l); says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%+v: %v, want %q", l, err, says)
		}
	}
}

// FuzzReply checks that whatever a server answers, the client returns only legal lines, or an
// error, and never panics but as the server says.
func FuzzReply(f *testing.F) {
	f.Add([]byte(`{"line":{"Score":1,"Depth":1,"Moves":[1,2]}}`))
	f.Add([]byte(`{"beat":1}{"parked":true}{"error":"x"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		server := &scripted{dies: time.Millisecond}
		for in := json.NewDecoder(strings.NewReader(string(data))); ; {
			var r Reply
			if in.Decode(&r) != nil {
				break
			}
			r.Panic = ""
			server.replies, server.after = append(server.replies, r), append(server.after, 0)
		}
		if server.parks = len(data)%2 == 0; len(server.replies) > 20 {
			t.Skip()
		}
		s := New(server, Options{})
		l := s.Search(t.Context(), at(t), engine.Limit{Pacer: &napless{}}, nil)
		if err := check(at(t), l); (err != nil) != (s.Err() != nil) {
			t.Errorf("%+v, %v, %v", l, s.Err(), err)
		}
		server.all.Wait()
	})
}

// napless is a pacer that suspends nothing.
type napless struct{}

func (napless) Left() time.Duration { return time.Second }
func (napless) Yield()              {}

// TestStale checks that a reply to a search that was stopped is not taken for one to the next.
func TestStale(t *testing.T) {
	b := newInbox()
	b.expect(2)
	b.deliver(Reply{Search: 1, Line: &engine.Line{}})
	if s := b.take(); s.heard || s.final != nil {
		t.Errorf("%+v of the search before", s)
	}
	b.deliver(Reply{Search: 2, Line: &engine.Line{}})
	if s := b.take(); !s.heard || s.final == nil {
		t.Errorf("%+v, want the line", s)
	}
}
