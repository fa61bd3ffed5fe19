package proxy

import (
	"net"
	"sync"
	"time"
)

// pair is a connection to the proxy and the one that goes on from there.
type pair struct {
	gone chan struct{} // closed when they end

	mu      sync.Mutex // guards the rest
	in, out net.Conn   // out is nil at first
	ended   bool
}

// joins says which connection it goes on with; false if it has ended.
func (c *pair) joins(out net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		_ = out.Close() // nothing was sent
		return false
	}
	c.out = out
	return true
}

// end closes both sides, with a reset if that is asked for.
func (c *pair) end(reset bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	c.ended = true
	close(c.gone)
	for _, side := range []net.Conn{c.in, c.out} {
		if side == nil {
			continue
		}
		if tcp, ok := side.(*net.TCPConn); ok && reset {
			_ = tcp.SetLinger(0) // then Close resets
		}
		_ = side.Close() // the other end may have closed before
	}
}

// piece is what came at one time.
type piece struct {
	data []byte
	at   time.Time
}

const (
	pieceBytes = 16 << 10
	pieces     = 256 // that are on their way, at most, when they are late
)

// carry takes what comes from one side to the other, until one of them ends. It
// reads ahead, so that what is late is late by the same time, however much it is.
func (p *Proxy) carry(c *pair, to, from net.Conn, w Way) {
	way := make(chan piece, pieces)
	var reader sync.WaitGroup
	reader.Go(func() {
		defer close(way)
		for {
			data := make([]byte, pieceBytes)
			n, err := from.Read(data)
			if n > 0 {
				select {
				case way <- piece{data[:n], time.Now()}:
				case <-c.gone:
					return
				}
			}
			if err != nil {
				return
			}
		}
	})
	for it := range way {
		if !p.let(c, it, w) {
			break
		}
		if _, err := to.Write(it.data); err != nil {
			break
		}
	}
	c.end(false)
	reader.Wait()
}

// let waits until a piece may come through; false if it never will.
func (p *Proxy) let(c *pair, it piece, w Way) bool {
	for {
		f, changed := p.state(w)
		var due <-chan time.Time
		switch f.Kind {
		case Stall:
		case Delay:
			due = time.After(time.Until(it.at.Add(f.By)))
		default:
			return true
		}
		select {
		case <-due:
			return true
		case <-changed:
		case <-c.gone:
			return false
		}
	}
}
