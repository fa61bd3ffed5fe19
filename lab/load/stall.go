package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"quintet/serve/clock"
)

// Stall is the effect of stalled readers on other players, measured in alternate
// intervals with and without them.
type Stall struct {
	Sockets       int    // that subscribed to a game and never read
	Without, With Notice // what other players noticed
	Left          int    // that the server had not dropped by the end
	Gone          time.Duration
	Before, After uint64 // resident memory of the server before the last of them connected, and its maximum after, in bytes
}

// Notice is what players notice of a server.
type Notice struct {
	Acknowledged, Seen Spread
	Typical            time.Duration // median over the intervals of their 99th percentiles, robust against one bad moment
	Intervals          int
}

// notice collects what players notice, interval by interval.
type notice struct {
	ack, seen Recorder
	p99       []time.Duration
}

func (n *notice) result() Notice {
	return Notice{n.ack.Spread(), n.seen.Spread(), SpreadOf(n.p99).P50, len(n.p99)}
}

// window adds to a notice what players notice for a duration. A window that the context
// cuts short does not count.
func (r *run) window(ctx context.Context, n *notice, d time.Duration) {
	var ack Recorder
	ack.tee.Store(&n.ack)
	r.seen.tee.Store(&n.seen)
	r.ack.tee.Store(&ack)
	clock.Sleep(ctx, d)
	r.ack.tee.Store(nil)
	r.seen.tee.Store(nil)
	if s := ack.Spread(); s.N > 0 && ctx.Err() == nil {
		n.p99 = append(n.p99, s.P99)
	}
}

// stallIntervals is the number of intervals with stalled readers, and of those
// without.
const stallIntervals = 12

// stalls measures with and without stalled readers for two thirds of the duration.
// In the last third it measures how long the server keeps them.
func (r *run) stalls(ctx context.Context, s *Stall) (err error) {
	sockets := r.config.Stalled
	ctx, cancel := context.WithTimeout(ctx, r.config.Duration)
	defer cancel()
	var both [2]notice
	for turn := range 2 * stallIntervals {
		var end func()
		if turn%2 == 1 {
			if end, err = r.stalled(ctx, sockets); err != nil && ctx.Err() == nil {
				return fmt.Errorf("measuring with stalled readers: %w", err)
			}
		}
		r.window(ctx, &both[turn%2], r.config.Duration/(3*stallIntervals)) // connecting comes on top
		if end != nil {
			end()
		}
	}
	*s = Stall{Sockets: sockets, Without: both[0].result(), With: both[1].result()}
	return r.drops(ctx, s)
}

// drops measures how long the server keeps stalled readers.
func (r *run) drops(ctx context.Context, s *Stall) error {
	for r.watchers(ctx) > r.config.Sockets && ctx.Err() == nil {
		clock.Sleep(ctx, 100*time.Millisecond) // the server is still dropping the last ones
	}
	s.Before, s.Left = r.memory(ctx), s.Sockets
	end, err := r.stalled(ctx, s.Sockets)
	if err == nil {
		defer end()
	}
	if err != nil || ctx.Err() != nil {
		if ctx.Err() != nil { // no time was left to measure it
			err = nil
		}
		return err
	}
	for began := time.Now(); ; clock.Sleep(ctx, time.Second) {
		left := r.watchers(ctx) - r.config.Sockets
		if ctx.Err() != nil {
			return nil // Left says how many remain
		}
		s.Left, s.Gone, s.After = max(left, 0), time.Since(began), max(s.After, r.memory(ctx))
		if left <= 0 {
			return nil
		}
	}
}

// stalled connects readers that never read to live games. It returns a function
// that disconnects them.
func (r *run) stalled(ctx context.Context, n int) (end func(), err error) {
	games, err := r.listed(ctx)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Transport: &http.Transport{DialContext: dialSmall}}
	var all []*websocket.Conn
	end = func() {
		for _, c := range all {
			_ = c.CloseNow() // the server may have closed it already
		}
	}
	for i := range n {
		url := r.config.URL + "/api/games/" + games[i%len(games)] + "/socket?board=1"
		c, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPClient: client}) //nolint:bodyclose // the library closes it
		if err != nil {
			end()
			return nil, fmt.Errorf("connecting a stalled reader: %w", err)
		}
		all = append(all, c)
	}
	return end, nil
}

// listed returns the ids of live games. The list of a busy server may lag, so it
// is polled.
func (r *run) listed(ctx context.Context) (ids []string, err error) {
	var list struct {
		Games []struct{ ID string }
	}
	for began := time.Now(); len(list.Games) == 0; clock.Sleep(ctx, 50*time.Millisecond) {
		if time.Since(began) > 10*time.Second || ctx.Err() != nil {
			return nil, errors.New("listing live games: the server has none after 10 s")
		}
		if err := r.client.Get(ctx, r.config.URL+"/api/games?state=live&limit=200", &list); err != nil {
			return nil, err
		}
	}
	for _, g := range list.Games {
		ids = append(ids, g.ID)
	}
	return ids, nil
}

// dialSmall connects with the smallest receive buffer, so that the server soon
// notices that the client does not read.
func dialSmall(ctx context.Context, network, addr string) (net.Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		err = tcp.SetReadBuffer(1 << 10)
	}
	return c, err
}

// watchers returns how many watchers the server has.
func (r *run) watchers(ctx context.Context) int { return int(r.metric(ctx, "quintet_watchers")) }
