package hall

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"sync"
	"time"

	"quintet/live"
	"quintet/serve/clock"
)

// simView is the log as one server sees it.
type simView struct {
	*live.Memory

	world  *simWorld
	server int

	mu    sync.Mutex // guards the rest
	calls map[string]int
}

var errSimCut = errors.New("cut off from the log")

// random returns random numbers for the next call of a kind.
func (v *simView) random(kind string) *rand.Rand {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.calls[kind]++
	return v.world.random(v.server, kind, v.calls[kind])
}

// isCut reports whether the server is cut off, and returns a channel that is closed when one is connected again.
func (v *simView) isCut() (bool, chan struct{}) {
	v.world.mu.Lock()
	defer v.world.mu.Unlock()
	return v.world.cut[v.server], v.world.back
}

// transmit waits as long as a message travels. It fails if the server is cut off.
func (v *simView) transmit(ctx context.Context, r *rand.Rand) error {
	time.Sleep(time.Millisecond + span(r, 10*time.Millisecond))
	cut, back := v.isCut()
	if !cut {
		return nil
	}
	select {
	case <-ctx.Done():
	case <-back:
	case <-time.After(time.Second + span(r, time.Second)):
	}
	return errSimCut
}

// Append implements live.Log. A third of the unacknowledged events are written anyway, some of them late.
func (v *simView) Append(_ context.Context, stream string, after uint64, data []byte) (uint64, error) {
	r := v.random("append " + stream)
	if err := v.transmit(context.Background(), r); err != nil {
		if r.IntN(3) == 0 {
			v.world.late.Go(func() {
				if cut, back := v.isCut(); cut {
					<-back
				}
				time.Sleep(span(r, 2*time.Second))
				_, _ = v.write(stream, after, data) // whether it is stale, nobody learns
			})
		}
		return 0, fmt.Errorf("%w: %w", live.ErrUnknown, err)
	}
	seq, err := v.write(stream, after, data)
	if lost := v.transmit(context.Background(), r); lost != nil || r.IntN(30) == 0 {
		return 0, fmt.Errorf("%w: the answer is lost", live.ErrUnknown)
	}
	return seq, err
}

func (v *simView) write(stream string, after uint64, data []byte) (uint64, error) {
	seq, err := v.Memory.Append(context.Background(), stream, after, data)
	if err == nil {
		v.world.note("server %d wrote %d: %s", v.server, seq, data)
		v.world.mu.Lock()
		v.world.wrote[seq] = time.Now()
		v.world.mu.Unlock()
		v.world.checkLease(v.Memory, stream, seq)
	}
	return seq, err
}

// Read implements live.Log.
func (v *simView) Read(ctx context.Context, stream string) ([]live.Entry, error) {
	if err := v.transmit(ctx, v.random("read "+stream)); err != nil {
		return nil, err
	}
	return v.Memory.Read(ctx, stream)
}

// Follow implements live.Log. Events come late, in order, and none while the server is cut off.
func (v *simView) Follow(ctx context.Context, after uint64) iter.Seq2[live.Entry, error] {
	return func(yield func(live.Entry, error) bool) {
		for e, err := range v.Memory.Follow(ctx, after) {
			clock.Sleep(ctx, span(v.world.random(v.server, "follow", e.Seq), 30*time.Millisecond))
			for cut, back := v.isCut(); cut && ctx.Err() == nil; cut, back = v.isCut() {
				select {
				case <-back:
				case <-ctx.Done():
				}
			}
			if ctx.Err() != nil || !yield(e, err) {
				return
			}
		}
	}
}

// WriteHeartbeat implements live.Log.
func (v *simView) WriteHeartbeat(ctx context.Context, after uint64, h live.Heartbeat) (uint64, error) {
	r := v.random("heartbeat")
	if err := v.transmit(ctx, r); err != nil {
		return 0, err
	}
	seq, err := v.world.beat(v.Memory, after, h)
	if lost := v.transmit(ctx, r); lost != nil {
		return 0, lost
	}
	return seq, err
}

// LastHeartbeat implements live.Log.
func (v *simView) LastHeartbeat(ctx context.Context) (live.Heartbeat, error) {
	if err := v.transmit(ctx, v.random("last heartbeat")); err != nil {
		return live.Heartbeat{}, err
	}
	return v.Memory.LastHeartbeat(ctx)
}
