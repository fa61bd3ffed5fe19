// Package proxy stands in a way of TCP and does to it what networks do: it cuts it,
// lets nothing through, lets things through late, or resets it, both ways or one.
//
// Listen starts a Proxy in front of an address; Set says what is wrong with the way
// from now on, for the connections that there are and for new ones. Nothing is ever
// changed or left out of what gets through: what was held back comes when the way
// is whole again, as TCP has it, and what was on a way that is cut is lost.
package proxy

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"
)

// Kind is what is wrong with a way.
type Kind int

// The kinds of faults.
const (
	Whole Kind = iota // nothing
	Cut               // connections end, and new ones end at once
	Reset             // the same, by a reset (RST) in place of an orderly end
	Stall             // connections are accepted, and nothing comes through
	Delay             // everything comes later
)

// String names the kind.
func (k Kind) String() string { return [...]string{"whole", "cut", "reset", "stall", "delay"}[k] }

// Way is a direction, or both.
type Way int

// The ways. Cut and Reset know no direction: they are Both.
const (
	Both  Way = iota
	There     // from who connects to the address
	Back
)

// Fault is what is wrong with a way. The zero Fault is nothing.
type Fault struct {
	Kind Kind
	Way  Way
	By   time.Duration // how much later, for Delay
}

// on returns what is wrong in one direction.
func (f Fault) on(w Way) Fault {
	if f.Way == Both || f.Way == w {
		return f
	}
	return Fault{}
}

// Proxy is a way to an address.
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

// Set says what is wrong with the way from now on.
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

// state returns what is wrong in a direction, and what is closed when that changes.
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

// serve carries one connection.
func (p *Proxy) serve(in net.Conn) {
	c := &pair{in: in, gone: make(chan struct{})}
	defer c.end(false)
	if !p.add(c) {
		return
	}
	defer p.remove(c)
	out, err := p.dial.DialContext(p.ctx, "tcp", p.target)
	if err != nil || !c.joins(out) {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { p.carry(c, out, in, There) })
	both.Go(func() { p.carry(c, in, out, Back) })
	both.Wait()
}

// add takes a connection in, unless the way is cut.
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
