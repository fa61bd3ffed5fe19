package jet

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
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
