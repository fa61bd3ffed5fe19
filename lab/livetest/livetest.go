// Package livetest is the conformance suite for live.Log: what every log must do,
// so that tables can be played on it. Call Run with a function that makes one.
package livetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/live"
)

// Run tests logs that open makes. Each is empty, and is closed by a cleanup of
// the test.
func Run(t *testing.T, open func(t *testing.T) live.Log) {
	t.Helper()
	for _, c := range []struct {
		name string
		test func(*testing.T, live.Log)
	}{
		{"an empty log", testEmpty},
		{"appending and reading", testAppend},
		{"stale appends", testStale},
		{"one of many writers wins", testRace},
		{"many tables at a time", testMany},
		{"following from any place", testFollow},
		{"following ends with its context", testFollowEnds},
		{"a heartbeat is written only after the last one", testHeartbeat},
		{"all have one secret", testSecret},
		{"records are replaced, and followed", testRecords},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

func testSecret(t *testing.T, l live.Log) {
	var all sync.WaitGroup
	got := make([]string, 8)
	for i := range got {
		all.Go(func() {
			s, err := l.Secret(t.Context(), live.ServerSecret, []byte{byte('a' + i)})
			if err != nil {
				t.Error(err)
			}
			got[i] = string(s)
		})
	}
	all.Wait()
	for _, s := range got {
		if s != got[0] || s == "" {
			t.Errorf("secrets %q, want the same for all", got)
		}
	}
	if s, err := l.Secret(t.Context(), live.PushSecret, []byte("push")); err != nil || string(s) != "push" {
		t.Errorf("another secret is %q, %v, want a new one", s, err)
	}
}

func testEmpty(t *testing.T, l live.Log) {
	list, err := l.Read(t.Context(), "nobody")
	if err != nil || len(list) != 0 {
		t.Errorf("Read = %v, %v, want nothing", list, err)
	}
	if last, err := l.Last(t.Context()); err != nil || last != 0 {
		t.Errorf("Last = %d, %v, want 0", last, err)
	}
	if b, err := l.LastHeartbeat(t.Context()); err != nil || b != (live.Heartbeat{}) {
		t.Errorf("LastHeartbeat = %v, %v, want none", b, err)
	}
}

func testAppend(t *testing.T, l live.Log) {
	var want []live.Entry
	after := uint64(0)
	for i := range 5 {
		add(t, l, "other", uint64(0), i == 0)
		data := fmt.Sprintf(`{"event":%d}`, i)
		seq, err := l.Append(t.Context(), "game", after, []byte(data))
		if err != nil || seq <= after {
			t.Fatalf("Append after %d = %d, %v, want a greater number", after, seq, err)
		}
		after = seq
		want = append(want, live.Entry{Stream: "game", Seq: seq, Data: []byte(data)})
	}
	got, err := l.Read(t.Context(), "game")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what was read differs from what was written (-want +got):\n%s", diff)
	}
	if last, err := l.Last(t.Context()); err != nil || last != after {
		t.Errorf("Last = %d, %v, want %d", last, err, after)
	}
}

// add appends to a table; it must succeed, or be stale.
func add(t *testing.T, l live.Log, table string, after uint64, want bool) uint64 {
	t.Helper()
	seq, err := l.Append(t.Context(), table, after, []byte(table))
	if want != (err == nil) || !want && !errors.Is(err, live.ErrStale) {
		t.Fatalf("Append to %s after %d: %v, want success %v", table, after, err, want)
	}
	return seq
}

func testStale(t *testing.T, l live.Log) {
	add(t, l, "game", 1, false)
	first := add(t, l, "game", 0, true)
	add(t, l, "game", 0, false)
	other := add(t, l, "other", 0, true)
	add(t, l, "game", other, false)
	second := add(t, l, "game", first, true)
	add(t, l, "game", first, false)
	add(t, l, "game", second, true)
	if list, err := l.Read(t.Context(), "game"); err != nil || len(list) != 3 {
		t.Errorf("%d events, %v, want 3: stale appends leave nothing", len(list), err)
	}
}

// testRace lets writers write at the same place, again and again.
func testRace(t *testing.T, l live.Log) {
	const rounds, writers = 20, 8
	after := uint64(0)
	for round := range rounds {
		wins := make([]uint64, writers)
		var all sync.WaitGroup
		for w := range writers {
			all.Go(func() {
				seq, err := l.Append(t.Context(), "game", after, fmt.Appendf(nil, "%d by %d", round, w))
				if err != nil && !errors.Is(err, live.ErrStale) {
					t.Errorf("Append: %v, want success or ErrStale", err)
				}
				wins[w] = seq
			})
		}
		all.Wait()
		won := 0
		for _, seq := range wins {
			if seq > 0 {
				won++
				after = seq
			}
		}
		if won != 1 {
			t.Fatalf("round %d: %d writers won, want 1", round, won)
		}
	}
	if list, err := l.Read(t.Context(), "game"); err != nil || len(list) != rounds {
		t.Errorf("%d events, %v, want %d", len(list), err, rounds)
	}
}

// testMany writes to many tables at a time, as servers do, with a stale writer at
// each of them.
func testMany(t *testing.T, l live.Log) {
	const tables, events = 40, 12
	var all sync.WaitGroup
	for i := range tables {
		all.Go(func() {
			name, after := fmt.Sprintf("game%d", i), uint64(0)
			for n := range events {
				seq, err := l.Append(t.Context(), name, after, fmt.Appendf(nil, "%s %d", name, n))
				if err != nil {
					t.Errorf("%s: %v", name, err)
					return
				}
				if _, err := l.Append(t.Context(), name, after, []byte("stale")); !errors.Is(err, live.ErrStale) {
					t.Errorf("%s: a second event in the same place: %v, want ErrStale", name, err)
				}
				after = seq
			}
		})
	}
	all.Wait()
	for i := range tables {
		name := fmt.Sprintf("game%d", i)
		list, err := l.Read(t.Context(), name)
		if err != nil || len(list) != events {
			t.Fatalf("%s: %d events, %v, want %d", name, len(list), err, events)
		}
		for n, e := range list {
			if want := fmt.Sprintf("%s %d", name, n); string(e.Data) != want || e.Stream != name {
				t.Errorf("%s, event %d: %q of %q, want %q", name, n, e.Data, e.Stream, want)
			}
		}
	}
}

func testFollow(t *testing.T, l live.Log) {
	var want []live.Entry
	put := func() {
		name := fmt.Sprintf("game%d", len(want))
		want = append(want, live.Entry{Stream: name, Seq: add(t, l, name, 0, true), Data: []byte(name)})
	}
	for range 6 {
		put()
	}
	for from := range want {
		after := uint64(0)
		if from > 0 {
			after = want[from-1].Seq
		}
		if diff := cmp.Diff(want[from:], take(t, l, after, len(want)-from, nil)); diff != "" {
			t.Errorf("following after %d (-want +got):\n%s", after, diff)
		}
	}
	got := take(t, l, 0, len(want)+4, func(n int) {
		if n >= 6 { // existing events have arrived: now new ones
			put()
		}
	})
	if diff := cmp.Diff(want[:len(got)], got); diff != "" {
		t.Errorf("following what comes (-want +got):\n%s", diff)
	}
}

// take follows the log for n entries, and calls then after each.
func take(t *testing.T, l live.Log, after uint64, n int, then func(int)) (list []live.Entry) {
	t.Helper()
	for e, err := range l.Follow(t.Context(), after) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
		if then != nil {
			then(len(list))
		}
		if len(list) >= n {
			break
		}
	}
	return list
}

func testFollowEnds(t *testing.T, l live.Log) {
	add(t, l, "game", 0, true)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for _, err := range l.Follow(ctx, 0) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		cancel()
	}
	if n != 1 {
		t.Errorf("%d entries, want 1", n)
	}
}

func testHeartbeat(t *testing.T, l live.Log) {
	var last live.Heartbeat
	for _, c := range []struct {
		name      string
		heartbeat live.Heartbeat
		late      bool // by a server that has not seen the last one
	}{
		{"the first", live.Heartbeat{Service: 1000}, false},
		{"the next", live.Heartbeat{Service: 3000}, false},
		{"a late one", live.Heartbeat{Service: 4000}, true},
		{"one that goes back", live.Heartbeat{Service: 3000, Epoch: 1}, false},
		{"a late one of the epoch before", live.Heartbeat{Service: 5000}, true},
		{"one more", live.Heartbeat{Service: 1 << 50, Epoch: 1 << 40}, false},
	} {
		after, want := last.Seq, error(nil)
		if c.late {
			after, want = last.Seq-1, live.ErrStale
		}
		seq, err := l.WriteHeartbeat(t.Context(), after, c.heartbeat)
		if !errors.Is(err, want) || err == nil && seq <= last.Seq {
			t.Errorf("%s: WriteHeartbeat = %d, %v, want %v, and a number greater than %d", c.name, seq, err, want, last.Seq)
		}
		if err == nil {
			last = c.heartbeat
			last.Seq = seq
		}
		if got, err := l.LastHeartbeat(t.Context()); err != nil || got != last {
			t.Errorf("%s: LastHeartbeat = %v, %v, want %v", c.name, got, err, last)
		}
	}
}
