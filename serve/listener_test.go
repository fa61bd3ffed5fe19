package serve

import (
	"errors"
	"net"
	"testing"

	"quintet/live"
)

// callers is a listener that accepts connections from addresses.
type callers struct {
	net.Listener
	addresses []string
	closed    int // connections
}

// caller is a connection from an address.
type caller struct {
	net.Conn
	from *callers
	at   net.Addr
}

func (c *caller) RemoteAddr() net.Addr { return c.at }
func (c *caller) Close() error         { c.from.closed++; return nil }

func (c *callers) Accept() (net.Conn, error) {
	if len(c.addresses) == 0 {
		return nil, errors.New("nobody calls")
	}
	at, err := net.ResolveTCPAddr("tcp", c.addresses[0])
	c.addresses = c.addresses[1:]
	return &caller{from: c, at: at}, err
}

// TestConnectionsOfClient checks that a client holds a limited number of connections, whatever it does
// with them, that others are accepted beside it, and that closed ones count no more.
func TestConnectionsOfClient(t *testing.T) {
	const stranger, other = "192.0.2.1:1", "192.0.2.2:1"
	s, err := New(t.Context(), live.NewMemory(), Config{MaxConns: 2}.SharePages())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	all := &callers{addresses: []string{stranger, stranger, stranger, stranger, other, stranger, "[2001:db8::1]:1", "[2001:db8::2]:1", "[2001:db8::3]:1"}}
	l := s.limitConns(all)
	var list []net.Conn
	for c, err := l.Accept(); err == nil; c, err = l.Accept() {
		list = append(list, c)
	}
	if len(list) != 5 || all.closed != 4 {
		t.Errorf("%d accepted and %d closed, want 5 and 4", len(list), all.closed)
	}
	for range 2 { // twice is once
		_ = list[0].Close()
	}
	all.addresses = []string{stranger, stranger}
	if c, err := l.Accept(); err != nil || c.RemoteAddr().String() != stranger {
		t.Errorf("after one was closed: %v, %v", c, err)
	}
	if c, err := l.Accept(); err == nil {
		t.Errorf("one more: %v", c)
	}
}
