package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"time"

	"quintet/game"
	"quintet/games"
)

// KillConfig is a server that is ended by force, again and again.
type KillConfig struct {
	Program string   // that serves
	Args    []string // beside --addr
	Kills   int
	Games   int
	Rate    float64       // moves a second, in all
	Between time.Duration // the most between two kills
	Stand   time.Duration // how long its clocks stand after a start
	Seed    uint64

	Report func(line string)

	cut   func(*killer) error // ends the server; nil for kill -9
	grace time.Duration       // what may be charged for a move that was written and not acknowledged
}

// KillResult is what came of it.
type KillResult struct {
	Kills        int
	Acknowledged int64    // moves
	Lost         []string // acknowledged moves that were not there afterwards
	Charged      []string // clocks that had less than they should
	Ready        Spread   // from the start of the program until /readyz said yes
	Resumed      Spread   // until a move was taken in every game that went on
	Copies       int      // of the disk, until each was of one moment; 0 where only the server was ended
	Back         Spread   // from when a page lost the server until it had its game again
}

// Kill plays on a server, ends it by force at a random moment, starts it again and
// compares every game with what was acknowledged. The program keeps its games
// where Args say.
func Kill(ctx context.Context, c KillConfig) (KillResult, error) {
	addr, err := freeAddress(ctx)
	if err != nil {
		return KillResult{}, err
	}
	k := newKiller(c, addr)
	ctx, cancel := context.WithCancel(ctx)
	defer k.pages.all.Wait()
	defer cancel()
	defer k.end()
	for i := range c.Kills + 1 {
		if err := k.start(ctx); err != nil {
			return k.result, err
		}
		if i > 0 {
			if err := k.compare(ctx); err != nil {
				return k.result, err
			}
		}
		if i == c.Kills {
			break
		}
		if err := k.play(ctx); err != nil {
			return k.result, err
		}
		k.result.Kills++
		if c.Report != nil && (i+1)%10 == 0 {
			c.Report(fmt.Sprintf("%d kills, %d moves acknowledged, %d lost, %d clocks charged", i+1, k.run.moves.Load(), len(k.result.Lost), len(k.result.Charged)))
		}
	}
	k.result.Acknowledged = k.run.moves.Load()
	k.result.Ready, k.result.Resumed, k.result.Back = Spreads(k.ready), Spreads(k.resumed), k.pages.back.spread()
	return k.result, nil
}

func newKiller(c KillConfig, addr string) *killer {
	k := &killer{config: c, addr: addr, client: newClient(c.Games), random: rand.New(rand.NewPCG(c.Seed, 3))}
	k.run = &run{config: Config{URL: "http://" + addr}, client: k.client}
	return k
}

func freeAddress(ctx context.Context) (string, error) {
	var listen net.ListenConfig
	l, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("finding a free port: %w", err)
	}
	return l.Addr().String(), l.Close()
}

type killer struct {
	config  KillConfig
	addr    string
	run     *run
	client  *http.Client
	random  *rand.Rand
	process *exec.Cmd
	began   time.Time
	killed  time.Time
	tables  []*witness
	pages   followers
	mu      sync.Mutex // guards result while games are compared
	result  KillResult
	ready   []time.Duration
	resumed []time.Duration
}

// witness is a game, and what was acknowledged of it.
type witness struct {
	table
	acknowledged []string
	begun        string    // a move that was sent and not acknowledged
	left         [2]int64  // clocks at the last acknowledgement
	at           time.Time // of it
	over         bool
	refused      error              // why the last move was not taken
	leave        context.CancelFunc // ends its page
}

// start starts the server and waits until it is ready.
func (k *killer) start(ctx context.Context) error {
	k.process = exec.CommandContext(ctx, k.config.Program, append([]string{"serve", "--addr", k.addr, "--limits=false"}, k.config.Args...)...) //nolint:gosec // the user names it
	k.began = time.Now()
	if err := k.process.Start(); err != nil {
		return fmt.Errorf("starting the server: %w", err)
	}
	for time.Since(k.began) < time.Minute && ctx.Err() == nil {
		var status struct{ Status string }
		if get(ctx, k.client, "http://"+k.addr+"/readyz", &status) == nil {
			k.ready = append(k.ready, time.Since(k.began))
			return nil
		}
		time.Sleep(2 * time.Millisecond)
	}
	return errors.New("the server is not ready after a minute")
}

func (k *killer) end() {
	if k.process != nil && k.process.Process != nil {
		_ = k.process.Process.Kill() // it may have ended
		_ = k.process.Wait()         // and says that it was killed
	}
	k.client.CloseIdleConnections()
}

// strike ends the server in the midst of the load.
func (k *killer) strike() error {
	if k.config.cut != nil {
		return k.config.cut(k)
	}
	k.end()
	return nil
}

// begin plays in all games, until the context ends or nothing is taken.
func (k *killer) begin(ctx context.Context) *sync.WaitGroup {
	var all sync.WaitGroup
	for _, w := range k.tables {
		all.Go(func() { w.play(ctx, time.Duration(float64(len(k.tables))/k.config.Rate*float64(time.Second))) })
	}
	return &all
}

// seat opens a game in every place where there is none that goes on.
func (k *killer) seat(ctx context.Context) error {
	for i, t := range k.tables {
		if t.over {
			t.leave()
			k.tables[i] = nil
		}
	}
	for i := range k.config.Games {
		if i >= len(k.tables) {
			k.tables = append(k.tables, nil)
		}
		if k.tables[i] == nil {
			w := &witness{table: table{run: k.run, number: i, random: rand.New(rand.NewPCG(k.random.Uint64(), 5))}, at: time.Now(), left: [2]int64{3_600_000, 3_600_000}}
			if err := w.begin(ctx); err != nil {
				return fmt.Errorf("opening a game: %w", err)
			}
			k.tables[i] = w
			page, leave := context.WithCancel(ctx)
			w.leave = leave
			k.pages.follow(page, w.run.config.URL+"/api/games/"+w.id+"/socket?board=1", w.tokens[0])
		}
	}
	return nil
}

// play plays for a while and kills the server in the midst of it.
func (k *killer) play(ctx context.Context) error {
	if err := k.seat(ctx); err != nil {
		return err
	}
	playing, stop := context.WithCancel(ctx)
	defer stop()
	all := k.begin(playing)
	wait := time.Duration(k.random.Int64N(int64(k.config.Between)))
	time.Sleep(k.config.Between/4 + wait)
	k.killed = time.Now()
	err := k.strike()
	stop()
	all.Wait()
	return err
}

// play moves at a pace until the server does not answer any more.
func (w *witness) play(ctx context.Context, pace time.Duration) {
	time.Sleep(time.Duration(w.random.Int64N(int64(pace) + 1)))
	for ctx.Err() == nil && !w.match.Outcome().Result.Over() {
		if w.refused = w.step(ctx); w.refused != nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(pace):
		}
	}
	w.over = w.match.Outcome().Result.Over()
}

// step plays a move and notes what was acknowledged.
func (w *witness) step(ctx context.Context) error {
	legal, p := w.match.Legal(), w.match.Position()
	mv := legal[w.random.IntN(len(legal))]
	w.begun = p.Format(mv)
	var d struct{ Clocks struct{ First, Second int64 } }
	url := w.run.config.URL + "/api/games/" + w.id + "/moves"
	if err := post(ctx, w.run.client, url, w.tokens[p.Turn()], object{"move": w.begun, "ply": len(w.acknowledged)}, &d); err != nil {
		return err
	}
	w.run.moves.Add(1)
	w.acknowledged = append(w.acknowledged, w.begun)
	w.begun = ""
	w.left, w.at = [2]int64{d.Clocks.First, d.Clocks.Second}, time.Now()
	return w.match.Play(mv)
}

// compare looks at every game after a restart, and moves in it once.
func (k *killer) compare(ctx context.Context) error {
	errs := make([]error, len(k.tables))
	var all sync.WaitGroup
	for i, w := range k.tables {
		if w != nil {
			all.Go(func() { errs[i] = k.goOn(ctx, w) })
		}
	}
	all.Wait()
	k.resumed = append(k.resumed, time.Since(k.began))
	return errors.Join(errors.Join(errs...), k.pages.together(ctx))
}

// goOn looks at a game, and moves in it if it is not over.
func (k *killer) goOn(ctx context.Context, w *witness) error {
	if err := k.look(ctx, w); err != nil || w.over {
		return err
	}
	if err := w.step(ctx); err != nil {
		return fmt.Errorf("game %s does not go on: %w", w.id, err)
	}
	w.over = w.match.Outcome().Result.Over()
	return nil
}

// slack is how much a clock may differ from what it should have: the time between
// the answer and its being read here, on a busy machine.
const slack = 300 * time.Millisecond

// look compares a game with what was acknowledged, and takes over what was not.
func (k *killer) look(ctx context.Context, w *witness) error {
	var v struct {
		Moves  []string
		Clocks struct{ First, Second int64 }
		State  string
	}
	err := get(ctx, k.client, w.run.config.URL+"/api/games/"+w.id, &v)
	if err != nil && strings.Contains(err.Error(), `"code":"missing"`) {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.result.Lost = append(k.result.Lost, fmt.Sprintf("game %s, with %d moves, is not there", w.id, len(w.acknowledged)))
		w.over = true
		w.leave()
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking at game %s: %w", w.id, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	got, want := strings.Join(v.Moves, " "), strings.Join(w.acknowledged, " ")
	more := strings.TrimSpace(want + " " + w.begun)
	if got != want && got != more {
		k.result.Lost = append(k.result.Lost, fmt.Sprintf("game %s: %d moves are there, %d were acknowledged: %q, want %q", w.id, len(v.Moves), len(w.acknowledged), got, want))
	}
	turn := w.match.Position().Turn()
	left := [2]int64{v.Clocks.First, v.Clocks.Second}
	running := max(time.Since(k.began)-k.config.Stand, 0) + k.config.grace // on a busy machine, people may be back before this is
	thought := k.killed.Sub(w.at) + slack
	if !w.over && (left[turn] < w.left[turn]-(thought+running).Milliseconds() || left[turn.Other()] < w.left[turn.Other()]-running.Milliseconds()) {
		k.result.Charged = append(k.result.Charged, fmt.Sprintf("game %s: clocks %v after, %v before, %s of thinking", w.id, left, w.left, k.killed.Sub(w.at)))
	}
	return w.resume(v.Moves)
}

// resume sets the game to where the server has it.
func (w *witness) resume(moves []string) error {
	all := games.All()
	g := all[w.number%len(all)]
	start, err := g.Start(nil)
	if err != nil {
		return err
	}
	w.match = game.NewMatch(g, start)
	for _, text := range moves {
		if err := w.match.PlayText(text); err != nil {
			return fmt.Errorf("game %s: %w", w.id, err)
		}
	}
	w.acknowledged, w.begun = moves, ""
	w.over = w.match.Outcome().Result.Over()
	return nil
}
