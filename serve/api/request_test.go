package api

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestAddress lists whose requests count together.
func TestAddress(t *testing.T) {
	for _, c := range []struct {
		name, remote string
		forwarded    []string
		trust        bool
		want         string
	}{
		{"of a connection", "192.0.2.1:4711", nil, false, "192.0.2.1"},
		{"a header from an untrusted proxy", "192.0.2.1:4711", []string{"198.51.100.7"}, false, "192.0.2.1"},
		{"of a proxy", "127.0.0.1:4711", []string{"198.51.100.7"}, true, "198.51.100.7"},
		{"a proxy that adds to what the client says", "127.0.0.1:4711", []string{"203.0.113.1, 203.0.113.2,198.51.100.7"}, true, "198.51.100.7"},
		{"a proxy that adds a line", "127.0.0.1:4711", []string{"203.0.113.1", "203.0.113.2, 198.51.100.7"}, true, "198.51.100.7"},
		{"a proxy that tells the port, too", "127.0.0.1:4711", []string{"198.51.100.7:99"}, true, "198.51.100.7"},
		{"a proxy that says nothing", "127.0.0.1:4711", []string{""}, true, "127.0.0.1"},
		{"a proxy that does not know", "127.0.0.1:4711", []string{"unknown"}, true, "unknown"},
		{"of a network of its own", "[2001:db8:1:2:3:4:5:6]:4711", nil, false, "2001:db8:1:2::/64"},
		{"another of the same", "[2001:db8:1:2:ffff::1]:4711", nil, false, "2001:db8:1:2::/64"},
		{"of the next", "[2001:db8:1:3::1]:4711", nil, false, "2001:db8:1:3::/64"},
		{"by a proxy", "127.0.0.1:4711", []string{"2001:db8:1:2:3:4:5:6"}, true, "2001:db8:1:2::/64"},
		{"by a proxy, with brackets", "127.0.0.1:4711", []string{"[2001:db8:1:2:3:4:5:6]"}, true, "2001:db8:1:2::/64"},
		{"of the old kind, written as one of the new", "[::ffff:192.0.2.1]:4711", nil, false, "192.0.2.1"},
		{"of a link", "[fe80::1%eth0]:4711", nil, false, "fe80::/64"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.RemoteAddr, r.Header["X-Forwarded-For"] = c.remote, c.forwarded
		b := &Base{Config: Config{TrustProxy: c.trust}}
		if got := b.Address(r); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
