package jet

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"quintet/live"
)

// TestMissedHeartbeats ignores missed heartbeats of the embedded server: on a busy machine
// they are late, and restarting the follower each time would be wasteful.
func TestMissedHeartbeats(t *testing.T) {
	l, err := Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, heartbeat := l.pullTimes(); heartbeat < 10*time.Second {
		t.Errorf("a heartbeat every %s: want longer than a busy machine may stall", heartbeat)
	}
	missed := fmt.Errorf("following: %w", jetstream.ErrNoHeartbeat)
	if !l.resumes(missed) || !l.resumes(errGap) || l.resumes(errRestarted) || l.resumes(errors.New("another")) {
		t.Error("want missed heartbeats and gaps resumed after, and nothing else")
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if l.resumes(missed) {
		t.Error("it is resumed after the log is closed")
	}
}

// TestDamagedCopy follows a copy of the log that lacks events. The leader has some of them, others are erased.
func TestDamagedCopy(t *testing.T) {
	leads := []uint64{5, 7, 8, 10, 12, 16, 17, 18, 19}
	var fails atomic.Uint64
	l, _ := fakeCluster(t, func(m *nats.Msg) {
		var r struct {
			Seq  uint64 `json:"seq"`
			Next string `json:"next_by_subj"`
		}
		if m.Subject != getMessage+streamName || json.Unmarshal(m.Data, &r) != nil {
			return
		}
		if r.Seq == fails.Load() {
			_ = m.Respond([]byte(`{"error":{"code":503,"err_code":10008,"description":"not now"}}`))
			return
		}
		for _, seq := range leads {
			if seq >= r.Seq && r.Next == subjects+".*" {
				_ = m.Respond([]byte(messageAnswer(subjects+".game", seq, fmt.Sprint(seq))))
				return
			}
		}
		_ = m.Respond([]byte(noMessage))
	})
	l.erased.events = map[uint64]live.Erasure{3: {Seq: 3, Stream: "game", Event: []byte("3")}, 6: {Seq: 6}, 7: {Seq: 7}, 10: {Seq: 10}}
	l.erased.replaced = []uint64{3}
	for _, k := range []struct {
		before, seq uint64
		want        []string
	}{{1, 2, []string{"2"}}, {2, 8, []string{"3", "5", "8"}}, {8, 12, []string{"12"}}, {12, 15, []string{"15"}}} {
		var got []string
		more, err := l.deliver(t.Context(), k.before, live.Entry{Stream: "game", Seq: k.seq, Data: []byte(fmt.Sprint(k.seq))}, func(e live.Entry) bool {
			got = append(got, string(e.Data))
			return true
		})
		if err != nil || !more || !slices.Equal(got, k.want) {
			t.Errorf("after event %d, event %d brings %q (%v), want %q", k.before, k.seq, got, err, k.want)
		}
	}
	// What was read before a request failed is delivered, and the rest after it.
	fails.Store(18)
	var got []uint64
	take := func(e live.Entry) bool { got = append(got, e.Seq); return true }
	if _, err := l.deliver(t.Context(), 15, live.Entry{Stream: "game", Seq: 20}, take); err == nil || !slices.Equal(got, []uint64{16, 17}) {
		t.Errorf("%v (%v), want events 16 and 17 before the failure", got, err)
	}
	fails.Store(0)
	if _, err := l.deliver(t.Context(), 17, live.Entry{Stream: "game", Seq: 20}, take); err != nil || !slices.Equal(got, []uint64{16, 17, 18, 19, 20}) {
		t.Errorf("%v (%v), want all events", got, err)
	}
}
