package serve_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"quintet/lab/await"
	"quintet/live"
	"quintet/live/jet"
	"quintet/serve"
)

// minutes begins a seek for a game with its own clock, so that it fits no other.
func (s *site) minutes(name string, n int) *seeking {
	s.t.Helper()
	return s.seek(name, fmt.Sprintf(`{"name":"%s","wants":[{"game":"loa","clock":{"main":%d}}]}`, name, 60*n))
}

// pairOf returns the game of two seeks, who must have different sides of the same one.
func pairOf(t *testing.T, a, b *seeking) (id string) {
	t.Helper()
	one, two := a.paired(), b.paired()
	if one["id"] != two["id"] || one["side"] == two["side"] {
		t.Errorf("%s has %v, %s has %v", a.name, one, b.name, two)
	}
	id, token := a.sit(one)
	b.sit(two)
	if got := b.site.get("/api/games/" + id).text("state"); token == "" || got != "live" {
		t.Errorf("game %s is %s", id, got)
	}
	return id
}

// paired waits until a seek is paired with one of another server. The handshake writes several records for each seek, one
// after the other, and waits for the other server in between: on a busy machine it takes longer than other waits.
func (k *seeking) paired() (got map[string]any) {
	k.site.t.Helper()
	heard := func() bool {
		got = k.heard("paired")
		return got != nil
	}
	for range 3 {
		if await.Holds(heard) {
			return got
		}
	}
	return k.next("paired")
}

// TestSeeksOfServers pairs people who wait on two servers, each once. A server that is killed leaves a record behind,
// whose claim nobody accepts: the claimer goes on waiting, and is paired with somebody else.
func TestSeeksOfServers(t *testing.T) {
	l, err := jet.Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	one, two := start(t, l, serve.Config{Shared: true}), start(t, l, serve.Config{Shared: true})
	const pairs = 4
	var all [2][]*seeking
	for i := range pairs {
		for j, s := range []*site{one, two} {
			all[j] = append(all[j], s.minutes(fmt.Sprintf("Person%d%d", i, j), i+1))
		}
	}
	games := map[string]bool{}
	for i := range pairs {
		games[pairOf(t, all[0][i], all[1][i])] = true
	}
	if len(games) != pairs {
		t.Errorf("%d pairs have the games %v", pairs, games)
	}

	ann := one.minutes("Ann", 9)
	var r live.Record
	await.Until(t, "the seek has a record", func() bool { r = openSeek(t, l); return r.Key != "" })
	ann.leave()
	await.Until(t, "the record is taken back", func() bool { return openSeek(t, l).Key == "" })
	if _, err := l.PutRecord(t.Context(), "seek9999", 0, r.Data); err != nil { // as if the server had been killed before
		t.Fatal(err)
	}
	cid := one.minutes("Cid", 9)
	await.Until(t, "the claim is taken back", func() bool { return openSeek(t, l).Key != "seek9999" })
	pairOf(t, cid, two.minutes("Dan", 9))
	await.Until(t, "no record is left", func() bool { return openSeek(t, l).Key == "" })
}

// faulty is a log that accepts no events for the first calls.
type faulty struct {
	live.Log
	left atomic.Int64 // calls that fail
}

func (f *faulty) Append(ctx context.Context, stream string, after uint64, data []byte) (uint64, error) {
	if f.left.Add(-1) >= 0 {
		return 0, errors.New("the log is busy")
	}
	return f.Log.Append(ctx, stream, after, data)
}

// TestSeeksBesideFaults pairs people although one of their servers cannot write at that moment: both get the game of the
// handshake, and the seat of an open game is tried again.
func TestSeeksBesideFaults(t *testing.T) {
	l, net := live.NewMemory(), &peers{}
	f := &faulty{Log: l}
	one, two := start(t, l, serve.Config{Shared: true, Presence: peer{net, 0}}), start(t, f, serve.Config{Shared: true, Presence: peer{net, 1}})
	f.left.Store(3)
	pairOf(t, one.minutes("Ann", 1), two.minutes("Ben", 1))
	f.left.Store(3)
	seat := one.openSeat(`"name":"Dee"`)
	if line := two.seek("Eve", fmt.Sprintf(loaSeek, "Eve")).paired(); line["id"] != seat {
		t.Errorf("Eve got %v, want the open seat %s", line, seat)
	}
}

// openSeek returns the record of a seek, if there is one.
func openSeek(t *testing.T, l live.Log) live.Record {
	t.Helper()
	list, err := live.ReadRecords(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if !bytes.Contains(r.Data, []byte(`"id":""`)) {
			return r
		}
	}
	return live.Record{}
}
