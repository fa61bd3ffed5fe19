package main

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// TestOpenAt checks that addresses can be typed into a browser.
func TestOpenAt(t *testing.T) {
	var own []net.Addr
	for _, text := range []string{"127.0.0.1/8", "192.168.1.5/24", "::1/128", "fe80::1/64", "2001:db8::7/64"} {
		ip, n, err := net.ParseCIDR(text)
		if err != nil {
			t.Fatal(err)
		}
		n.IP = ip
		own = append(own, n)
	}
	for at, want := range map[string]struct {
		here      string
		elsewhere []string
	}{
		"127.0.0.1:8080":   {"http://127.0.0.1:8080/", nil},
		"192.168.1.5:8080": {"http://192.168.1.5:8080/", nil},
		"[::]:8080":        {"http://127.0.0.1:8080/", []string{"http://192.168.1.5:8080/", "http://[2001:db8::7]:8080/"}},
		"0.0.0.0:80":       {"http://127.0.0.1:80/", []string{"http://192.168.1.5:80/"}},
	} {
		a, err := net.ResolveTCPAddr("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		if here, elsewhere := urls(a, own); here != want.here || !slices.Equal(elsewhere, want.elsewhere) {
			t.Errorf("%s: %s and %v, want %s and %v", at, here, elsewhere, want.here, want.elsewhere)
		}
	}
}

// TestAskReady checks what a health check says of servers that are ready, not ready and not there.
func TestAskReady(t *testing.T) {
	status := http.StatusOK
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			t.Errorf("it asks for %s", r.URL.Path)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "a reason\n")
	}))
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if err := askReady(t.Context(), ":"+port); err != nil {
		t.Errorf("a server that is ready: %v", err)
	}
	status = http.StatusServiceUnavailable
	if err := askReady(t.Context(), "127.0.0.1:"+port); err == nil || !strings.Contains(err.Error(), "a reason") {
		t.Errorf("one that is not: %v", err)
	}
	s.Close()
	if err := askReady(t.Context(), ":"+port); err == nil {
		t.Error("one that is not there is ready")
	}
}
