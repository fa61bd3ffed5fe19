package jet_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quintet/lab/await"
	"quintet/live"
	"quintet/live/jet"
)

// TestMember damages the events of one NATS server of three. They are found, set aside, and fetched from the
// other servers.
func TestMember(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes some seconds")
	}
	c := form(t, true)
	l, err := jet.Join(t.Context(), c.address(), quiet())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	const events = 12
	w := &writer{log: l, stream: "study-aaaaaaaaaaa0"}
	add := func(n int) { t.Helper(); w.add(t, n) }
	add(events)
	store := c.config[2].StoreDir
	sound := func() (jet.Verified, error) {
		v, err := jet.VerifyMember(store)
		if err == nil && (v.Problem != "" || len(v.Damaged) > 0) {
			err = errors.New("it is damaged")
		}
		return v, err
	}
	await.Until(t, "all events on the third server", func() bool { v, err := sound(); return err == nil && v.Events == events })
	c.stop(2)
	if v, err := sound(); err != nil || v.Events != events {
		t.Fatalf("VerifyMember = %+v, %v, want %d events", v, err, events)
	}
	block := filepath.Join(store, "jetstream", "APP", "streams", "QUINTET", "msgs", "1.blk")
	data, err := os.ReadFile(block)
	i := bytes.Index(data, []byte("event 5"))
	if err != nil || i < 0 {
		t.Fatal(i, err)
	}
	data[i] ^= 1
	if err := os.WriteFile(block, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if v, err := jet.VerifyMember(store); err != nil || !strings.Contains(v.Problem, "missing") {
		t.Errorf("VerifyMember = %+v, %v, want damage", v, err)
	}
	add(3) // the others go on
	kept, err := jet.SetAside(store, now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(kept, "msgs", "1.blk")); err != nil {
		t.Error(err)
	}
	c.nodes[2] = c.boot(t, c.config[2])
	await.Until(t, "all events on the third server again", func() bool { v, err := sound(); return err == nil && v.Events == events+3 })
	c.stop(0) // the third server is needed now
	add(2)
	list, err := l.Read(t.Context(), w.stream)
	if err != nil || len(list) != events+5 {
		t.Errorf("%d events, %v, want %d", len(list), err, events+5)
	}
}

// writer appends chained events to a stream.
type writer struct {
	log    live.Log
	stream string
	chain  live.Chain
	last   uint64
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
