package serve

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"quintet/serve/api"
)

// servesHost reports whether a host, with or without a port, is a name of this server. A
// page of another site can point its own name at this machine (DNS rebinding), and would
// then have the same origin as the games here. It cannot do so with an IP address, with
// localhost, or with a name of ours.
func (c Config) servesHost(host string) bool {
	if c.Hosts == nil || host == "" { // HTTP/1.0, which no page speaks
		return true
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || slices.ContainsFunc(c.Hosts, func(name string) bool {
		return strings.EqualFold(strings.TrimSuffix(name, "."), host)
	})
}

// probe reports whether a path is a health or metrics endpoint. These reveal nothing about
// games, and monitoring may use host names unknown to the server.
func probe(path string) bool { return path == "/healthz" || path == "/readyz" || path == "/metrics" }

// wrongHost is the answer to a request for another host.
func wrongHost(host string) error {
	return api.Problemf(http.StatusMisdirectedRequest, "host", "this server does not serve the name %.100q: expected its IP address, localhost, or a name that it was started with (quintet serve --host NAME)", host).InField("Host")
}
