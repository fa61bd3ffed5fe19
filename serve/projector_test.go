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

// beside returns a server that shares a log with others.
func beside(t *testing.T, l live.Log) *Server {
	t.Helper()
	s, err := New(t.Context(), l, Config{Hold: -1, Shared: true, EngineTime: 20 * time.Millisecond, EnginePace: 40 * time.Millisecond})
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
