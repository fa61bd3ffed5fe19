package league

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"quintet/arena"
	"quintet/engine"
	"quintet/game"
	"quintet/judge/run"
	"quintet/protocol"
	"quintet/protocol/program"
)

// What a program may use in a game, besides the processor time of each move.
const (
	startCPU = 2 * time.Second // until it is ready
	maxCPU   = 2 * time.Minute // in all
	maxWall  = 20 * time.Minute
	memory   = 256 << 20
	output   = 1 << 20
	threads  = 64
	grace    = 50 * time.Millisecond // of the processor time of a move: the system counts in steps of 10 ms
	sample   = 20 * time.Millisecond
)

// Limits returns the limits of a program in a game.
func Limits(l run.Limits) run.Limits {
	l.CPU, l.Wall, l.Memory, l.Output, l.Processes = maxCPU, maxWall, memory, output, threads
	return l
}

// Player returns the maker of a player that runs a program, which has Limits.
func (s Settings) Player(ctx context.Context, p run.Program) arena.Maker {
	return func() (engine.Player, error) { return &player{life: ctx, program: p, settings: s}, nil }
}

// player runs a program.
type player struct {
	life     context.Context //nolint:containedctx // of the processes
	program  run.Program
	settings Settings
	client   *protocol.Client // nil if it does not run
	talk     atomic.Pointer[run.Talk]
}

// tooSlowError is the error of a program that exceeds a time.
type tooSlowError struct{ text string }

func (e tooSlowError) Error() string { return e.text }
func (tooSlowError) Unwrap() error   { return context.DeadlineExceeded }

// Choose asks the program for a move, and starts it if necessary.
func (p *player) Choose(ctx context.Context, m *game.Match, _ engine.Limit) (mv game.Move, err error) {
	if p.client == nil {
		err = p.timed(ctx, startCPU, p.start)
	}
	if err == nil {
		err = p.timed(ctx, p.settings.CPU, func(ctx context.Context) (err error) {
			mv, err = p.client.Choose(ctx, m, engine.Limit{Nodes: p.settings.Nodes})
			return err
		})
	}
	if err != nil && !errors.Is(err, game.ErrIllegal) && !errors.Is(err, game.ErrResigned) {
		_ = p.Close() // the next move starts it again
	}
	return mv, err
}

// start starts the program.
func (p *player) start(ctx context.Context) error {
	start := func() (*program.Program, error) {
		t, err := p.program.Start(p.life)
		if err != nil {
			return nil, err //nolint:wrapcheck // it says what failed
		}
		p.talk.Store(t)
		return program.FromStreams(unclosed{t}, t), nil
	}
	c, err := protocol.NewClient(ctx, protocol.UGI, program.Spec{Guided: true}, start)
	if err != nil {
		return fmt.Errorf("the program does not start: %w", err)
	}
	p.client = c
	return nil
}

// unclosed makes closing the input of a program do nothing: closing its output closes both.
type unclosed struct{ *run.Talk }

func (unclosed) Close() error { return nil }

// cpu returns the processor time of the program.
func (p *player) cpu() time.Duration {
	if t := p.talk.Load(); t != nil {
		return t.CPU()
	}
	return 0
}

// timed calls f with a context that ends when the program has used the processor time, or much more time of day:
// it may sleep, or wait long for a processor. Reading the processor time takes longer than a quick move. So it is first read
// after a sample, and what the program used before does not count.
func (p *player) timed(ctx context.Context, most time.Duration, f func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	began, before := time.Now(), time.Duration(-1) // before is the processor time at the first sample
	late := func() error {
		used := p.cpu()
		if before < 0 {
			before = used
		}
		switch {
		case used-before > most+grace:
			return tooSlowError{fmt.Sprintf("a move took more than %v of processor time", most)}
		case time.Since(began) > startCPU+20*most:
			return tooSlowError{fmt.Sprintf("no move after %v", startCPU+20*most)}
		}
		return nil
	}
	var watch sync.WaitGroup
	watch.Go(func() {
		for ctx.Err() == nil {
			select {
			case <-ctx.Done():
			case <-time.After(sample):
				if err := late(); err != nil {
					cancel(err)
				}
			}
		}
	})
	err := f(ctx)
	cancel(nil)
	watch.Wait()
	var slow error
	if before >= 0 {
		slow = late()
	}
	var cause tooSlowError
	if errors.As(context.Cause(ctx), &cause) {
		return cause
	}
	if slow != nil {
		return slow
	}
	return err
}

// NewGame ends the process: each game has its own, so that no game depends on an earlier one.
func (p *player) NewGame(uint64) { _ = p.Close() }

// Close ends the process.
func (p *player) Close() (err error) {
	if p.client != nil {
		err = p.client.Close()
	}
	p.client = nil
	p.talk.Store(nil)
	return err
}
