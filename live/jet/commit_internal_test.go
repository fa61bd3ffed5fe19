package jet

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"quintet/internal/platform"
)

// TestGather checks what batches are made of: at most one event of a stream, bounded in events and bytes. The others wait in
// their order. In a cluster, an event that has waited too long is refused.
func TestGather(t *testing.T) {
	c := committer{log: &Log{replicas: 1}, queue: make(chan *write, 4*maxBatch), stop: make(chan struct{})}
	put := func(subject string, size int, since time.Time) *write {
		w := &write{subject: subject, data: make([]byte, size), since: since, done: make(chan written, 1)}
		c.queue <- w
		return w
	}
	var later []*write
	next := func() (string, int) {
		if len(later)+len(c.queue) == 0 {
			t.Fatal("a batch has events that should have waited")
		}
		batch, more := c.gather(&later)
		if !more {
			t.Fatal("the committer has ended")
		}
		var names strings.Builder
		for _, w := range batch {
			names.WriteString(w.subject)
		}
		return names.String(), len(batch)
	}
	want := func(batches ...string) {
		t.Helper()
		for _, w := range batches {
			if got, _ := next(); got != w {
				t.Errorf("a batch of %.20q, want %q", got, w)
			}
		}
		if len(later)+len(c.queue) > 0 {
			t.Errorf("%d events wait", len(later)+len(c.queue))
		}
	}
	now := time.Now()
	for _, subject := range strings.Split("abaca", "") {
		put(subject, 1, now)
	}
	want("abc", "a", "a")
	for _, subject := range strings.Split("abc", "") {
		put(subject, maxBatchBytes/2, now)
	}
	want("ab", "c")
	for i := range maxBatch + 1 {
		put(string(rune(1000+i)), 1, now)
	}
	for _, want := range []int{maxBatch, 1} {
		if _, n := next(); n != want {
			t.Errorf("a batch of %d events, want %d", n, want)
		}
	}
	c.log.replicas = 3
	old := put("a", 1, now.Add(-2*queueTime))
	put("b", 1, now.Add(time.Hour))
	if got, _ := next(); got != "" && got != "b" {
		t.Errorf("a batch of %q", got)
	}
	if d := <-old.done; d.err == nil {
		t.Error("an event that has waited too long is written")
	}
	close(c.stop)
	for len(c.queue) > 0 {
		next()
	}
	if _, more := c.gather(&later); more {
		t.Error("a closed committer gathers events")
	}
}

// TestSmallBatches checks that the server inside the process gets few events one by one, and many in a batch, which it
// acknowledges once.
func TestSmallBatches(t *testing.T) {
	l, err := Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	for n, want := range map[int]uint64{1: 1, 2: 2, leastBatch - 1: leastBatch - 1, leastBatch: 1, 3 * leastBatch: 1} {
		var list []*write
		for i := range n {
			stream := fmt.Sprintf("s-%d-%d", n, i)
			list = append(list, &write{stream, subjects + "." + stream, 0, []byte("{}"), time.Now(), make(chan written, 1)})
		}
		before := l.conn.Stats().InMsgs
		l.commit.write(list)
		if got := l.conn.Stats().InMsgs - before; got != want {
			t.Errorf("%d events: %d acknowledgements, want %d", n, got, want)
		}
		for i, w := range list {
			if got := <-w.done; got.err != nil || got.seq == 0 {
				t.Errorf("event %d of %d: %+v", i, n, got)
			}
		}
	}
}

// BenchmarkAppend measures the processor time of an append to a new stream, and of the digest and the check for damage in it.
func BenchmarkAppend(b *testing.B) {
	l, err := Open(b.Context(), b.TempDir(), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	d, err := openDigests(b.TempDir(), 1)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = d.close() }()
	data := fmt.Appendf(nil, `{"kind":"moved","n":50,"prev":"a2b48bac29338f3ee9476c48","at":18930,"time":946684826026,"ply":50,"clocks":[20336,26734],"key":%q,"side":"second"}`, strings.Repeat("0123456789abcdef.", 2))
	digests, events := uint64(0), 0
	for name, add := range map[string]func() error{
		"digest": func() error {
			digests++
			err := l.damaged.check("abcdefgh2345")
			d.add(digests, digestOfEvent(digests, "abcdefgh2345", data))
			return errors.Join(err, d.err)
		},
		"all": func() error {
			events++
			_, err := l.Append(b.Context(), fmt.Sprint("abcdefgh", events), 0, data)
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			before, _ := platform.Used()
			for b.Loop() {
				if err := add(); err != nil {
					b.Fatal(err)
				}
			}
			after, _ := platform.Used()
			used := after.User + after.System - before.User - before.System
			b.ReportMetric(float64(used.Nanoseconds())/float64(b.N), "cpu-ns/op")
		})
	}
}
