package proxy

import (
	"net"
	"sync"
	"time"
)

// pair is a client's connection and the proxy's own to the address.
type pair struct {
	gone chan struct{} // closed when they end

	mu      sync.Mutex // guards the rest
	in, out net.Conn   // out is nil at first
	ended   bool
}

// attach adds the connection to the address; false if the pair has ended.
func (c *pair) attach(out net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		_ = out.Close() // nothing was sent
		return false
	}
	c.out = out
	return true
}

// end closes both connections, with a TCP reset on request.
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
		_ = side.Close() // the other end may have closed it
	}
}

// chunk is the data of one read.
type chunk struct {
	data []byte
	at   time.Time
}

const (
	chunkBytes = 16 << 10
	maxChunks  = 256 // in flight in one direction
)

// forward copies one direction until a side ends. It reads ahead, so that a delay is
// the same for all data.
func (p *Proxy) forward(c *pair, to, from net.Conn, w Way) {
	queue := make(chan chunk, maxChunks)
	var reader sync.WaitGroup
	reader.Go(func() {
		defer close(queue)
		for {
			data := make([]byte, chunkBytes)
			n, err := from.Read(data)
			if n > 0 {
				select {
				case queue <- chunk{data[:n], time.Now()}:
				case <-c.gone:
					return
				}
			}
			if err != nil {
				return
			}
		}
	})
	for it := range queue {
		if !p.await(c, it, w) {
			break
		}
		if _, err := to.Write(it.data); err != nil {
			break
		}
	}
	c.end(false)
	reader.Wait()
}

// await waits until the fault lets a chunk through; false if the pair ends first.
func (p *Proxy) await(c *pair, it chunk, w Way) bool {
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
