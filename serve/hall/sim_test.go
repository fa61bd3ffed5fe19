package hall

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quintet/game"
	"quintet/live"
	"quintet/serve/clock"
)

// simSeeds is how many seeds TestSimulation runs. QUINTET_SEEDS=1000 runs more.
const simSeeds = 40

// TestSimulation plays games on three servers, as they ship, with a simulated log, network and time. Servers are cut
// off from the log, answers are lost, writes arrive late, and the whole log is down. Two devices of each player race.
// QUINTET_SEED=17 replays a seed and prints its events. What must hold is in simcheck_test.go:
//
//   - Nothing acknowledged is lost, no refused command is in the log, and no command is there twice.
//   - A command that was executed before is reported as repeated, no other is.
//   - No command is refused that the log allows, and connected servers answer and show events soon.
//   - All servers show one order of moves, and watchers get each event once. One of two racing moves wins.
//   - No clock runs during outages, flags fall in time, and nothing is decided without a lease.
//   - The state of each server equals the fold of the log.
func TestSimulation(t *testing.T) {
	first, n := uint64(0), uint64(simSeeds)
	replay, one := os.LookupEnv("QUINTET_SEED")
	if many := os.Getenv("QUINTET_SEEDS"); many != "" {
		n = parseSeed(t, many)
	}
	if one {
		first, n = parseSeed(t, replay), 1
	}
	for seed := first; seed < first+n; seed++ {
		w := simulate(t, seed)
		if one {
			t.Log("\n" + strings.Join(w.trace, "\n"))
		}
		if len(w.findings) > 0 {
			t.Fatalf("seed %d: %s\nreplay it with QUINTET_SEED=%d go test -v -run TestSimulation ./serve/hall; the last events:\n%s",
				seed, strings.Join(w.findings, "\n"), seed, strings.Join(w.trace[max(0, len(w.trace)-30):], "\n"))
		}
	}
}

func parseSeed(t *testing.T, text string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

const simServers = 3

// simWorld is the log, the network and what was seen.
type simWorld struct {
	seed    uint64
	began   time.Time
	memory  *live.Memory
	servers [simServers]*server
	late    sync.WaitGroup // writes on their way

	mu       sync.Mutex // guards the rest
	cut      [simServers]bool
	back     chan struct{} // closed and replaced when a server is no longer cut off
	wrote    map[uint64]time.Time
	changed  time.Time      // when servers were last cut off or connected
	outages  [][2]time.Time // of the whole log
	acked    map[string]simMove
	refused  map[string]error    // by game and key
	shown    map[string][]string // the most moves that a server showed of each game
	plies    map[string]int      // by server and game
	trace    []string
	findings []string
}

// simMove is an acknowledged move.
type simMove struct{ move, key string }

func simulate(t *testing.T, seed uint64) *simWorld {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // else goroutines that wake at the same time run in any order
	var w *simWorld
	synctest.Test(t, func(t *testing.T) {
		w = &simWorld{
			seed: seed, began: time.Now(), changed: time.Now(), memory: live.NewMemory(), back: make(chan struct{}), wrote: map[uint64]time.Time{},
			acked: map[string]simMove{}, refused: map[string]error{}, shown: map[string][]string{}, plies: map[string]int{},
		}
		w.run(t)
	})
	return w
}

// random returns random numbers that depend on the seed and on what they are for, not on the order of goroutines.
func (w *simWorld) random(what ...any) *rand.Rand {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, what...) // never fails
	return rand.New(rand.NewPCG(w.seed, h.Sum64()))
}

func (w *simWorld) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trace = append(w.trace, fmt.Sprintf("%12s ", time.Since(w.began))+fmt.Sprintf(format, args...))
}

func (w *simWorld) fail(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.findings = append(w.findings, fmt.Sprintf(format, args...))
}

// run starts the servers, plays, and compares their final states.
func (w *simWorld) run(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for i := range simServers {
		w.servers[i] = w.serve(ctx, t, i)
		time.Sleep(span(w.random("start", i), 300*time.Millisecond))
	}
	games := []string{"abcdefgh2344", "abcdefgh2345"}
	players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
	clocks := []live.TimeControl{{Main: 20}, {Main: 8, Increment: 1}}
	for i, id := range games {
		open := func() error {
			return w.servers[i].Open(ctx, id, live.Settings{Game: "othello", Seats: players, Clock: clocks[i]}, "open.open")
		}
		for err := open(); err != nil; err = open() {
			if !errors.Is(err, live.ErrUnknown) {
				t.Fatal(err)
			}
		}
	}
	play, end := context.WithCancel(ctx)
	for _, id := range games {
		for device := range 4 {
			all.Go(func() { w.play(play, id, device) })
		}
	}
	watch, leave := context.WithCancel(ctx)
	var watchers sync.WaitGroup
	for i := range simServers { // the other game is parked when it is over
		watchers.Go(func() { w.watch(watch, games[0], i) })
	}
	w.cutOff(w.random("faults"))
	time.Sleep(2 * time.Second)
	end()
	all.Wait()
	w.late.Wait()
	time.Sleep(time.Minute) // until the last flag has fallen
	for _, id := range games {
		w.compare(ctx, t, id)
	}
	leave()
	watchers.Wait()
	stop()
	for _, s := range w.servers {
		s.Close()
	}
	time.Sleep(10 * time.Second) // flags that have begun end
}

// span returns a random time below a limit.
func span(r *rand.Rand, most time.Duration) time.Duration {
	return time.Duration(r.Int64N(int64(most)))
}

// serve starts a server.
func (w *simWorld) serve(ctx context.Context, t *testing.T, i int) *server {
	t.Helper()
	s, v := &server{}, &simView{Memory: w.memory, world: w, server: i, calls: map[string]int{}}
	h, err := New(ctx, Config{
		Log: v, Clock: clock.New(clock.Config{Shared: true, Name: fmt.Sprint(i), Hold: time.Second}, live.Heartbeat{}, time.Now()), Now: time.Now,
		Logger: slog.New(simLogger{slog.DiscardHandler, w}), Metrics: &s.counts, Encoder: plainEncoder{}, Shared: true, Name: fmt.Sprint(i),
		Engines: 1, EngineQueue: 1, EngineTime: time.Millisecond, EnginePace: time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Hall = h
	s.Start(ctx)
	s.Loop(ctx, &s.running, "events of other servers", func() {
		for e := range v.Follow(ctx, 0) {
			s.Deliver(ctx, e)
		}
	})
	return s
}

// cutOff cuts servers off from the log, one, two or all, and back again.
func (w *simWorld) cutOff(r *rand.Rand) {
	for range 3 {
		time.Sleep(span(r, 5*time.Second))
		all := r.IntN(3) == 0
		from := time.Now()
		w.mu.Lock()
		w.changed = from
		for i := range w.cut {
			w.cut[i] = all || r.IntN(2) == 0
		}
		all = w.cut == [simServers]bool{true, true, true}
		w.mu.Unlock()
		w.note("cut off: %v", w.cut)
		time.Sleep(time.Second + span(r, 9*time.Second))
		w.mu.Lock()
		w.cut, w.changed = [simServers]bool{}, time.Now()
		close(w.back)
		w.back = make(chan struct{})
		if all {
			w.outages = append(w.outages, [2]time.Time{from, time.Now()})
		}
		w.mu.Unlock()
		w.note("connected")
		time.Sleep(2*time.Second + span(r, 3*time.Second))
	}
}

// play is a device of a player, two of each. It asks any server, and repeats a command of unknown outcome.
func (w *simWorld) play(ctx context.Context, id string, device int) {
	side := game.Side(device % 2)
	for n := 0; ctx.Err() == nil; n++ {
		r := w.random("player", id, device, n)
		clock.Sleep(ctx, span(r, 900*time.Millisecond))
		at := r.IntN(simServers)
		turn, ply, legal, over := w.look(ctx, at, id)
		if over || ctx.Err() != nil {
			return
		}
		if len(legal) == 0 || turn != side && r.IntN(20) > 0 {
			continue
		}
		to := at
		if r.IntN(3) == 0 { // a server that may lag behind the one that showed the position
			to = r.IntN(simServers)
		}
		c := live.Command{Do: live.Move, Side: side, Move: legal[r.IntN(len(legal))], Ply: ply, Key: fmt.Sprintf("%d-%d.%d", device, n, ply)}
		for try := range 6 {
			call := w.call(id, c, try)
			asked, cancel := context.WithTimeout(ctx, 5*time.Second)
			o, err := w.servers[(to+try)%simServers].Do(asked, id, c)
			cancel()
			w.note("%s device %d, server %d: %s at %d: %v %v", id, device, (to+try)%simServers, c.Move, ply, o, err)
			if ctx.Err() == nil {
				call.check(o, err)
			}
			if err == nil {
				w.acknowledge(id, c)
			}
			if err == nil || IsRefusal(err) {
				break
			}
			clock.Sleep(ctx, span(r, 500*time.Millisecond))
		}
	}
}

// acknowledge notes an acknowledged move.
func (w *simWorld) acknowledge(id string, c live.Command) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := fmt.Sprint(id, " ", c.Ply)
	if got, ok := w.acked[at]; ok && got.key != c.Key {
		w.findings = append(w.findings, fmt.Sprintf("game %s, ply %d: both %s and %s were acknowledged", id, c.Ply, got.move, c.Move))
	}
	w.acked[at] = simMove{c.Move, c.Key}
}

// look returns what a server shows of a game, and compares it with what others have shown.
func (w *simWorld) look(ctx context.Context, at int, id string) (turn game.Side, ply int, legal []string, over bool) {
	r, err := w.servers[at].Room(ctx, id)
	if err != nil {
		return turn, 0, nil, false
	}
	var moves []string
	events := 0
	r.View(func(t *live.Table) bool {
		events = t.EventCount()
		turn, ply, over, moves = t.Turn(), t.Ply(), t.Over(), t.Moves()
		for _, m := range t.Legal() {
			legal = append(legal, t.Position().Format(m))
		}
		return true
	})
	w.checkFresh(id, at, events)
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := min(len(moves), len(w.shown[id])); !slices.Equal(moves[:n], w.shown[id][:n]) {
		w.findings = append(w.findings, fmt.Sprintf("game %s: server %d shows %v, and another showed %v", id, at, moves, w.shown[id]))
	}
	if len(moves) > len(w.shown[id]) {
		w.shown[id] = moves
	}
	key := fmt.Sprint(at, id)
	if ply < w.plies[key] {
		w.findings = append(w.findings, fmt.Sprintf("game %s: server %d went back from ply %d to %d", id, at, w.plies[key], ply))
	}
	w.plies[key] = ply
	return turn, ply, legal, over
}
