// Package proxy is a TCP proxy that injects network faults: it closes, resets,
// stalls or delays connections, in one direction or both.
//
// Listen starts a Proxy in front of an address; Set sets the fault, for open
// connections and new ones. Bytes that get through are never changed, dropped or
// reordered: a stalled connection delivers what it held back when the fault ends, and
// a connection that is closed loses what was in flight.
package proxy

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"
)

// Kind is a kind of fault.
type Kind int

// The kinds of faults.
const (
	Whole Kind = iota // no fault
	Cut               // connections are closed, new ones at once
	Reset             // the same, with a TCP reset (RST)
	Stall             // connections are accepted, but nothing comes through
	Delay             // everything arrives later
)

// Way is a direction of a connection, or both.
type Way int

// The directions. Cut and Reset hit both.
const (
	Both  Way = iota
	There     // from the client to the address
	Back
)

// Fault is a network fault. The zero Fault is none.
type Fault struct {
	Kind Kind
	Way  Way
	By   time.Duration // the delay, for Delay
}

// on returns the fault of one direction.
func (f Fault) on(w Way) Fault {
	if f.Way == Both || f.Way == w {
		return f
	}
	return Fault{}
}

// Proxy forwards connections to an address.
type Proxy struct {
	listener net.Listener
	target   string
	dial     net.Dialer
	ctx      context.Context //nolint:containedctx // ends the connections, which have no caller
	cancel   context.CancelFunc
	all      sync.WaitGroup

	mu      sync.Mutex // guards the rest
	fault   Fault
	changed chan struct{} // closed when fault changes
	pairs   map[*pair]bool
}

// Listen starts a proxy at an address of this machine, such as 127.0.0.1:0, in
// front of another. Close ends it.
func Listen(ctx context.Context, address, target string) (*Proxy, error) {
	var listen net.ListenConfig
	l, err := listen.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening in front of %s: %w", target, err)
	}
	p := &Proxy{listener: l, target: target, changed: make(chan struct{}), pairs: map[*pair]bool{}}
	p.ctx, p.cancel = context.WithCancel(context.WithoutCancel(ctx))
	p.all.Go(p.accept)
	return p, nil
}

// Address returns where the proxy listens, as host:port.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Set sets the fault from now on.
func (p *Proxy) Set(f Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = f
	close(p.changed)
	p.changed = make(chan struct{})
	if f.Kind == Cut || f.Kind == Reset {
		for c := range p.pairs {
			c.end(f.Kind == Reset)
		}
	}
}

// state returns the fault of a direction, and a channel that is closed when it
// changes.
func (p *Proxy) state(w Way) (Fault, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fault.on(w), p.changed
}

// Close ends the proxy and all connections through it.
func (p *Proxy) Close() error {
	err := p.listener.Close()
	p.cancel()
	p.mu.Lock()
	for c := range p.pairs {
		c.end(false)
	}
	p.mu.Unlock()
	p.all.Wait()
	return err
}

func (p *Proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.all.Go(func() { p.serve(conn) })
	}
}

// serve forwards one connection.
func (p *Proxy) serve(in net.Conn) {
	c := &pair{in: in, gone: make(chan struct{})}
	defer c.end(false)
	if !p.add(c) {
		return
	}
	defer p.remove(c)
	out, err := p.dial.DialContext(p.ctx, "tcp", p.target)
	if err != nil || !c.attach(out) {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { p.forward(c, out, in, There) })
	both.Go(func() { p.forward(c, in, out, Back) })
	both.Wait()
}

// add registers a connection, or closes it if the fault is Cut or Reset.
func (p *Proxy) add(c *pair) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fault.Kind == Cut || p.fault.Kind == Reset || p.ctx.Err() != nil {
		c.end(p.fault.Kind == Reset)
		return false
	}
	p.pairs[c] = true
	return true
}

func (p *Proxy) remove(c *pair) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.pairs, c)
}
