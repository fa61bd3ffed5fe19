package play

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"quintet/serve/api"
)

// TestSend checks that messages of all lengths arrive whole, with control frames between them.
func TestSend(t *testing.T) {
	lengths := []int{0, 1, 125, 126, 127, readBuffer, 1 << 10, 1<<16 - 1, 1 << 16, 1 << 18}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := &handshakeWriter{smallBuffers: smallBuffers{ResponseWriter: w}}
		c, err := websocket.Accept(answer, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		f := &socketConn{server: &Service{frames: sync.Pool{New: newFrame}}, conn: c, out: answer.conn}
		ctx := c.CloseRead(r.Context())
		for i, n := range lengths {
			if err := f.send(bytes.Repeat([]byte{'a' + byte(i)}, n)); err != nil {
				t.Errorf("%d bytes: %v", n, err)
			}
			if err := c.Ping(ctx); err != nil {
				t.Errorf("a ping after %d bytes: %v", n, err)
			}
		}
		f.close(closeSlow, "")
		f.out = &sink{}
		if err := f.send([]byte("late")); err == nil {
			t.Error("a message follows the close frame")
		}
	}))
	defer s.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c, got, err := websocket.Dial(ctx, s.URL, nil) //nolint:bodyclose // Dial says that it never has to be closed
	if err != nil {
		t.Fatal(err, got)
	}
	c.SetReadLimit(1 << 20)
	for i, n := range lengths {
		kind, data, err := c.Read(ctx)
		if err != nil || kind != websocket.MessageText || !bytes.Equal(data, bytes.Repeat([]byte{'a' + byte(i)}, n)) {
			t.Fatalf("%d bytes: %d came, %v, %v", n, len(data), kind, err)
		}
	}
	if _, _, err := c.Read(ctx); websocket.CloseStatus(err) != closeSlow {
		t.Errorf("the end: %v", err)
	}
}

// sink is a connection that counts writes, and notes their deadline.
type sink struct {
	net.Conn
	writes   int
	deadline time.Time
}

// Write implements net.Conn.
func (s *sink) Write(data []byte) (int, error) { s.writes++; return len(data), nil }

// SetWriteDeadline implements net.Conn.
func (s *sink) SetWriteDeadline(t time.Time) error { s.deadline = t; return nil }

// TestSendCost checks that a message is one write with a deadline, and no garbage: an arena sends thousands a second.
func TestSendCost(t *testing.T) {
	to := &sink{}
	f := &socketConn{server: &Service{frames: sync.Pool{New: newFrame}}, out: &timedConn{Conn: to}}
	message := make([]byte, 5000)
	const runs = 100
	allocations := testing.AllocsPerRun(runs, func() {
		if err := f.send(message); err != nil {
			t.Fatal(err)
		}
	})
	if allocations != 0 || to.writes != runs+1 {
		t.Errorf("%d messages: %d writes, %g allocations each, want one and none", runs+1, to.writes, allocations)
	}
	if left := time.Until(to.deadline); left <= 0 || left > api.WriteTime {
		t.Errorf("the last write has %v, want at most %v", left, api.WriteTime)
	}
}
