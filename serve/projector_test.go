package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quintet/lab/await"
	"quintet/live"
)

// TestEarlyFrame checks that a frame which arrived with the request for the socket is
// answered even if it is larger than the buffer.
func TestEarlyFrame(t *testing.T) {
	s, id := table(t)
	h := httptest.NewServer(s.Handler())
	t.Cleanup(h.Close)
	var d net.Dialer
	c, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(h.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if err := c.SetDeadline(time.Now().Add(await.Limit)); err != nil {
		t.Fatal(err)
	}
	ref := strings.Repeat("r", 512+100)
	var out bytes.Buffer
	fmt.Fprintf(&out, "GET /api/games/%s/socket HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n", id, strings.TrimPrefix(h.URL, "http://"))
	out.Write(clientFrame([]byte(`{"do":"ping","ref":"` + ref + `"}`)))
	if _, err := c.Write(out.Bytes()); err != nil {
		t.Fatal(err)
	}
	in, got := bufio.NewReader(c), ""
	for !strings.Contains(got, ref) {
		b, err := in.ReadByte()
		if err != nil {
			t.Fatalf("%v after %q", err, got)
		}
		got += string(b)
	}
}

// clientFrame returns a whole text message, with a mask of zeros.
func clientFrame(data []byte) []byte {
	frame := binary.BigEndian.AppendUint16([]byte{0x81, 0x80 | 126}, uint16(len(data)))
	return append(append(frame, 0, 0, 0, 0), data...)
}

// TestListIsNotNeeded: watchers receive events of other servers even if the index cannot be
// written.
func TestListIsNotNeeded(t *testing.T) {
	l := live.NewMemory()
	first, second := beside(t, l), beside(t, l)
	const id = "abcdefgh234a"
	players := [2]live.Player{{Name: "a", Secret: "a"}, {Name: "b", Secret: "b"}}
	if err := first.hall.Open(t.Context(), id, live.Settings{Game: "othello", Seats: players}, ""); err != nil {
		t.Fatal(err)
	}
	if got := ply(t, second, id); got != 0 {
		t.Fatalf("the game is at ply %d", got)
	}
	if err := second.index.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := first.hall.Do(t.Context(), id, live.Command{Do: live.Move, Move: "e3", Ply: 0}); err != nil {
		t.Fatal(err)
	}
	reaches(t, second, id, 1)
	for _, s := range []*Server{first, second} {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// staleLog is a log whose end a NATS server reports that does not know yet that it no longer leads it.
type staleLog struct {
	live.Log
	end atomic.Uint64 // 0 for that of the log
}

// Last implements live.Log.
func (l *staleLog) Last(ctx context.Context) (uint64, error) {
	if end := l.end.Load(); end > 0 {
		return end, nil
	}
	return l.Log.Last(ctx)
}

// TestStaleEnd checks that the list of games gets all events if the log's end is reported too early: those that were
// delivered before the list was read, and those before the server was created.
func TestStaleEnd(t *testing.T) {
	for _, delivered := range []bool{true, false} {
		l := &staleLog{Log: live.NewMemory()}
		const id, data = "abcdefgh234a", `{"kind":"unknown"}`
		write := func(after uint64) {
			if _, err := l.Append(t.Context(), id, after, []byte(data)); err != nil {
				t.Fatal(err)
			}
		}
		write(0)
		if !delivered {
			write(1)
		}
		s, err := New(t.Context(), l, Config{Hold: -1, Shared: true}.SharePages())
		if err != nil {
			t.Fatal(err)
		}
		if delivered {
			write(1)
			s.games.Deliver(live.Entry{Stream: id, Seq: 2, Data: []byte(data)})
		}
		l.end.Store(1)
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		s.games.Start(ctx, func(_ string, f func()) { all.Go(f) })
		await.Until(t, "the last event in the list of games", func() bool { last, err := s.index.LastApplied(ctx); return err == nil && last == 2 })
		cancel()
		all.Wait()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// beside returns a server that shares a log with others.
func beside(t *testing.T, l live.Log) *Server {
	t.Helper()
	s, err := New(t.Context(), l, Config{Hold: -1, Shared: true, EngineTime: 20 * time.Millisecond, EnginePace: 40 * time.Millisecond}.SharePages())
	if err != nil {
		t.Fatal(err)
	}
	s.Start(context.Background())
	return s
}

// ply returns how far a server has heard of a game.
func ply(t *testing.T, s *Server, id string) (n int) {
	t.Helper()
	r, err := s.hall.Room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	r.View(func(t *live.Table) bool { n = t.Ply(); return true })
	return n
}

// reaches waits until a server has heard of a ply.
func reaches(t *testing.T, s *Server, id string, want int) {
	t.Helper()
	await.Until(t, fmt.Sprintf("ply %d of game %s", want, id), func() bool { return ply(t, s, id) >= want })
}
