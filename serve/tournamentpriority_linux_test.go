package serve_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"syscall"
	"testing"

	machine "quintet/internal/platform"
	"quintet/live"
	"quintet/serve"
)

// nicedLog is a log that notes the highest nice value of the threads that write events of tournaments.
type nicedLog struct {
	live.Log
	highest atomic.Int64
}

// Append implements live.Log.
func (l *nicedLog) Append(ctx context.Context, stream string, after uint64, data []byte) (uint64, error) {
	if live.CategoryOf(stream) == live.TournamentCategory {
		l.highest.Store(max(l.highest.Load(), niceValue()))
	}
	return l.Log.Append(ctx, stream, after, data)
}

// niceValue returns the nice value of the calling thread.
func niceValue() int64 {
	raw, _ := syscall.Getpriority(syscall.PRIO_PROCESS, syscall.Gettid()) // 0, a nice value of 20, if it fails
	return int64(20 - raw)
}

// TestTournamentPriority checks that no thread with a lower priority holds the locks of a tournament or of its games: on a
// busy machine it would get no processor for a second, and all who watch or play would wait for it.
func TestTournamentPriority(t *testing.T) {
	t.Setenv(machine.KeepPriority, "")
	l := &nicedLog{Log: live.NewMemory()}
	s := start(t, l, serve.Config{})
	s.ready()
	c := s.newClub("robin", "")
	for range 2 {
		s.visitor().do("POST", c.path+"/players", `{}`, 200, "")
	}
	c.host.do("POST", c.path+"/start", "", 200, "")
	s.eventually(func() string { return fmt.Sprint(s.get(c.path).number("round")) }, "1", "the round")
	if got, want := l.highest.Load(), niceValue(); got != want {
		t.Errorf("a thread with the nice value %d writes events, want %d", got, want)
	}
}
