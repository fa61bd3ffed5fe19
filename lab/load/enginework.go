package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"quintet/game"
	"quintet/games"
	"quintet/serve/clock"
)

// EngineWork is the effect of reviews and analyses on players, measured in windows without
// them, with reviews and with analyses in turn.
type EngineWork struct {
	Tasks                       int // reviews or analyses at a time
	Window                      time.Duration
	Without, Reviews, Analyses  Notice
	BegunReviews, BegunAnalyses int64 // in all windows
}

// Ratios returns by what factor reviews and analyses raise the typical 99th percentile.
func (w EngineWork) Ratios() (reviews, analyses float64) {
	base := max(float64(w.Without.Typical), 1)
	return float64(w.Reviews.Typical) / base, float64(w.Analyses.Typical) / base
}

const (
	workWindow  = 4 * time.Second        // how long a window lasts, at most a ninth of the load
	workWarmUp  = 500 * time.Millisecond // how long reviews and analyses run before a window, at most its length
	idleTimeout = 2 * time.Minute        // how long the server may need to finish what it has begun in a window
)

// engineWork measures rounds of three windows until the duration of the load is over, one at least.
func (r *run) engineWork(ctx context.Context, w *EngineWork) error {
	w.Tasks, w.Window = r.config.EngineWork, min(workWindow, r.config.Duration/9)
	kinds := [...]task{nil, r.review, r.analyze}
	var windows [len(kinds)]notice
	began := time.Now()
	for turn := 0; turn%len(kinds) != 0 || turn == 0 || time.Since(began) < r.config.Duration; turn++ {
		kind := turn % len(kinds)
		end := r.startTasks(ctx, kinds[kind], turn)
		clock.Sleep(ctx, min(workWarmUp, w.Window))
		r.window(ctx, &windows[kind], w.Window)
		if err := end(); err != nil {
			return fmt.Errorf("measuring with reviews and analyses: %w", err)
		}
		if ctx.Err() != nil {
			return nil //nolint:nilerr // an interrupted measurement has no result
		}
	}
	w.BegunReviews, w.BegunAnalyses = r.reviews.Load(), r.analyses.Load()
	w.Without, w.Reviews, w.Analyses = windows[0].result(), windows[1].result(), windows[2].result()
	return nil
}

// task lets the server work until it is done or the context ends. It calls begun when the
// server has begun.
type task func(ctx context.Context, random *rand.Rand, begun func()) error

// startTasks keeps tasks running, one after the other in each of EngineWork goroutines, and
// waits until each has begun. It returns a function that ends them, waits until the server
// is idle, and returns the errors.
func (r *run) startTasks(ctx context.Context, work task, turn int) (end func() error) {
	if work == nil {
		return func() error { return nil }
	}
	within, stop := context.WithCancel(ctx)
	errs := make([]error, r.config.EngineWork)
	var all, begun sync.WaitGroup
	for i := range errs {
		begun.Add(1)
		first := sync.OnceFunc(begun.Done)
		random := rand.New(rand.NewPCG(r.config.Seed, 1<<48|uint64(turn)<<16|uint64(i)))
		all.Go(func() {
			defer first()
			for within.Err() == nil && errs[i] == nil {
				errs[i] = work(within, random, first)
				if refused := (*StatusError)(nil); errors.As(errs[i], &refused) && refused.Status == http.StatusServiceUnavailable {
					errs[i] = nil // the server starts, or its queue is full
					clock.Sleep(within, 50*time.Millisecond)
				}
			}
			if within.Err() != nil {
				errs[i] = nil // it was stopped
			}
		})
	}
	begun.Wait()
	return func() error {
		stop()
		all.Wait()
		return errors.Join(append(errs, r.idleQueue(ctx))...)
	}
}

// idleQueue waits until the server's queue of engine work is empty: a review continues for a
// while without waiting clients.
func (r *run) idleQueue(ctx context.Context) error {
	for began := time.Now(); ctx.Err() == nil; clock.Sleep(ctx, 50*time.Millisecond) {
		switch n := r.metric(ctx, "quintet_jobs_active") + r.metric(ctx, "quintet_jobs_waiting"); {
		case n == 0:
			return nil
		case time.Since(began) > idleTimeout:
			return fmt.Errorf("waiting until the server has no reviews and analyses: it has %g after %s", n, idleTimeout)
		}
	}
	return nil
}

// reviewPlies is the length of the games to review: short, so that a review that continues
// after its window soon ends.
const reviewPlies = 30

// review lets the server review a random game, and waits for the end.
func (r *run) review(ctx context.Context, random *rand.Rand, begun func()) error {
	name, moves := randomLine(random, reviewPlies)
	var made struct{ ID string }
	if err := r.client.Post(ctx, r.config.URL+"/api/reviews", "", Object{"game": name, "moves": moves}, &made); err != nil {
		return err
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, r.config.URL+"/api/reviews/"+made.ID+"/events", nil)
	if err != nil {
		return err
	}
	return r.client.follow(q, func() { r.reviews.Add(1); begun() })
}

// analyze asks for three lines of a random position until the context ends or the
// server has found all.
func (r *run) analyze(ctx context.Context, random *rand.Rand, begun func()) error {
	name, moves := randomLine(random, 10+random.IntN(20))
	q, err := newPost(ctx, r.config.URL+"/api/analysis/lines", Object{"game": name, "moves": moves, "lines": 3})
	if err != nil {
		return err
	}
	return r.client.follow(q, func() { r.analyses.Add(1); begun() })
}

// randomLine returns up to a number of random moves of a random game that leave it unfinished.
func randomLine(random *rand.Rand, plies int) (name string, moves []string) {
	all := games.All()
	g := all[random.IntN(len(all))]
	start, err := g.Start(nil)
	if err != nil {
		panic(err) // every game has a usual position
	}
	m := game.NewMatch(g, start)
	for len(moves) < plies {
		legal := m.Legal()
		mv := legal[random.IntN(len(legal))]
		text := m.Position().Format(mv)
		if m.Play(mv) != nil || m.Outcome().Result.Over() {
			break
		}
		moves = append(moves, text)
	}
	return g.Name, moves
}
