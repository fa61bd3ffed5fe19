package jet_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"quintet/live"
	"quintet/live/jet"
)

// TestFull checks that events and heartbeats are rejected as soon as too little space is
// free, and accepted as soon as there is enough, with nothing in between.
func TestFull(t *testing.T) {
	var free atomic.Uint64
	l := open(t, t.TempDir())
	defer func() { _ = l.Close() }()
	jet.SetFree(l, func() (uint64, uint64, error) { return free.Load(), 1 << 40, nil })
	after := uint64(0)
	for i, c := range []struct {
		free uint64
		full bool
	}{{64 << 20, false}, {64<<20 - 1, true}, {0, true}, {1 << 30, false}, {0, true}, {64 << 20, false}} {
		free.Store(c.free)
		seq, err := l.Append(t.Context(), "game", after, []byte("event"))
		if errors.Is(err, live.ErrFull) != c.full || errors.Is(err, live.ErrUnknown) || !c.full && err != nil {
			t.Errorf("%d, with %d bytes free: %v, want it refused: %t", i, c.free, err, c.full)
		}
		if err := writeHeartbeat(t, l, int64(i)); errors.Is(err, live.ErrFull) != c.full || !c.full && err != nil {
			t.Errorf("%d, with %d bytes free: the heartbeat: %v, want it refused: %t", i, c.free, err, c.full)
		}
		if err == nil {
			after = seq
		}
	}
	if list, err := l.Read(t.Context(), "game"); err != nil || len(list) != 3 {
		t.Errorf("there are %d events, %v, want 3", len(list), err)
	}
}

// TestSmallDisk checks that a part of a small file system is left free, not all of it.
func TestSmallDisk(t *testing.T) {
	l := open(t, t.TempDir())
	defer func() { _ = l.Close() }()
	const all = 20 << 20
	for _, c := range []struct {
		free uint64
		full bool
	}{{all / 20, false}, {all/20 - 1, true}} {
		jet.SetFree(l, func() (uint64, uint64, error) { return c.free, all, nil })
		if err := writeHeartbeat(t, l, 1); errors.Is(err, live.ErrFull) != c.full {
			t.Errorf("with %d bytes of %d free: %v, want it refused: %t", c.free, all, err, c.full)
		}
	}
	jet.SetFree(l, func() (uint64, uint64, error) { return 0, 0, errors.New("no such disk") })
	if err := writeHeartbeat(t, l, 1); err == nil || !strings.Contains(err.Error(), "no such disk") {
		t.Errorf("on a disk that cannot be asked: %v", err)
	}
}

// fails appends to a log whose disk takes no more until one event is refused.
func fails(t *testing.T, l *jet.Log, after uint64) (last uint64, n int) {
	t.Helper()
	for n = range 10_000 {
		seq, err := l.Append(t.Context(), "game", after, fmt.Appendf(nil, "%0500d", n))
		if err == nil {
			after = seq
			continue
		}
		if !errors.Is(err, live.ErrUnknown) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the write that failed: %v, want the outcome unknown, and not because of a deadline", err)
		}
		return after, n
	}
	t.Fatal("the disk takes everything")
	return 0, 0
}

// writeHeartbeat writes a heartbeat after the last one.
func writeHeartbeat(t *testing.T, l live.Log, service int64) error {
	t.Helper()
	last, err := l.LastHeartbeat(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.WriteHeartbeat(t.Context(), last.Seq, live.Heartbeat{Service: service})
	return err
}
