package coordinator_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"quintet/farm"
	"quintet/farm/coordinator"
	"quintet/farm/jobtypes"
	"quintet/farm/natsrpc"
	"quintet/farm/worker"
)

// poisoned is a task with one unit that fails.
type poisoned struct {
	farm.Task

	unit int
	fail func() ([]byte, error)
}

func (p poisoned) NewRunner(speed float64) (farm.Runner, error) {
	r, err := p.Task.NewRunner(speed)
	return farm.RunnerFunc(func(ctx context.Context, unit int, progress func()) ([]byte, error) {
		if unit == p.unit {
			return p.fail()
		}
		return r.Do(ctx, unit, progress)
	}), err
}

// TestPoisonousUnit checks that a job with a unit that always fails ends with the reason
// and the results before it, and that its workers continue.
func TestPoisonousUnit(t *testing.T) {
	for want, fail := range map[string]func() ([]byte, error){
		"unit 4: panic: a test":                       func() ([]byte, error) { panic("a test") },
		"unit 4: out of luck":                         func() ([]byte, error) { return nil, errors.New("out of luck") },
		"unit 4: the result has 262145 bytes: expect": func() ([]byte, error) { return make([]byte, farm.MaxPayloadBytes+1), nil },
	} {
		f := newSite(t)
		client := f.dial(natsrpc.RoleClient)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		var all sync.WaitGroup
		for i := range 2 {
			conn := f.dial(natsrpc.RoleWorker)
			all.Go(func() {
				err := worker.Run(ctx, worker.Config{
					Coordinator: conn, Log: slog.New(slog.DiscardHandler),
					Kinds: farm.Kinds{jobtypes.MatchName: func(settings []byte) (farm.Task, error) {
						task, err := jobtypes.Match(maker, nil)(settings)
						return poisoned{task, 4, fail}, err
					}},
					Hello: farm.Hello{Version: farm.Version, Build: build(), Instance: fmt.Sprint(i), Host: fmt.Sprint(i), Slots: 1, Speed: 1},
				})
				if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			})
		}
		results := &coordinator.Follower{Conn: client, Job: submit(t, client, spec(40, nil))}
		n := 0
		_, err := results.Next(ctx)
		for ; err == nil; n++ {
			_, err = results.Next(ctx)
		}
		if n != 4 || !errors.Is(err, coordinator.ErrFailed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%d results, then %v: want 4, then %s", n, err, want)
		}
		results = &coordinator.Follower{Conn: client, Job: submit(t, client, spec(8, nil))}
		for range 4 {
			if _, err := results.Next(ctx); err != nil {
				t.Fatalf("the next job: %v", err)
			}
		}
		cancel()
		all.Wait()
	}
}
