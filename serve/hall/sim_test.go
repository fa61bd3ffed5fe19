package hall

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"quintet/game"
	"quintet/live"
	"quintet/serve/clock"
)

// simSeeds is the default number of seeds that TestSimulation runs, from 0 on. QUINTET_SEEDS sets another number, and
// QUINTET_SEED the first seed. Without QUINTET_SEEDS, the test then runs only that seed and prints its events.
const simSeeds = 40

// TestSimulation plays games on three servers, as they ship, with a simulated log, network and time. Servers are cut
// off from the log, answers are lost, writes arrive late, and the whole log is down. The time of day of servers jumps by up
// to a day. Two devices of each player race.
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
	if from := os.Getenv("QUINTET_SEED"); from != "" {
		first, n = parseSeed(t, from), 1
	}
	if many := os.Getenv("QUINTET_SEEDS"); many != "" {
		n = parseSeed(t, many)
	}
	defer inOrder()()
	for seed := first; seed < first+n; seed++ {
		w := simulate(t, seed)
		if n == 1 {
			t.Log("\n" + strings.Join(w.lines(len(w.trace)), "\n"))
		}
		if len(w.findings) > 0 {
			t.Fatalf("seed %d: %s\nreplay it with QUINTET_SEED=%d go test -v -run TestSimulation ./serve/hall; the last events:\n%s",
				seed, strings.Join(w.findings, "\n"), seed, strings.Join(w.lines(30), "\n"))
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

	folding sync.Mutex          // guards folds
	folds   map[string]*simFold // by game

	mu       sync.Mutex // guards the rest
	cut      [simServers]bool
	jumps    [simServers]time.Duration // of the time of day of each server
	back     chan struct{}             // closed and replaced when a server is no longer cut off
	wrote    map[uint64]time.Time
	changed  time.Time      // when servers were last cut off or connected
	outages  [][2]time.Time // of the whole log
	acked    map[string]simMove
	refused  map[string]error    // by game and key
	shown    map[string][]string // the most moves that a server showed of each game
	plies    map[string]int      // by server and game
	trace    []func() string     // lines; few are ever read
	findings []string
}

// simMove is an acknowledged move.
type simMove struct{ move, key string }

// inOrder makes goroutines that wake at the same time run in one order, and garbage collections rare, until undo is called.
func inOrder() (undo func()) {
	before, percent := runtime.GOMAXPROCS(1), debug.SetGCPercent(400)
	return func() {
		runtime.GOMAXPROCS(before)
		debug.SetGCPercent(percent)
	}
}

// simulate runs a seed, after inOrder.
func simulate(t *testing.T, seed uint64) *simWorld {
	t.Helper()
	var w *simWorld
	synctest.Test(t, func(t *testing.T) {
		w = &simWorld{
			seed: seed, began: time.Now(), changed: time.Now(), memory: live.NewMemory(), back: make(chan struct{}), wrote: map[uint64]time.Time{},
			acked: map[string]simMove{}, refused: map[string]error{}, folds: map[string]*simFold{}, shown: map[string][]string{}, plies: map[string]int{},
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
	at := time.Since(w.began)
	w.trace = append(w.trace, func() string { return fmt.Sprintf("%12s ", at) + fmt.Sprintf(format, args...) })
}

// lines returns the last lines of the trace, n at most.
func (w *simWorld) lines(n int) (list []string) {
	for _, line := range w.trace[max(0, len(w.trace)-n):] {
		list = append(list, line())
	}
	return list
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
	for began := time.Now(); !w.over(games) && time.Since(began) < time.Minute; { // until the last flag has fallen
		time.Sleep(time.Second)
	}
	time.Sleep(time.Second) // until all servers show it
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

// over reports whether the games are over in the log.
func (w *simWorld) over(games []string) bool {
	over := true
	for _, id := range games {
		w.fold(id, func(f *simFold) { over = over && f.table.Over() })
	}
	return over
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
		Log: v, Clock: clock.New(clock.Config{Shared: true, Name: fmt.Sprint(i), Hold: time.Second}, live.Heartbeat{}, w.now(i)), Now: func() time.Time { return w.now(i) },
		Logger: slog.New(simLogger{slog.DiscardHandler, w}), Metrics: &s.counts, Encoder: simEncoder{}, Shared: true, Name: fmt.Sprint(i),
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

// now returns the time that a server reads after jumps of its time of day, which do not change the monotonic clock. A time in
// a synctest bubble has no monotonic reading, and package time cannot add one: this writes its words.
func (w *simWorld) now(server int) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := time.Now()
	seconds := t.Add(w.jumps[server]).Unix() - time.Date(1885, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	words := (*[2]int64)(unsafe.Pointer(&t))
	*words = [2]int64{math.MinInt64 | seconds<<30 | int64(t.Nanosecond()), int64(time.Since(w.began)) + 1}
	return t
}

// cutOff cuts servers off from the log, one, two or all, and back again.
func (w *simWorld) cutOff(r *rand.Rand) {
	jumps := w.random("jumps")
	for range 3 {
		time.Sleep(span(r, 5*time.Second))
		all := r.IntN(3) == 0
		from := time.Now()
		w.mu.Lock()
		w.changed = from
		for i := range w.cut {
			w.cut[i] = all || r.IntN(2) == 0
			w.jumps[i] = span(jumps, 48*time.Hour) - 24*time.Hour
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
		ply, move, over := w.look(ctx, at, id, func(t *live.Table) string {
			if legal := t.Legal(); len(legal) > 0 && (t.Turn() == side || r.IntN(20) == 0) {
				return t.Position().Format(legal[r.IntN(len(legal))])
			}
			return ""
		})
		if over || ctx.Err() != nil {
			return
		}
		if move == "" {
			continue
		}
		to := at
		if r.IntN(3) == 0 { // a server that may lag behind the one that showed the position
			to = r.IntN(simServers)
		}
		c := live.Command{Do: live.Move, Side: side, Move: move, Ply: ply, Key: fmt.Sprintf("%d-%d.%d", device, n, ply)}
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

// look looks at a game that a server shows, compares it with what others have shown, and picks a move, or none.
func (w *simWorld) look(ctx context.Context, at int, id string, pick func(t *live.Table) string) (ply int, move string, over bool) {
	r, err := w.servers[at].Room(ctx, id)
	if err != nil {
		return 0, "", false
	}
	var moves []string
	events := 0
	r.View(func(t *live.Table) bool {
		events = t.EventCount()
		ply, move, over, moves = t.Ply(), pick(t), t.Over(), t.Moves()
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
	return ply, move, over
}
