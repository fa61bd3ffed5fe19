package fair

import (
	"context"
	"sync"
)

// Gate lets one request of each client pass at a time. It is safe for concurrent use.
type Gate struct {
	mu      sync.Mutex // guards clients
	clients map[string]*passage
}

// passage is the state of one client.
type passage struct {
	taken chan struct{} // has a token while a request passes
	refs  int           // requests that pass or wait
}

// NewGate returns a Gate.
func NewGate() *Gate { return &Gate{clients: map[string]*passage{}} }

// Enter waits until no other request of a client passes. The caller calls Leave unless the context
// has ended.
func (g *Gate) Enter(ctx context.Context, client string) error {
	g.mu.Lock()
	p := g.clients[client]
	if p == nil {
		p = &passage{taken: make(chan struct{}, 1)}
		g.clients[client] = p
	}
	p.refs++
	g.mu.Unlock()
	select {
	case p.taken <- struct{}{}:
		return nil
	case <-ctx.Done():
		g.drop(client, p)
		return ctx.Err()
	}
}

// Leave lets the next request of a client pass.
func (g *Gate) Leave(client string) {
	g.mu.Lock()
	p := g.clients[client]
	g.mu.Unlock()
	<-p.taken
	g.drop(client, p)
}

// drop forgets a request.
func (g *Gate) drop(client string, p *passage) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.refs--; p.refs == 0 {
		delete(g.clients, client)
	}
}
