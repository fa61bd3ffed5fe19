package serve

import (
	"net"
	"sync"

	"quintet/serve/api"
	"quintet/serve/fair"
)

// fairListener closes new connections of clients that hold too many, so that one client cannot use up
// the file descriptors of the server.
type fairListener struct {
	net.Listener
	held *fair.Counter
}

// limitConns returns a listener whose clients hold at most Config.MaxConns connections each. There
// is no limit behind a proxy, which all connections come from.
func (s *Server) limitConns(l net.Listener) net.Listener {
	if s.config.MaxConns == 0 || s.config.TrustProxy {
		return l
	}
	return &fairListener{l, fair.NewCounter(s.config.MaxConns)}
}

// Accept implements net.Listener.
func (l *fairListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		client := api.Network(c.RemoteAddr().String())
		if l.held.Acquire(client) {
			return &countedConn{c, sync.OnceFunc(func() { l.held.Release(client) })}, nil
		}
		_ = c.Close() // an answer would cost more than the connection
	}
}

// countedConn is a connection that counts against the limit of its client until it is closed.
type countedConn struct {
	net.Conn
	release func()
}

// Close implements net.Conn.
func (c *countedConn) Close() error {
	defer c.release()
	return c.Conn.Close()
}

// NetConn returns the underlying connection.
func (c *countedConn) NetConn() net.Conn { return c.Conn }
