package jet

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"quintet/lab/await"
	"quintet/live"
)

// What a fake cluster answers.
const (
	noMessage  = `{"error":{"code":404,"err_code":10037,"description":"no message found"}}`
	getMessage = "$JS.API.STREAM.MSG.GET."
)

// fakeCluster returns a log whose requests a test answers, one at a time, in place of a cluster.
func fakeCluster(t *testing.T, answer func(m *nats.Msg)) (l *Log, url string) {
	t.Helper()
	s, err := StartServer(&server.Options{Host: "127.0.0.1", Port: -1, NoSigs: true, NoSystemAccount: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	var conns [2]*nats.Conn
	for i := range conns {
		if conns[i], err = nats.Connect("", nats.InProcessServer(s), nats.Timeout(await.Limit), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conns[i].Close)
	}
	_, err = conns[0].Subscribe(">", answer)
	if err = errors.Join(err, conns[0].Flush()); err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(conns[1], jetstream.WithDefaultTimeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	f := &fsyncChecker{conn: conns[1], logger: slog.New(slog.DiscardHandler), suspected: make(chan struct{}, 1)}
	return &Log{conn: conns[1], js: js, replicas: replicas, timeout: time.Minute, fsync: f}, s.ClientURL()
}

// messageAnswer is the answer to a request for a message.
func messageAnswer(subject string, seq uint64, data string) string {
	text, _ := json.Marshal(map[string]any{"message": map[string]any{"subject": subject, "seq": seq, "data": []byte(data)}}) // never fails
	return string(text)
}

// TestSecretOfSlowDisk agrees on the secret of another server, which a slow disk is still writing: the leader refuses
// another secret meanwhile, and does not show that one.
func TestSecretOfSlowDisk(t *testing.T) {
	var refused atomic.Int32
	l, _ := fakeCluster(t, func(m *nats.Msg) {
		switch m.Subject {
		case getMessage + secretStream:
			if refused.Load() < 3 {
				_ = m.Respond([]byte(noMessage))
				return
			}
			_ = m.Respond([]byte(messageAnswer(secretSubject, 1, "theirs")))
		case secretSubject:
			refused.Add(1)
			_ = m.Respond(fmt.Appendf(nil, `{"error":{"code":400,"err_code":%d,"description":"wrong last sequence"}}`, wrongLastConstant))
		}
	})
	got, err := l.Secret(t.Context(), live.ServerSecret, []byte("mine"))
	if err != nil || string(got) != "theirs" || refused.Load() != 3 {
		t.Errorf("the secret is %q after %d refusals (%v), want theirs after 3", got, refused.Load(), err)
	}
}
