package offload_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quintet/farm"
	"quintet/farm/natsrpc"
	"quintet/farm/offload"
	"quintet/farm/think"
	"quintet/farm/worker"
	"quintet/game"
	"quintet/games/loa"
	"quintet/lab/await"
	"quintet/serve/analysis"
)

// scripted is a worker that sends answers at given times, and one without an end at last.
type scripted struct {
	answers []farm.ThinkAnswer
	after   []time.Duration
	alive   bool                      // it sends heartbeats for ever afterwards
	leases  chan<- farm.AnalysisLease // takes what it is told, if not nil
}

func (s scripted) Think(farm.ThinkRequest) (<-chan farm.ThinkAnswer, func(), error) {
	list := make(chan farm.ThinkAnswer, 1)
	ctx, cancel := context.WithCancel(context.Background())
	var sending sync.WaitGroup
	send := func(a farm.ThinkAnswer, after time.Duration) {
		select {
		case <-time.After(after):
			list <- a
		case <-ctx.Done():
		}
	}
	sending.Go(func() {
		for i, a := range s.answers {
			send(a, s.after[i])
		}
		for s.alive && ctx.Err() == nil {
			send(farm.ThinkAnswer{State: farm.ThinkAlive}, farm.ThinkBeat)
		}
	})
	return list, func() { cancel(); sending.Wait() }, nil
}

func (s scripted) Analyze(farm.AnalysisRequest) (<-chan farm.ThinkAnswer, string, func(), error) {
	list, end, err := s.Think(farm.ThinkRequest{})
	return list, "id", end, err
}

func (s scripted) Lease(worker string, l farm.AnalysisLease) error {
	if s.leases != nil && worker == "W" {
		s.leases <- l
	}
	return nil
}

// several are workers of which each gets one request, the last those that remain.
type several struct {
	list  []scripted
	asked int
}

func (s *several) next() scripted {
	s.asked++
	return s.list[min(s.asked, len(s.list))-1]
}

func (s *several) Think(r farm.ThinkRequest) (<-chan farm.ThinkAnswer, func(), error) {
	return s.next().Think(r)
}

func (s *several) Analyze(r farm.AnalysisRequest) (<-chan farm.ThinkAnswer, string, func(), error) {
	return s.next().Analyze(r)
}

func (*several) Lease(string, farm.AnalysisLease) error { return nil }

// TestDeclined checks that a request which a busy worker declines goes to another one, once,
// and that the server waits no longer for it.
func TestDeclined(t *testing.T) {
	const ack = time.Millisecond
	busy := scripted{answers: []farm.ThinkAnswer{{State: farm.ThinkBusy}}, after: []time.Duration{ack}}
	free := scripted{answers: []farm.ThinkAnswer{accepted(), {State: farm.ThinkMove, Text: "b1-b3"}}, after: []time.Duration{ack, ack}}
	analyzing := scripted{answers: []farm.ThinkAnswer{accepted(), result(1, "a2c0"), done("limit")}, after: []time.Duration{ack, ack, ack}}
	for name, test := range map[string]struct {
		moves, analyses []scripted // the workers
		asked           int
		took            time.Duration // of a move
		ok              bool
	}{
		"free":             {[]scripted{free}, []scripted{analyzing}, 1, 2 * ack, true},
		"busy, then free":  {[]scripted{busy, free}, []scripted{busy, analyzing}, 2, 3 * ack, true},
		"two busy":         {[]scripted{busy, busy, free}, []scripted{busy, busy, analyzing}, 2, 2 * ack, false},
		"busy, then mute":  {[]scripted{busy, {}}, []scripted{busy, {}}, 2, offload.AckTime, false},
		"mute, a free one": {[]scripted{{}, free}, []scripted{{}, analyzing}, 1, offload.AckTime, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				moves, began := &several{list: test.moves}, time.Now()
				move, err := offload.ChooseOf(t.Context(), moves, farm.ThinkRequest{Time: time.Second})
				if took := time.Since(began); (err == nil) != test.ok || (move != "") != test.ok || moves.asked != test.asked || took != test.took {
					t.Errorf("move %q, %v of %d workers after %v: want %d after %v", move, err, moves.asked, took, test.asked, test.took)
				}
				analyses := &several{list: test.analyses}
				a := offload.NewAnalysis(game.NewMatch(loa.Game, loa.Start()), analysis.Options{Lines: 1})
				if reason, err := offload.Follow(t.Context(), analyses, a); (err == nil) != test.ok || (reason == analysis.Limit) != test.ok || analyses.asked != test.asked {
					t.Errorf("an analysis ends with %q, %v of %d workers: want %d", reason, err, analyses.asked, test.asked)
				}
			})
		})
	}
}

// TestWorkerLost checks when the server gives up a worker and lets its own engine move.
// The times are exact, because they are simulated.
func TestWorkerLost(t *testing.T) {
	const limit = 3 * time.Second
	accepted, alive := farm.ThinkAnswer{State: farm.ThinkAccepted}, farm.ThinkAnswer{State: farm.ThinkAlive}
	beat := farm.ThinkBeat
	for name, test := range map[string]struct {
		worker scripted
		move   string
		took   time.Duration
	}{
		"mute":         {scripted{}, "", offload.AckTime},
		"killed early": {scripted{answers: []farm.ThinkAnswer{accepted}, after: []time.Duration{time.Millisecond}}, "", time.Millisecond + offload.BeatTime},
		"killed mid-think": {
			scripted{answers: []farm.ThinkAnswer{accepted, alive, alive}, after: []time.Duration{0, beat, beat}}, "", 2*beat + offload.BeatTime,
		},
		"never moves": {scripted{answers: []farm.ThinkAnswer{accepted}, after: []time.Duration{0}, alive: true}, "", limit + offload.Overtime},
		"busy":        {scripted{answers: []farm.ThinkAnswer{{State: farm.ThinkBusy}}, after: []time.Duration{time.Millisecond}}, "", 2 * time.Millisecond}, // two workers
		"nobody":      {scripted{answers: []farm.ThinkAnswer{{State: farm.ThinkNobody}}, after: []time.Duration{time.Millisecond}}, "", time.Millisecond},
		"fails":       {scripted{answers: []farm.ThinkAnswer{accepted, {State: farm.ThinkFailed}}, after: []time.Duration{0, beat}}, "", beat},
		"moves": {
			scripted{answers: []farm.ThinkAnswer{accepted, alive, {State: farm.ThinkMove, Text: "b1-b3"}}, after: []time.Duration{0, beat, beat}}, "b1-b3", 2 * beat,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				move, err := offload.ChooseOf(t.Context(), test.worker, farm.ThinkRequest{Time: limit})
				if took := time.Since(began); move != test.move || (err == nil) != (move != "") || took != test.took {
					t.Errorf("%q, %v after %v: want %q after %v", move, err, took, test.move, test.took)
				}
				if bound := 2 * time.Second; name != "never moves" && test.took > bound {
					t.Errorf("the server waits for %v: want at most %v", test.took, bound)
				}
			})
		})
	}
}

// live starts a worker for live games with a new key of a role, and returns what kills it.
func (s *site) live(role natsrpc.Role, l natsrpc.Live) (kill func(), ended <-chan error) {
	s.t.Helper()
	s.workers++
	key, err := s.farm.Keys.Create(fmt.Sprint(role, s.workers), role)
	if err != nil {
		s.t.Fatal(err)
	}
	conn, err := natsrpc.Dial(natsrpc.RoleWorker, s.farm.Addr().String(), key)
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.t.Context()))
	result := make(chan error, 1)
	var running sync.WaitGroup
	running.Go(func() {
		result <- worker.Run(ctx, worker.Config{
			Coordinator: conn, Log: slog.New(slog.DiscardHandler),
			Hello: farm.Hello{Version: farm.Version, Build: build(), Instance: filepath.Base(key), Host: "h", Live: l.Moves, Analyses: l.Analyses},
			Live:  func(ctx context.Context, _ int) (func(), error) { return conn.ServeLive(ctx, l) },
		})
	})
	s.t.Cleanup(func() { cancel(); conn.Close(); running.Wait() })
	return conn.Close, result
}

// chosen waits until a worker chooses a move of the game.
func (s *site) chosen(m *game.Match) game.Move {
	s.t.Helper()
	var mv game.Move
	await.Until(s.t, "a move of a worker", func() (ok bool) {
		mv, ok = s.searches.Choose(s.t.Context(), m, "level:2", 5, time.Second)
		return ok
	})
	return mv
}

// TestLiveMove checks that a worker chooses a legal move, and that the server does not
// wait for a killed one.
func TestLiveMove(t *testing.T) {
	s := newSite(t)
	m := game.NewMatch(loa.Game, loa.Start())
	if _, ok := s.searches.Choose(t.Context(), m, "level:2", 5, time.Second); ok {
		t.Fatal("a move without a worker")
	}
	thinks, thinker := make(chan struct{}, 1), think.New(build().Program)
	var mu sync.Mutex
	hang := false
	kill, _ := s.live(natsrpc.RoleLive, natsrpc.Live{Moves: 1, Think: func(ctx context.Context, r farm.ThinkRequest) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if hang {
			thinks <- struct{}{}
			<-ctx.Done()
		}
		return thinker.Think(ctx, r)
	}})
	if mv := s.chosen(m); !game.Legal(m.Position(), mv) {
		t.Fatalf("the move %s is illegal", m.Position().Format(mv))
	}
	mu.Lock()
	hang = true
	mu.Unlock()
	killed := make(chan struct{})
	var killing sync.WaitGroup
	killing.Go(func() {
		select {
		case <-thinks:
		case <-t.Context().Done():
		}
		kill()
		close(killed)
	})
	s.unmoved(m, killed)
	killing.Wait()
}

// unmoved asks for moves until the worker that thinks about one is killed. On a slow
// machine the worker may miss the time to accept one, and is left alone for a while.
func (s *site) unmoved(m *game.Match, killed <-chan struct{}) {
	s.t.Helper()
	await.Until(s.t, "a worker that thinks about a move", func() bool {
		if mv, ok := s.searches.Choose(s.t.Context(), m, "level:2", 5, time.Minute); ok {
			s.t.Fatalf("a worker that was killed has moved %s", m.Position().Format(mv))
		}
		select {
		case <-killed:
			return true
		default:
			return false
		}
	})
}

// TestLiveRole checks that a worker without the role ends with one clear error.
func TestLiveRole(t *testing.T) {
	s := newSite(t)
	_, ended := s.live(natsrpc.RoleWorker, natsrpc.Live{Moves: 1})
	if err := await.Receive(t, "the end of the worker", ended); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("%v, want an error about the role", err)
	} else {
		t.Log(err)
	}
}
