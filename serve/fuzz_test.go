package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quintet/live"
)

// table returns a server with a game.
func table(t testing.TB) (s *Server, id string) {
	t.Helper()
	s, err := New(context.Background(), live.NewMemory(), Config{Hold: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/games", strings.NewReader(`{"game":"othello","as":"first","seats":{"second":"random"}}`)))
	var made struct{ ID, Token string }
	if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil || made.Token == "" {
		t.Fatalf("%v: %s", err, w.Body)
	}
	return s, made.ID
}

// bodies are what requests may say.
func bodies() []string {
	return []string{
		``, `{}`, `[]`, `null`, `{"move":"f4","ply":0}`, `{"move":"pass","side":"second"}`, `{"what":"takeback"}`, `{"name":"Ann"}`, `{"ply":1e99}`,
		`{"game":"connect6","options":{"size":"26"},"seats":{"first":"random"},"clock":{"days":3},"private":true,"delay":5,"moves":["A1"]}`,
		`{"game":"chess","position":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w","options":{"halt":"agreed"}}`, `{"from":{"id":"aaaaaaaaaaaa","ply":-1}}`,
	}
}

// FuzzRequest checks that every body at every address is answered without a panic or a
// server error, and that nothing is left when the server is closed.
func FuzzRequest(f *testing.F) {
	for _, body := range bodies() {
		for n := range uint8(12) {
			f.Add(n, body)
		}
	}
	var s fuzzed
	f.Fuzz(func(t *testing.T, n uint8, body string) { s.use(t).request(t, n, body) })
}

func (f *fuzzed) request(t *testing.T, n uint8, body string) {
	t.Helper()
	paths := []string{"/api/games", "/api/games/" + f.id + "/seats/first", "/api/games/" + f.id + "/seats/x"}
	for _, verb := range []string{"moves", "resign", "offer", "accept", "decline", "takeback", "claim", "claimwin", "calloff", "berserk", "rematch"} {
		paths = append(paths, "/api/games/"+f.id+"/"+verb)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, paths[int(n)%len(paths)], strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+f.token)
	w := httptest.NewRecorder()
	f.server.Handler().ServeHTTP(w, r)
	if w.Code >= 500 {
		t.Errorf("%s %q: %d %s", r.URL.Path, body, w.Code, w.Body)
	}
	if !json.Valid(w.Body.Bytes()) {
		t.Errorf("%s %q: the answer is no JSON: %q", r.URL.Path, body, w.Body)
	}
}

// FuzzAddress checks the same for addresses.
func FuzzAddress(f *testing.F) {
	s, id := table(f)
	for _, path := range []string{
		"/", "/g/x", "/g/" + id, "/api/games/" + id, "/api/games?state=x", "/api/games?limit=-1&before=9", "/api/games/..%2f..%2fetc%2fpasswd", "/assets/../../go.mod",
		"/assets/%2e%2e/go.mod", "/g/" + id + "?key=%00", "/metrics", "/assets/", "/api/games/" + id + "?key=a;b",
	} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://quintet"+path, nil)
		if err != nil || strings.HasSuffix(r.URL.Path, "/events") || strings.HasSuffix(r.URL.Path, "/socket") {
			return
		}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if w.Code >= 500 && r.URL.Path != "/readyz" {
			t.Errorf("%q: %d %s", path, w.Code, w.Body)
		}
	})
}

// rawFrames are what a socket may be sent, byte for byte: masked frames as they
// should be, and such as should not be.
func rawFrames() [][]byte {
	frame := func(first byte, text string) []byte { // with a mask of zeros
		if len(text) < 126 {
			return append([]byte{first, 0x80 | byte(len(text)), 0, 0, 0, 0}, text...)
		}
		return append([]byte{first, 0x80 | 126, byte(len(text) >> 8), byte(len(text)), 0, 0, 0, 0}, text...)
	}
	return [][]byte{
		nil, frame(0x81, `{"do":"move","move":"f4","ply":0}`), frame(0x81, `{"do":"ping","ref":"1"}`), frame(0x82, "binary"), frame(0x89, "ping"), frame(0x8a, "pong"),
		frame(0x88, "\x03\xe8bye"), frame(0x88, "x"), frame(0x01, `{"do":`), append(frame(0x01, `{"do":`), frame(0x80, `"resign"}`)...), frame(0x81, strings.Repeat("x", 1100)),
		{0x81, 0x02, 'n', 'o'}, {0xff, 0xff}, {0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}, []byte("GET / HTTP/1.1\r\n\r\n"),
	}
}

// FuzzSocket sends arbitrary bytes after a valid handshake. The server must survive and
// close the connection, and leave nothing behind when closed.
func FuzzSocket(f *testing.F) {
	for _, frame := range rawFrames() {
		f.Add(frame)
	}
	var s fuzzed
	f.Fuzz(func(t *testing.T, data []byte) { s.use(t).raw(t, data) })
}

func (f *fuzzed) raw(t *testing.T, data []byte) {
	t.Helper()
	if f.http == nil {
		f.http = httptest.NewServer(f.server.Handler())
	}
	var d net.Dialer
	c, err := d.DialContext(t.Context(), "tcp", f.http.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }() // the server has closed it
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	hello := "GET /api/games/" + f.id + "/socket HTTP/1.1\r\nHost: quintet\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
		"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer " + f.token + "\r\n\r\n"
	if _, err := c.Write([]byte(hello)); err != nil {
		t.Fatal(err)
	}
	var first [12]byte
	if _, err := io.ReadFull(c, first[:]); err != nil || string(first[9:]) != "101" {
		t.Fatalf("the greeting is answered by %q, %v", first, err)
	}
	_, _ = c.Write(data) // the server may have had enough of it
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.CloseWrite()
	}
	_, err = io.Copy(io.Discard, c)
	if late := (net.Error)(nil); errors.As(err, &late) && late.Timeout() {
		t.Errorf("after %q the server keeps the connection", data)
	}
}
