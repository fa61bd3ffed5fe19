package jet_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quintet/lab/await"
	"quintet/live"
	"quintet/live/jet"
)

// members is a cluster whose servers repair themselves.
type members struct {
	*cluster
	files  []string // of their configurations
	cancel []context.CancelFunc
	done   []chan error // what Run returned

	fetched [3]fetchCounter
}

// fetchCounter is a log handler that counts how often a server has fetched and verified what it had set aside.
type fetchCounter struct {
	slog.Handler
	n atomic.Int64
}

func (*fetchCounter) Enabled(context.Context, slog.Level) bool { return true }

func (f *fetchCounter) Handle(_ context.Context, r slog.Record) error {
	if strings.Contains(r.Message, "was fetched") {
		f.n.Add(1)
	}
	return nil
}

func formMembers(t *testing.T) *members {
	t.Helper()
	c := &members{cluster: &cluster{}, cancel: make([]context.CancelFunc, 3), done: make([]chan error, 3)}
	ports := []int{port(t), port(t), port(t)}
	for i := range ports {
		text := fmt.Sprintf(nodeConfig, i, port(t), ports[i], fmt.Sprintf("nats://127.0.0.1:%d, nats://127.0.0.1:%d", ports[(i+1)%3], ports[(i+2)%3]), t.TempDir(), "always") + "lame_duck_grace_period: 10ms\n"
		c.config = append(c.config, configured(t, text))
		c.files = append(c.files, filepath.Join(t.TempDir(), "nats.conf"))
		if err := os.WriteFile(c.files[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range ports {
		c.start(i)
	}
	t.Cleanup(func() {
		for i := range ports {
			_ = c.end(i)
		}
	})
	return c
}

func (c *members) start(i int) {
	ctx, cancel := context.WithCancel(context.Background())
	c.cancel[i], c.done[i] = cancel, make(chan error, 1)
	go func() {
		c.done[i] <- jet.Member{Config: c.files[i], Cluster: c.address(), Logger: slog.New(&c.fetched[i]), Verify: 2 * time.Second}.Run(ctx)
	}()
}

// end stops a server, and returns its error.
func (c *members) end(i int) error {
	if c.done[i] == nil {
		return nil
	}
	c.cancel[i]()
	err := <-c.done[i]
	c.done[i] = nil
	return err
}

// verified returns the number of events of a copy; 0 if it is not intact.
func (c *members) verified(i int) uint64 {
	v, err := jet.VerifyMember(c.config[i].StoreDir)
	if err != nil || v.Problem != "" || len(v.Damaged) > 0 {
		return 0
	}
	return v.Events
}

// flip changes a byte of a copy.
func (c *members) flip(t *testing.T, i int, text string) {
	t.Helper()
	blocks, _ := filepath.Glob(filepath.Join(c.config[i].StoreDir, "jetstream", "APP", "streams", "QUINTET", "msgs", "*.blk"))
	for _, block := range blocks {
		data, err := os.ReadFile(block)
		if err != nil {
			t.Fatal(err)
		}
		if at := bytes.Index(data, []byte(text)); at >= 0 {
			data[at] ^= 1
			if err := os.WriteFile(block, data, 0o600); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatalf("%q is in none of %q", text, blocks)
}

// flipSnapshots changes a byte of the snapshot of each Raft group of a stopped server, and returns their number. A
// group that was stopped before it had made one gets a wrong one.
func (c *members) flipSnapshots(t *testing.T, i int) (n int) {
	t.Helper()
	groups, _ := filepath.Glob(filepath.Join(c.config[i].StoreDir, "jetstream", "SYS", "_js_", "*", "snapshots"))
	for _, group := range groups {
		list, _ := filepath.Glob(filepath.Join(group, "snap.*"))
		if len(list) == 0 {
			list = []string{filepath.Join(group, "snap.1.1")}
		}
		for _, path := range list {
			data, err := os.ReadFile(path)
			if errors.Is(err, os.ErrNotExist) {
				data, err = make([]byte, 64), nil
			}
			data[len(data)/2] ^= 1
			if err = errors.Join(err, os.WriteFile(path, data, 0o600)); err != nil {
				t.Fatal(err)
			}
			n++
		}
	}
	return n
}

// asideSnapshots returns how many damaged snapshots a server has set aside.
func (c *members) asideSnapshots(i int) int {
	list, _ := filepath.Glob(filepath.Join(c.config[i].StoreDir, "damaged", "*", "jetstream", "SYS", "_js_", "*", "snapshots", "*"))
	return len(list)
}

// aside returns how many damaged copies a server has set aside.
func (c *members) aside(i int) int {
	list, _ := filepath.Glob(filepath.Join(c.config[i].StoreDir, "damaged", "*", "jetstream", "APP", "streams", "QUINTET", "msgs"))
	return len(list)
}

// TestMember damages the copy of one NATS server of three, stopped and running: it fetches another one. If two
// copies are damaged, both servers refuse to start, and change nothing.
func TestMember(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes some seconds")
	}
	c := formMembers(t)
	l, err := jet.Join(t.Context(), c.address(), quiet())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	w := &writer{log: l, stream: "study-aaaaaaaaaaa0"}
	intact := func(what string) {
		t.Helper()
		await.Until(t, what, func() bool {
			return c.verified(0) == w.n && c.verified(1) == w.n && c.verified(2) == w.n && len(l.DamagedCopies()) == 0
		})
	}
	w.add(t, 12)
	intact("all events on all servers")

	if err := c.end(2); err != nil {
		t.Fatal(err)
	}
	c.flip(t, 2, "event 5")
	if v, err := jet.VerifyMember(c.config[2].StoreDir); err != nil || !strings.Contains(v.Problem, "missing") {
		t.Errorf("VerifyMember = %+v, %v, want damage", v, err)
	}
	w.add(t, 3) // the others go on
	c.start(2)
	await.Until(t, "the damaged copy set aside", func() bool { return c.aside(2) == 1 })
	intact("another copy on the third server")

	c.flip(t, 1, "event 3") // while it runs
	await.Until(t, "damage of a running server set aside", func() bool { return c.aside(1) == 1 })
	intact("another copy on the second server")

	if err := c.end(2); err != nil {
		t.Fatal(err)
	}
	snapshots, fetched := c.flipSnapshots(t, 2), c.fetched[2].n.Load()
	if v, err := jet.VerifyMember(c.config[2].StoreDir); err != nil || !strings.Contains(v.Problem, "Raft snapshots") {
		t.Errorf("VerifyMember = %+v, %v, want damaged snapshots", v, err)
	}
	c.start(2)
	await.Until(t, "damaged snapshots set aside", func() bool { return snapshots >= 4 && c.asideSnapshots(2) == snapshots })
	if n := c.aside(2); n != 1 {
		t.Errorf("%d copies of the events were set aside, want the intact one kept", n)
	}
	await.Until(t, "a third server that has caught up", func() bool { return c.fetched[2].n.Load() > fetched })
	intact("a third server with new snapshots")
	if err := c.end(1); err != nil {
		t.Fatal(err)
	}
	w.add(t, 3) // the third server replaces the second
	c.start(1)
	intact("all events on all servers again")

	for _, i := range []int{0, 1} {
		if err := c.end(i); err != nil {
			t.Fatal(err)
		}
		c.flip(t, i, "event 7")
	}
	for _, i := range []int{0, 1} {
		c.start(i)
	}
	for _, i := range []int{0, 1} {
		if err := await.Receive(t, "the end of a server", c.done[i]); err == nil || !strings.Contains(err.Error(), "copies of two servers are damaged") {
			t.Errorf("server %d of two with damage: %v, want it refused", i, err)
		}
		c.done[i] = nil
	}
	if a, b := c.aside(0), c.aside(1); a != 0 || b != 1 {
		t.Errorf("%d and %d copies were set aside, want none now", a, b)
	}
	c.flip(t, 0, "dvent 7") // as it was
	c.start(0)
	c.start(1)
	intact("another copy of the only one with damage")
	w.add(t, 1)
}

// writer appends chained events to a stream.
type writer struct {
	log    live.Log
	stream string
	chain  live.Chain
	last   uint64
	n      uint64
}

// add appends n events. A NATS server may stop meanwhile: an event that was not acknowledged is looked up, and
// written again if it is missing.
func (w *writer) add(t *testing.T, n int) {
	t.Helper()
	for range n {
		e := w.chain.Next("opened", live.Stamp{})
		data := fmt.Appendf(nil, `{"kind":"opened","n":%d,"prev":%q,"at":0,"time":0,"text":"event %d"}`, e.Number, e.Prev, e.Number)
		if _, err := w.chain.Load(w.stream, data); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		for err := w.write(t.Context(), data); err != nil; err = w.write(t.Context(), data) {
			if time.Since(began) > hung {
				t.Fatal(err)
			}
			time.Sleep(50 * time.Millisecond)
		}
		w.n++
	}
}

func (w *writer) write(ctx context.Context, data []byte) error {
	seq, err := w.log.Append(ctx, w.stream, w.last, data)
	if errors.Is(err, live.ErrUnknown) || errors.Is(err, live.ErrStale) {
		list, readErr := w.log.Read(ctx, w.stream)
		if n := len(list); readErr == nil && n > 0 && bytes.Equal(list[n-1].Data, data) {
			seq, err = list[n-1].Seq, nil
		}
	}
	if err == nil {
		w.last = seq
	}
	return err
}
