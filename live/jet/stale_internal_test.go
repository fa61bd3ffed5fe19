package jet

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// TestRecordOfLeader reads a record from the leader: a NATS server that lags has an older version.
func TestRecordOfLeader(t *testing.T) {
	l, _ := fakeCluster(t, func(m *nats.Msg) {
		subject := recordSubject + ".anna"
		switch {
		case m.Subject == "$JS.API.STREAM.INFO."+recordStream:
			_ = m.Respond(fmt.Appendf(nil, `{"config":{"name":%q,"allow_direct":true}}`, recordStream))
		case strings.HasPrefix(m.Subject, "$JS.API.DIRECT.GET."+recordStream):
			old := nats.NewMsg(m.Reply)
			old.Data = []byte("old")
			for key, value := range map[string]string{jetstream.StreamHeader: recordStream, jetstream.SubjectHeader: subject, jetstream.SequenceHeader: "3", jetstream.TimeStampHeaer: time.Unix(1, 0).UTC().Format(time.RFC3339Nano)} {
				old.Header.Set(key, value)
			}
			_ = m.RespondMsg(old)
		case m.Subject == getMessage+recordStream && strings.Contains(string(m.Data), subject):
			_ = m.Respond([]byte(messageAnswer(subject, 4, "new")))
		case m.Subject == getMessage+recordStream:
			_ = m.Respond([]byte(noMessage))
		}
	})
	if r, err := l.GetRecord(t.Context(), "anna"); err != nil || r.Revision != 4 || string(r.Data) != "new" || r.Key != "anna" {
		t.Errorf("the record is %+v, %v; want the new version", r, err)
	}
	if r, err := l.GetRecord(t.Context(), "bob"); err != nil || r.Revision != 0 {
		t.Errorf("a missing record is %+v, %v", r, err)
	}
}

// TestCheckpointNeverFalls keeps the checkpoint of a log when a server that leads it no longer reports an earlier end.
func TestCheckpointNeverFalls(t *testing.T) {
	var end atomic.Uint64
	l, _ := fakeCluster(t, func(m *nats.Msg) {
		switch m.Subject {
		case "$JS.API.STREAM.INFO." + streamName:
			_ = m.Respond(fmt.Appendf(nil, `{"config":{"name":%q},"state":{"last_seq":%d}}`, streamName, end.Load()))
		case getMessage + streamName:
			_ = m.Respond([]byte(messageAnswer(subjects+".game", end.Load(), "text")))
		}
	})
	path, last := filepath.Join(t.TempDir(), "checkpoint"), uint64(0)
	for _, k := range []struct{ end, want uint64 }{{5, 5}, {3, 5}, {6, 6}} {
		end.Store(k.end)
		err := l.track(t.Context(), path, &last)
		text, bad := os.ReadFile(path)
		if c, ok := parseCheckpoint(strings.TrimSpace(string(text))); !ok || c.seq != k.want || errors.Join(err, bad) != nil {
			t.Errorf("the log ends with event %d, and the checkpoint is %q (%v), want event %d", k.end, text, errors.Join(err, bad), k.want)
		}
	}
}
