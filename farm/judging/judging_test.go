package judging_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quintet/engine/remote/workers"
	"quintet/farm/judging"
	"quintet/farm/natsrpc"
	"quintet/lab/await"
)

// site is a farm without a coordinator.
type site struct {
	t    *testing.T
	keys *natsrpc.Keys
	addr string
	made int
}

func newSite(t *testing.T) *site {
	t.Helper()
	dir := t.TempDir()
	keys, err := natsrpc.OpenKeys(filepath.Join(dir, "keys"))
	if err != nil {
		t.Fatal(err)
	}
	server, err := natsrpc.Listen("127.0.0.1:0", filepath.Join(dir, "log"), keys, natsrpc.TLS{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	return &site{t: t, keys: keys, addr: server.Addr().String()}
}

func (s *site) dial(role natsrpc.Role) *natsrpc.Conn {
	s.t.Helper()
	s.made++
	path, err := s.keys.Create(fmt.Sprint(role, s.made), role)
	if err != nil {
		s.t.Fatal(err)
	}
	c, err := natsrpc.Dial(role, s.addr, path, "")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(c.Close)
	return c
}

func (s *site) client() *judging.Client {
	conn := s.dial(natsrpc.RoleClient)
	return judging.NewClient(func(context.Context) (workers.Conn, string, error) { return conn.Searches(), "b", nil }, slog.New(slog.DiscardHandler))
}

// worker starts a worker, and returns what kills its connection.
func (s *site) worker(build string, most int, h judging.Handler) (kill func()) {
	s.t.Helper()
	conn := s.dial(natsrpc.RoleLive)
	w, err := judging.Serve(s.t.Context(), conn.Searches(), build, most, h)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(w.Close)
	return conn.Close
}

// upper is a job that takes no time.
func upper(_ context.Context, job []byte) ([]byte, error) {
	if string(job) == "wrong" {
		return nil, errors.New("a fault of the judge")
	}
	return bytes.ToUpper(job), nil
}

// TestJobs does more jobs than the workers can do at a time, some of them large, and one that fails.
func TestJobs(t *testing.T) {
	s := newSite(t)
	c := s.client()
	s.worker("another program", 5, func(context.Context, []byte) ([]byte, error) { return []byte("it should not be asked"), nil })
	var most, now atomic.Int64
	counted := func(ctx context.Context, job []byte) ([]byte, error) {
		most.Store(max(most.Load(), now.Add(1)))
		defer now.Add(-1)
		time.Sleep(5 * time.Millisecond)
		return upper(ctx, job)
	}
	s.worker("b", 2, counted)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			job := strings.Repeat(fmt.Sprint("a", i), 1+i*100_000)
			if got, err := c.Do(t.Context(), []byte(job)); err != nil || string(got) != strings.ToUpper(job) {
				t.Errorf("job %d: %.20q, %v", i, got, err)
			}
		})
	}
	all.Wait()
	if n := most.Load(); n > 2 {
		t.Errorf("%d jobs at a time, want at most 2", n)
	}
	if _, err := c.Do(t.Context(), []byte("wrong")); err == nil || !strings.Contains(err.Error(), "a fault of the judge") {
		t.Errorf("a job that fails: %v", err)
	}
}

// TestWorkerKilled kills a worker in the middle of a job: another one does it. Killing all of them ends with an error.
func TestWorkerKilled(t *testing.T) {
	s := newSite(t)
	c := s.client()
	begun := make(chan struct{}, 1)
	kill := s.worker("b", 1, func(ctx context.Context, _ []byte) ([]byte, error) {
		begun <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	})
	var got []byte
	var err error
	var all sync.WaitGroup
	all.Go(func() { got, err = c.Do(t.Context(), []byte("job")) })
	await.Receive(t, "the job at the first worker", begun)
	kill()
	s.worker("b", 1, upper)
	all.Wait()
	if string(got) != "JOB" || err != nil {
		t.Errorf("%q, %v, want the result of the other worker", got, err)
	}
}

// TestClientGone checks that a worker stops a job whose client is gone, and that a client waits for a worker.
func TestClientGone(t *testing.T) {
	s := newSite(t)
	ctx, gone := context.WithCancel(t.Context())
	begun, stopped := make(chan struct{}, 1), make(chan struct{}, 1)
	var all sync.WaitGroup
	c := s.client()
	all.Go(func() {
		if _, err := c.Do(ctx, []byte("job")); !errors.Is(err, context.Canceled) {
			t.Errorf("a client that is gone: %v", err)
		}
	})
	s.worker("b", 1, func(ctx context.Context, _ []byte) ([]byte, error) {
		begun <- struct{}{}
		<-ctx.Done()
		stopped <- struct{}{}
		return nil, ctx.Err()
	})
	await.Receive(t, "the job", begun)
	gone()
	await.Receive(t, "the end of the job", stopped)
	all.Wait()
}
