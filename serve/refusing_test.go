package serve_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// TestSocketRefuses checks that a refused socket request gets the same problem as any
// other request.
func TestSocketRefuses(t *testing.T) {
	s := open(t)
	path := "/api/games/" + s.want(s.post("/api/games", `{"game":"loa"}`), 201, "").text("id") + "/socket"
	hello := []string{"Connection", "Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="}
	old := append([]string{}, hello...)
	old[5] = "12"
	short := append([]string{}, hello...)
	short[7] = "AAAA"
	for name, c := range map[string]struct {
		headers    []string
		status     int
		code, text string
	}{
		"a plain request": {nil, 426, "upgrade", "Upgrade: websocket"},
		"another origin":  {append(hello, "Origin", "http://evil.example"), 403, "origin", "evil.example"},
		"an old version":  {old, 400, "invalid", "Sec-WebSocket-Version: 13"},
		"a short key":     {short, 400, "invalid", "16 bytes"},
	} {
		got := s.raw("GET", path, c.headers...)
		var p struct{ Code, Reason, Error string }
		if err := json.Unmarshal([]byte(got.body), &p); err != nil || got.status != c.status || p.Code != c.code || !strings.Contains(p.Error, c.text) || !strings.HasPrefix(got.header.Get("Content-Type"), "application/json") {
			t.Errorf("%s: %d %s, want %d %s", name, got.status, got.body, c.status, c.code)
		}
	}
	if got := s.raw("HEAD", path); got.status != http.StatusUpgradeRequired {
		t.Errorf("HEAD: %d", got.status)
	}
}

// TestSocketCloses checks that a binary frame closes a socket with 1003.
func TestSocketCloses(t *testing.T) {
	s := open(t)
	id := s.want(s.post("/api/games", `{"game":"loa"}`), 201, "").text("id")
	c, _, err := websocket.Dial(t.Context(), s.url+"/api/games/"+id+"/socket", nil) //nolint:bodyclose // the library closes it
	if err != nil {
		t.Fatal(err)
	}
	receive(t, c, `"kind":"state"`)
	if err := c.Write(t.Context(), websocket.MessageBinary, []byte(`{"do":"ping"}`)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Read(t.Context()); websocket.CloseStatus(err) != 1003 {
		t.Errorf("after a frame of bytes: %v, want it closed with 1003", err)
	}
}
