package serve

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quintet/game"
	"quintet/live"
)

// TestForgottenRooms wants a game kept in memory as long as somebody may come back
// soon, and its end to make that shorter.
func TestForgottenRooms(t *testing.T) {
	s, id := table(t)
	r, err := s.hall.Room(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	s.hall.now = func() time.Time { return now }
	here := func(later time.Duration) bool {
		now = now.Add(later)
		s.hall.parkIdle()
		return s.hall.Loaded(id) == r
	}
	if !here(keepLive - time.Second) {
		t.Error("a game that is being played was forgotten at once")
	}
	if err := s.hall.Do(t.Context(), id, live.Command{Do: live.Resign, Side: game.First}); err != nil {
		t.Fatal(err)
	}
	if !here(0) {
		t.Error("a game was forgotten as soon as it was over")
	}
	if here(keepOver + time.Second) {
		t.Error("a game that is over was kept")
	}
}

// TestEarlyFrame wants a frame answered that came with the request for the socket,
// though it is larger than the buffer.
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
	if err := c.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	ref := strings.Repeat("r", readBuffer+100)
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
