package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintet/lab/await"
)

// TestControlSocket connects to the server of a folder through its socket, which only its
// user may use, however long the folder's path is and whatever a killed server left.
func TestControlSocket(t *testing.T) {
	for name, data := range map[string]string{
		"short": t.TempDir(), "long": filepath.Join(t.TempDir(), strings.Repeat("long", 30), strings.Repeat("longer", 30)),
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.MkdirAll(data, 0o700); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat("/proc/self/fd"); err != nil && name == "long" {
				t.Skip("this system has no /proc: there the server says that commands cannot reach it")
			}
			path := filepath.Join(data, controlName)
			if err := os.WriteFile(path, []byte("left"), 0o644); err != nil {
				t.Fatal(err)
			}
			l, end, err := listenControl(t.Context(), data)
			if err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(path); err != nil || info.Mode() != os.ModeSocket|0o600 {
				t.Errorf("the socket: %v, %v, want one for its user alone", info, err)
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				answer(t, l)
			}()
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://quintet/", nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := controlClient(data).Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(got.Body)
			if string(body) != "here" || err != nil {
				t.Errorf("it answers %q, %v", body, err)
			}
			_ = got.Body.Close()
			end()
			await.Receive(t, "the end of the connection", done)
			if _, err := os.Stat(path); err == nil {
				t.Error("the socket is left")
			}
		})
	}
}

// answer serves one connection.
func answer(t *testing.T, l net.Listener) {
	c, err := l.Accept()
	if err != nil {
		t.Error(err)
		return
	}
	_, _ = c.Read(make([]byte, 1000))
	_, err = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhere")
	if err != nil || c.Close() != nil {
		t.Error(err)
	}
}
