package jet_test

import (
	"context"
	"errors"
	"math"
	"os"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"quintet/farm"
	"quintet/farm/farmtest"
	"quintet/farm/jet"
	livejet "quintet/live/jet"
)

// opened is a store with the server that it is on.
type opened struct {
	*jet.Store
	close func()
	dir   string
}

func open(t *testing.T, dir string, space func() error) *opened {
	t.Helper()
	s, err := livejet.StartServer(&server.Options{
		DontListen: true, NoSigs: true, JetStream: true, StoreDir: dir, SyncAlways: true, JetStreamMaxStore: math.MaxInt64,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	store, err := jet.Open(context.Background(), conn, 1, space)
	if err != nil {
		t.Fatal(err)
	}
	o := &opened{Store: store, dir: dir}
	o.close = func() {
		conn.Close()
		s.Shutdown()
		s.WaitForShutdown()
		o.close = func() {}
	}
	t.Cleanup(func() { o.close() })
	return o
}

func TestStore(t *testing.T) {
	farmtest.TestStore(t,
		func(t *testing.T) farm.Store { return open(t, t.TempDir(), nil) },
		func(t *testing.T, s farm.Store) farm.Store {
			before := s.(*opened)
			before.close()
			return open(t, before.dir, nil)
		})
}

// TestFull checks that nothing is written once the disk is full, and that the error says
// so.
func TestFull(t *testing.T) {
	s := open(t, t.TempDir(), func() error { return os.ErrDeadlineExceeded })
	if err := s.PutResult(context.Background(), "j", farm.Stored{}, nil); !errors.Is(err, farm.ErrFull) {
		t.Errorf("%v, want %v", err, farm.ErrFull)
	}
}
