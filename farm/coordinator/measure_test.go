package coordinator_test

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"quintet/farm"
	"quintet/farm/coordinator"
	"quintet/farm/jet"
	livejet "quintet/live/jet"
)

// TestRestart measures how long a coordinator with 100,000 results takes to start.
func TestRestart(t *testing.T) {
	if wanted := os.Getenv("QUINTET_FARM_MEASURE"); wanted != "restart" && wanted != "all" {
		t.Skip("a measurement: make farm runs it")
	}
	const results = 100_000
	dir := t.TempDir()
	s := spec(2*results, nil)
	fill(t, filepath.Join(dir, "log"), s, results)
	began := time.Now()
	c, err := coordinator.Start(context.Background(), coordinator.Config{
		Listen: "127.0.0.1:0", Data: dir, Build: build(), Kinds: kinds(), Log: slog.New(slog.DiscardHandler),
	})
	took := time.Since(began)
	if err != nil {
		t.Fatal(err)
	}
	jobs := c.Scheduler.Jobs()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if len(jobs) != 1 || jobs[0].Counted != 2*results {
		t.Fatalf("%+v: want %d games", jobs, 2*results)
	}
	t.Logf("a coordinator with %d results starts in %.2f s", results, took.Seconds())
}

// fill writes a job with results into a folder. The writes are not synced one by one.
func fill(t *testing.T, dir string, s *farm.Spec, results int) {
	t.Helper()
	o := &server.Options{DontListen: true, NoSigs: true, JetStream: true, StoreDir: dir, JetStreamMaxStore: math.MaxInt64}
	nc, err := livejet.StartServer(o, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { nc.Shutdown(); nc.WaitForShutdown() }()
	conn, err := nats.Connect("", nats.InProcessServer(nc))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	store, err := jet.Open(context.Background(), conn, 1, jet.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	text, id, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := store.PutJob(context.Background(), id, text, farm.JobState{Priority: 1}); err != nil {
		t.Fatal(err)
	}
	payload := []byte(strings.Repeat("x", 1500))
	for unit := range results {
		d := farm.Digest(fmt.Sprintf("\x01\x00%08d\x02\x00%08d%016d", unit, unit, unit))
		if err := store.PutResult(context.Background(), id, farm.Stored{Unit: unit, Worker: "W", Digest: d}, payload); err != nil {
			t.Fatal(err)
		}
	}
}
