// Package fair shares scarce resources among the clients of a server, so that no client can take the
// share of others.
//
// A client is a network address as api.Base.Address returns it: an IPv4 address or an IPv6 network
// of 64 bits. One subscriber often owns more than that, so what a client does counts for its wider
// networks, too, see [Networks].
//
// Several people can share an address, such as a class at school. Everybody with an account or in a class is
// a client of their own, see [Part].
//
// A [Counter] limits what each client holds, such as connections. A [Line] is a queue of work in
// which clients take turns. A [Queue] hands out slots in the order of a line. A [Gate] lets each client
// do one thing at a time.
package fair

import (
	"context"
	"math"
	"net/netip"
	"strings"
	"sync"
)

// Part separates a client from one of its parts: "ADDRESS|ACCOUNT", "ADDRESS|STUDENT" or "CLASS|STUDENT". All parts together
// form a network, which has the share of the next wider level.
const Part = "|"

// Networks returns a client and the wider networks that it belongs to, the narrowest first. RFC 6177
// recommends a network between a /64 and a /48 for a site; providers usually assign a /56 or a /48.
func Networks(client string) []string {
	list := []string{client}
	if whole, _, ok := strings.Cut(client, Part); ok {
		for _, network := range Networks(whole) {
			list = append(list, network+Part) // a name that no client without parts has
		}
		return list
	}
	if !strings.Contains(client, "/") { // the usual case, which is cheap
		return list
	}
	p, err := netip.ParsePrefix(client)
	if err != nil || p.Addr().Is4() {
		return list
	}
	for _, bits := range []int{56, 48} {
		wider, err := p.Addr().Prefix(bits)
		if err == nil && bits < p.Bits() {
			list = append(list, wider.String())
		}
	}
	return list
}

// Wider is the factor by which the share of a network exceeds that of the next narrower one.
const Wider = 4

// Share returns the share of the network at an index of the list of Networks. The share of a client,
// at index 0, is most.
func Share(most, level int) int {
	wider := int(math.Pow(Wider, float64(level)))
	return min(most, math.MaxInt/wider) * wider // no overflow where most means no limit
}

// Counter limits how much each client and each network holds. It is safe for concurrent use.
type Counter struct {
	most int

	mu   sync.Mutex // guards held
	held map[string]int
}

// NewCounter returns a Counter that lets a client hold up to most; 0 is no limit.
func NewCounter(most int) *Counter { return &Counter{most: most, held: map[string]int{}} }

// Most returns how much a client may hold; 0 is no limit.
func (c *Counter) Most() int { return c.most }

// Acquire counts one for a client and its networks, or returns false if one is at its limit.
func (c *Counter) Acquire(client string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := Networks(client)
	for level, network := range list {
		if c.most > 0 && c.held[network] >= Share(c.most, level) {
			return false
		}
	}
	for _, network := range list {
		c.held[network]++
	}
	return true
}

// Release undoes one Acquire.
func (c *Counter) Release(client string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, network := range Networks(client) {
		if c.held[network]--; c.held[network] <= 0 {
			delete(c.held, network)
		}
	}
}

// clientKey is the key of a client in a context.
type clientKey struct{}

// WithClient returns a context for the requests of a client.
func WithClient(ctx context.Context, client string) context.Context {
	return context.WithValue(ctx, clientKey{}, client)
}

// ClientOf returns the client of a context; "" if it has none.
func ClientOf(ctx context.Context) string {
	client, _ := ctx.Value(clientKey{}).(string)
	return client
}
