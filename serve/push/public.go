package push

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"syscall"
	"time"
)

// reserved are special-purpose networks (RFC 6890) that the methods of netip.Addr miss, and tunnels into other networks.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"), netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("100::/64"), netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("3fff::/20"), netip.MustParsePrefix("fec0::/10"), netip.MustParsePrefix("::/96"),
}

// Public reports whether an address belongs to the public Internet.
func Public(a netip.Addr) bool {
	a = a.Unmap()
	return a.IsGlobalUnicast() && !a.IsPrivate() && a.Zone() == "" && !slices.ContainsFunc(reserved, func(p netip.Prefix) bool { return p.Contains(a) })
}

// PublicClient returns a client that connects to public addresses only, whatever a name resolves to, follows no redirects,
// and uses no proxy, because clients choose the endpoints (SSRF).
func PublicClient() *http.Client { return Client(Public) }

// Client is PublicClient for the addresses that a function allows.
func Client(allowed func(netip.Addr) bool) *http.Client {
	dialer := &net.Dialer{Timeout: sendTime / 2, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !allowed(to.Addr()) {
			return fmt.Errorf("the address %s is not public", address)
		}
		return nil
	}}
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: sendTime / 2, MaxResponseHeaderBytes: 16 << 10,
			MaxIdleConns: browserSenders, IdleConnTimeout: time.Minute, MaxConnsPerHost: browserSenders,
		},
	}
}
