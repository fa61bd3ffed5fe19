package jet_test

import (
	"context"
	"errors"
	"math"
	"os"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"quintet/farm"
	"quintet/farm/jet"
	"quintet/lab/await"
	"quintet/lab/farmtest"
	livejet "quintet/live/jet"
)

// opened is a store with the server that it is on.
type opened struct {
	*jet.Store
	close func()
	dir   string
}

func open(t *testing.T, dir string, limits jet.Limits) *opened {
	t.Helper()
	s, err := livejet.StartServer(&server.Options{
		DontListen: true, NoSigs: true, JetStream: true, StoreDir: dir, SyncAlways: true, JetStreamMaxStore: math.MaxInt64,
		SyncInterval: 100 * time.Millisecond, // compactions go with it
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	store, err := jet.Open(context.Background(), conn, 1, limits)
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
		func(t *testing.T) farm.Store { return open(t, t.TempDir(), jet.Limits{}) },
		func(t *testing.T, s farm.Store) farm.Store {
			before := s.(*opened)
			before.close()
			return open(t, before.dir, jet.Limits{})
		})
}

// TestReadStored reads what is written beside a result, and refuses what no store wrote.
func TestReadStored(t *testing.T) {
	for _, c := range []struct {
		subject, digest string
		good            bool
	}{
		{"farm.result.job.7", "0aff", true}, {"farm.result.job.x", "0aff", false}, {"farm.result.job.7", "0af", false}, {"farm.result.job.7", "xy", false},
	} {
		job, r, err := jet.ReadStored(c.subject, c.digest)
		if (err == nil) != c.good || c.good && (job != "job" || r.Unit != 7 || r.Worker != "W" || string(r.Digest) != "\n\xff") {
			t.Errorf("%s, %s: %s, %+v, %v", c.subject, c.digest, job, r, err)
		}
	}
}

// TestFull checks that nothing is written once the disk is full, and that the error says
// so.
func TestFull(t *testing.T) {
	s := open(t, t.TempDir(), jet.Limits{Space: func() error { return os.ErrDeadlineExceeded }})
	if err := s.PutResult(context.Background(), "j", farm.Stored{}, nil); !errors.Is(err, farm.ErrFull) {
		t.Errorf("%v, want %v", err, farm.ErrFull)
	}
}

// TestLimit checks that results and jobs above the limit are rejected, states are not, and
// that deleting a job frees space.
func TestLimit(t *testing.T) {
	const limit = 500_000
	s := open(t, t.TempDir(), jet.Limits{Bytes: limit})
	ctx := t.Context()
	fill := func(job string) (units int) {
		t.Helper()
		if err := s.PutJob(ctx, job, []byte("spec"), farm.JobState{}); err != nil {
			t.Fatal(err)
		}
		for {
			err := s.PutResult(ctx, job, farm.Stored{Unit: units, Worker: "W", Digest: "d"}, make([]byte, 5000))
			if errors.Is(err, farm.ErrFull) {
				return units
			}
			if err != nil {
				t.Fatal(err)
			}
			units++
		}
	}
	first := fill("a")
	if size := s.Bytes(); size > limit || size < limit*9/10 || first < 90 {
		t.Errorf("%d results take %d bytes: want nearly %d", first, size, limit)
	}
	if err := s.PutJob(ctx, "b", make([]byte, 10_000), farm.JobState{}); !errors.Is(err, farm.ErrFull) {
		t.Errorf("a new job: %v, want %v", err, farm.ErrFull)
	}
	if err := s.SetJobState(ctx, "a", farm.JobState{Stopped: true}); err != nil {
		t.Errorf("the state of a job: %v", err)
	}
	estimate := s.Bytes()
	s.close()
	s = open(t, s.dir, jet.Limits{Bytes: limit})
	if size := s.Bytes(); size > estimate*11/10 || size < estimate*9/10 {
		t.Errorf("the streams have %d bytes after a restart, %d before", size, estimate)
	}
	if err := s.DeleteJob(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	if again := fill("b"); again < first*9/10 {
		t.Errorf("%d results after the job was deleted, %d before", again, first)
	}
}

// TestDeletedSpace checks that the disk shrinks when two of three jobs with interleaved
// results are deleted: the server compacts blocks of which less than half is used.
func TestDeletedSpace(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, jet.Limits{})
	ctx := t.Context()
	jobs := []string{"a", "b", "c"}
	for _, job := range jobs {
		if err := s.PutJob(ctx, job, []byte("spec"), farm.JobState{}); err != nil {
			t.Fatal(err)
		}
	}
	for unit := range 100 {
		for _, job := range jobs {
			if err := s.PutResult(ctx, job, farm.Stored{Unit: unit, Worker: "W", Digest: "d"}, make([]byte, 100_000)); err != nil {
				t.Fatal(err)
			}
		}
	}
	before := sizeOf(t, dir)
	for _, job := range jobs[1:] {
		if err := s.DeleteJob(ctx, job); err != nil {
			t.Fatal(err)
		}
	}
	for began := time.Now(); sizeOf(t, dir) > before*2/3; time.Sleep(50 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("%d bytes on the disk after two thirds of %d were deleted", sizeOf(t, dir), before)
		}
	}
}

// sizeOf returns the bytes of the files in a folder.
func sizeOf(t *testing.T, dir string) (n int64) {
	t.Helper()
	await.Files(t, dir, func(path string) error {
		info, err := os.Stat(path)
		if err == nil {
			n += info.Size()
		}
		return err
	})
	return n
}
