package jet

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"quintet/lab/await"
	"quintet/live"
)

// fill appends n events of a size to a log, a stream each.
func fill(t *testing.T, l *Log, n, size int) {
	t.Helper()
	data := fmt.Appendf(nil, `{"kind":"written","n":0,"at":0,"time":0,"text":%q}`, strings.Repeat("x", size))
	var all sync.WaitGroup
	waiting := make(chan struct{}, 4*maxBatch)
	for i := range n {
		waiting <- struct{}{}
		all.Go(func() {
			if _, err := l.Append(t.Context(), fmt.Sprintf("s-%d", i), 0, data); err != nil {
				t.Error(err)
			}
			<-waiting
		})
	}
	all.Wait()
}

// slowFile holds a backup. Before the first byte it waits until the log has sent all that it
// sends ahead.
type slowFile struct {
	t     *testing.T
	log   *Log
	once  sync.Once
	text  bytes.Buffer
	ahead int // the most that the log has sent ahead
	base  int
}

func (w *slowFile) Write(p []byte) (int, error) {
	w.once.Do(func() { settle(w.t, w.log) })
	w.ahead = max(w.ahead, int(w.log.conn.Stats().InBytes)-w.base-w.text.Len())
	return w.text.Write(p)
}

// settle waits until a log sends no more.
func settle(t *testing.T, l *Log) {
	t.Helper()
	var before uint64
	await.Until(t, "the log to send no more", func() bool {
		time.Sleep(30 * time.Millisecond)
		now := l.conn.Stats().InBytes
		same := now-before < 1<<16
		before = now
		return same
	})
}

// keepWriting appends small events until the returned function is called.
func keepWriting(t *testing.T, l *Log) (end func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		var chain live.Chain
		for after := uint64(0); ctx.Err() == nil; time.Sleep(time.Millisecond) {
			e := chain.Next("written", live.Stamp{})
			data := fmt.Appendf(nil, `{"kind":"written","n":%d,"prev":%q,"at":0,"time":0}`, e.Number, e.Prev)
			_, err := chain.Load("small-events", data)
			var seq uint64
			if err == nil {
				seq, err = l.Append(t.Context(), "small-events", after, data)
			}
			if err != nil {
				t.Error(err)
				return
			}
			after = seq
		}
	})
	return func() { cancel(); all.Wait() }
}

// TestLargeEvents backs up a log of large events to a slow file while it is written to: every
// backup is complete and verified, and the log sends little ahead, because the server inside the process
// disconnects a client for which 64 MB wait. QUINTET_BACKUPS="BACKUPS EVENTS BYTES" sets how
// many backups there are, of how many events, and their size.
func TestLargeEvents(t *testing.T) {
	var backups, events, size int
	if _, err := fmt.Sscan(cmp.Or(os.Getenv("QUINTET_BACKUPS"), "2 100 250000"), &backups, &events, &size); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	l, err := Open(t.Context(), t.TempDir(), slog.New(slog.NewTextHandler(&said, &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	fill(t, l, events, size)
	t.Logf("%d events of %d bytes written in %s", events, size, time.Since(began))
	end := keepWriting(t, l)
	began = time.Now()
	for range backups {
		least, err := l.Last(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		w := &slowFile{t: t, log: l, base: int(l.conn.Stats().InBytes)}
		n, err := Backup(t.Context(), l, w)
		if err != nil || uint64(n) < least || w.text.Len() < events*size {
			t.Errorf("a backup has %d events and %d bytes, %v; want %d events or more", n, w.text.Len(), err, least)
		}
		if verified, err := Verify(t.Context(), &w.text); err != nil || verified != n {
			t.Errorf("a backup of %d events has %d, %v", n, verified, err)
		}
		if w.ahead > 2*followBytes && size >= 100_000 { // the headers of smaller events count
			t.Errorf("the log has sent %d bytes ahead, want at most %d", w.ahead, 2*followBytes)
		}
	}
	t.Logf("%d backups in %s", backups, time.Since(began))
	end()
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if said.Len() > 0 {
		t.Errorf("the log reports: %s", said.String())
	}
}

// TestLargeStream reads a stream that is larger than what one request returns.
func TestLargeStream(t *testing.T) {
	l, err := Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	const events = 3 * pageBytes / 250_000
	data, after := bytes.Repeat([]byte("x"), 250_000), uint64(0)
	for range events {
		if after, err = l.Append(t.Context(), "s", after, data); err != nil {
			t.Fatal(err)
		}
	}
	before := l.conn.Stats().InMsgs
	list, err := l.Read(t.Context(), "s")
	if err != nil || len(list) != events {
		t.Errorf("Read returns %d events, %v; want %d", len(list), err, events)
	}
	if pages := l.conn.Stats().InMsgs - before - events; pages < 3 {
		t.Errorf("the events came in %d pages, want 3 or more", pages)
	}
}

// TestReconnect breaks the connection while events are on their way to a follower, which
// receives each once and in order.
func TestReconnect(t *testing.T) {
	l, err := Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	const events = 60
	fill(t, l, events, 250_000)
	want := uint64(1)
	for e, err := range l.Follow(t.Context(), 0) {
		if err != nil || e.Seq != want {
			t.Fatalf("event %d, %v; want event %d", e.Seq, err, want)
		}
		if want == events {
			break
		}
		if want++; want == 10 || want == 30 {
			if err := l.conn.ForceReconnect(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestReadMemory checks that reading a game takes no more memory than its events need: tournaments open many games at once.
func TestReadMemory(t *testing.T) {
	l, err := Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	fill(t, l, 1, 100)
	const times, most = 50, 64 << 10
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range times {
		if list, err := l.Read(t.Context(), "s-0"); err != nil || len(list) != 1 {
			t.Fatalf("%d events, %v", len(list), err)
		}
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / times; each > most {
		t.Errorf("a read takes %d bytes, want at most %d", each, most)
	}
}
