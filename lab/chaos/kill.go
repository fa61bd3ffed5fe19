package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"quintet/lab/load"
	"quintet/serve/clock"
)

// KillResult is what players noticed of the kills.
type KillResult struct {
	Kills        int
	Acknowledged int64       // moves
	Lost         []string    // games that lack acknowledged moves
	Charged      []string    // games whose clocks ran while the server was down
	Ready        load.Spread // from the start of the server until /readyz succeeded
	Resumed      load.Spread // from the start until every unfinished game had taken a move
	Copies       int         // of the disk, until each was consistent; 0 without power cuts
	Back         load.Spread // from when a page lost the server until it had its game again
}

// Kill plays on a server, kills it at a random moment, starts it again and
// compares every game with what was acknowledged.
func Kill(ctx context.Context, c Config) (KillResult, error) {
	k, err := newKillRun(ctx, c, c.Dir)
	if err != nil {
		return KillResult{}, err
	}
	return k.kill(ctx)
}

// kill is Kill, or Power if the run has another way to end the server.
func (k *killRun) kill(ctx context.Context) (KillResult, error) {
	c := k.config
	if text, err := fillFolder(ctx, c); err != nil {
		return k.result, err
	} else if text != "" {
		c.Report(text)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer k.pages.all.Wait()
	defer cancel()
	defer k.end()
	for i := range c.Times + 1 {
		if err := k.start(ctx); err != nil {
			return k.result, err
		}
		if i > 0 {
			if err := k.verifyAll(ctx); err != nil {
				return k.result, err
			}
		}
		if i == c.Times {
			break
		}
		if err := k.playAndCrash(ctx); err != nil {
			return k.result, err
		}
		k.result.Kills++
		if (i+1)%10 == 0 {
			c.Report(fmt.Sprintf("%d kills, %d moves acknowledged, %d lost, %d clocks charged", i+1, k.moves.Load(), len(k.result.Lost), len(k.result.Charged)))
		}
	}
	k.result.Acknowledged = k.moves.Load()
	k.result.Ready, k.result.Resumed, k.result.Back = load.SpreadOf(k.ready), load.SpreadOf(k.resumed), k.pages.back.Spread()
	return k.result, nil
}

// newKillRun prepares a run of a server whose games are in a folder.
func newKillRun(ctx context.Context, c Config, data string) (*killRun, error) {
	c.Dir = data
	free, err := lowAddresses(ctx, 1, c.Seed)
	if err != nil {
		return nil, err
	}
	k := &killRun{
		config: c, addr: free[0], client: load.NewClient(c.Games, 30*time.Second), random: rand.New(rand.NewPCG(c.Seed, 3)),
		process: process{name: "the server", program: c.Program, output: os.DevNull, args: []string{
			"serve", "--addr", free[0], "--limits=false", "--hold", c.Hold.String(), "--data", data,
		}},
	}
	k.crash = func() error { k.end(); return nil }
	return k, nil
}

// killRun is a run of Kill, Power or Full.
type killRun struct {
	config  Config
	crash   func() error  // ends the server under load, in the way that the run tests
	grace   time.Duration // that a move which was written but not acknowledged may cost
	addr    string
	client  *load.Client
	random  *rand.Rand
	process process
	started time.Time
	killed  time.Time
	games   []*trackedGame
	pages   pages
	moves   atomic.Int64 // acknowledged
	ready   []time.Duration
	resumed []time.Duration

	mu     sync.Mutex // guards result while games are verified
	result KillResult
}

// start starts the server and waits until it is ready.
func (k *killRun) start(ctx context.Context) error {
	k.started = time.Now()
	if err := k.process.start(ctx); err != nil {
		return err
	}
	if poll(ctx, startupTimeout, func() bool { return k.client.Get(ctx, "http://"+k.addr+"/readyz", &struct{}{}) == nil }) {
		k.ready = append(k.ready, time.Since(k.started))
		return nil
	}
	return fmt.Errorf("starting the server: /readyz fails after %s", startupTimeout)
}

// end kills the server if it runs.
func (k *killRun) end() {
	k.process.end()
	k.client.Close()
}

// startPlaying plays in all games until the context ends or a move fails. The
// caller waits for it.
func (k *killRun) startPlaying(ctx context.Context) *sync.WaitGroup {
	var all sync.WaitGroup
	pace := time.Duration(float64(len(k.games)) / k.config.Rate * float64(time.Second))
	for _, g := range k.games {
		all.Go(func() { g.play(ctx, pace) })
	}
	return &all
}

// openGames replaces games that are over.
func (k *killRun) openGames(ctx context.Context) error {
	k.games = append(k.games, make([]*trackedGame, k.config.Games-len(k.games))...)
	for i, old := range k.games {
		if old != nil && !old.over {
			continue
		}
		if old != nil {
			old.closePage()
		}
		g := &trackedGame{
			client: k.client, url: "http://" + k.addr, number: i, random: rand.New(rand.NewPCG(k.random.Uint64(), 5)), moves: &k.moves,
			at: time.Now(), left: [2]int64{mainTime, mainTime},
		}
		if err := g.open(ctx); err != nil {
			return fmt.Errorf("opening a game: %w", err)
		}
		k.games[i] = g
		page, stop := context.WithCancel(ctx)
		g.closePage = stop
		k.pages.open(page, g.url+"/api/games/"+g.ID+"/socket?board=1", g.Tokens[0])
	}
	return nil
}

// playAndCrash plays for a random time, then ends the server under load.
func (k *killRun) playAndCrash(ctx context.Context) error {
	if err := k.openGames(ctx); err != nil {
		return err
	}
	playing, stop := context.WithCancel(ctx)
	defer stop()
	all := k.startPlaying(playing)
	clock.Sleep(ctx, k.untilFault())
	err := k.crash()
	k.killed = time.Now() // until then the server may run, and its clocks with it
	stop()
	all.Wait()
	return err
}

// untilFault returns a random time to play before the next fault.
func (k *killRun) untilFault() time.Duration {
	return k.config.Between/4 + time.Duration(k.random.Int64N(int64(k.config.Between)))
}

// verifyAll verifies every game after a restart and plays a move in each.
func (k *killRun) verifyAll(ctx context.Context) error {
	errs := make([]error, len(k.games))
	var all sync.WaitGroup
	for i, g := range k.games {
		all.Go(func() { errs[i] = k.verifyAndMove(ctx, g) })
	}
	all.Wait()
	k.resumed = append(k.resumed, time.Since(k.started))
	return errors.Join(errors.Join(errs...), k.pages.awaitAll(ctx))
}

// verifyAndMove verifies a game and plays a move in it unless it is over.
func (k *killRun) verifyAndMove(ctx context.Context, g *trackedGame) error {
	if err := k.verify(ctx, g); err != nil || g.over {
		return err
	}
	if err := g.step(ctx); err != nil {
		return fmt.Errorf("game %s does not continue: %w", g.ID, err)
	}
	g.over = g.Match.Over()
	return nil
}

// slack is the tolerance of clock checks: a busy machine may delay reading the
// answers.
const slack = 300 * time.Millisecond

// serverGame is a game as the server shows it.
type serverGame struct {
	Moves  []string
	Clocks struct{ First, Second int64 }
}

// verify compares a game on the server with what was acknowledged, and continues
// from the server's moves.
func (k *killRun) verify(ctx context.Context, g *trackedGame) error {
	var now serverGame
	err := k.client.Get(ctx, g.url+"/api/games/"+g.ID, &now)
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case err != nil && strings.Contains(err.Error(), `"code":"missing"`):
		k.result.Lost = append(k.result.Lost, fmt.Sprintf("game %s with %d moves is missing", g.ID, len(g.acknowledged)))
		g.over = true
		g.closePage()
		return nil
	case err != nil:
		return fmt.Errorf("getting game %s: %w", g.ID, err)
	}
	k.verifyMoves(g, now)
	k.verifyClocks(g, now)
	return g.resume(now.Moves)
}

// verifyMoves expects every acknowledged move. The pending move may be there, too.
func (k *killRun) verifyMoves(g *trackedGame, now serverGame) {
	got, want := strings.Join(now.Moves, " "), strings.Join(g.acknowledged, " ")
	withPending := strings.TrimSpace(want + " " + g.pending)
	if got != want && got != withPending {
		k.result.Lost = append(k.result.Lost, fmt.Sprintf("game %s: the server has %d moves, %d were acknowledged: %q, expected %q", g.ID, len(now.Moves), len(g.acknowledged), got, want))
	}
}

// verifyClocks expects clocks that did not run while the server was down.
func (k *killRun) verifyClocks(g *trackedGame, now serverGame) {
	turn := g.Match.Position().Turn()
	left := [2]int64{now.Clocks.First, now.Clocks.Second}
	running := max(time.Since(k.started)-k.config.Hold, 0) + k.grace // on a busy machine clocks may run again before they are read
	thought := k.killed.Sub(g.at) + slack
	if !g.over && (left[turn] < g.left[turn]-(thought+running).Milliseconds() || left[turn.Other()] < g.left[turn.Other()]-running.Milliseconds()) {
		k.result.Charged = append(k.result.Charged, fmt.Sprintf("game %s: clocks %v after, %v before, %s of thinking", g.ID, left, g.left, k.killed.Sub(g.at)))
	}
}
