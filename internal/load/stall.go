package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// Stall is what readers that stall have done to the others. Half of the time they
// were there, half of the time they were not, in turn.
type Stall struct {
	Sockets       int    // that asked to be told of a game and never read
	Without, With Notice // what the others noticed
	Left          int    // that the server had not dropped in the end
	Gone          time.Duration
	Before, After uint64 // resident memory of the server before they came the last time, and the most while they were there
}

// Notice is what players notice of a server.
type Notice struct {
	Acknowledged, Seen Spread
	Typical            time.Duration // the median of the 99th percentiles of the turns, which one bad moment does not change
}

// notice gathers what players notice, turn by turn.
type notice struct {
	ack, seen spreads
	p99       []time.Duration
}

func (n *notice) result() Notice {
	return Notice{n.ack.spread(), n.seen.spread(), Spreads(n.p99).P50}
}

// stallTurns is how often there are stalled readers and then none.
const stallTurns = 12

// stalls measures with and without readers that stall, for two thirds of the time;
// in the last third it looks how long the server keeps them.
func (r *run) stalls(ctx context.Context) (s Stall, err error) {
	sockets := r.config.Stalled
	ctx, cancel := context.WithTimeout(ctx, r.config.Duration)
	defer cancel()
	var both [2]notice
	for turn := range 2 * stallTurns {
		var end func()
		if turn%2 == 1 {
			if end, err = r.stalled(ctx, sockets); err != nil && ctx.Err() == nil {
				return s, err
			}
		}
		n := &both[turn%2]
		r.seen.also.Store(&n.seen)
		var ack spreads
		ack.also.Store(&n.ack)
		r.ack.also.Store(&ack)
		pause(ctx, r.config.Duration/(3*stallTurns)) // connecting comes on top
		r.ack.also.Store(nil)
		r.seen.also.Store(nil)
		if s := ack.spread(); s.N > 0 {
			n.p99 = append(n.p99, s.P99)
		}
		if end != nil {
			end()
		}
	}
	s = Stall{Sockets: sockets, Without: both[0].result(), With: both[1].result()}
	return s, r.drops(ctx, &s)
}

// beside starts what is measured beside the load. The function that it returns waits
// for it.
func (r *run) beside(ctx context.Context) func() (*Stall, error) {
	if r.config.Stalled == 0 {
		return func() (*Stall, error) { return nil, nil }
	}
	var s Stall
	var err error
	done := make(chan struct{})
	r.all.Go(func() {
		defer close(done)
		s, err = r.stalls(ctx)
	})
	return func() (*Stall, error) {
		<-done
		return &s, err
	}
}

// drops looks how long the server keeps readers that stall.
func (r *run) drops(ctx context.Context, s *Stall) error {
	for r.watchers(ctx) > r.config.Sockets && ctx.Err() == nil {
		pause(ctx, 100*time.Millisecond) // those before are still leaving
	}
	s.Before, s.Left = r.memory(ctx), s.Sockets
	end, err := r.stalled(ctx, s.Sockets)
	if err == nil {
		defer end()
	}
	if err != nil || ctx.Err() != nil {
		if ctx.Err() != nil { // there was no time left for this
			err = nil
		}
		return err
	}
	for began := time.Now(); ; pause(ctx, time.Second) {
		left := r.watchers(ctx) - r.config.Sockets
		if ctx.Err() != nil {
			return nil // they are still there: Left tells
		}
		s.Left, s.Gone, s.After = max(left, 0), time.Since(began), max(s.After, r.memory(ctx))
		if left <= 0 {
			return nil
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// stalled connects readers that read nothing, to games that are being played. The
// function that it returns ends them.
func (r *run) stalled(ctx context.Context, n int) (end func(), err error) {
	games, err := r.listed(ctx)
	if err != nil {
		return nil, err
	}
	client := &http.Client{Transport: &http.Transport{DialContext: dialSmall}}
	var all []*websocket.Conn
	end = func() {
		for _, c := range all {
			_ = c.CloseNow() // the server may have closed it
		}
	}
	for i := range n {
		url := r.config.URL + "/api/games/" + games[i%len(games)] + "/socket?board=1"
		c, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPClient: client}) //nolint:bodyclose // the library closes it
		if err != nil {
			end()
			return nil, fmt.Errorf("connecting a reader that stalls: %w", err)
		}
		all = append(all, c)
	}
	return end, nil
}

// listed returns games that are being played. The list of a busy server may be some
// moments behind.
func (r *run) listed(ctx context.Context) (ids []string, err error) {
	var list struct {
		Games []struct{ ID string }
	}
	for began := time.Now(); len(list.Games) == 0; pause(ctx, 50*time.Millisecond) {
		if time.Since(began) > 10*time.Second || ctx.Err() != nil {
			return nil, errors.New("there is no game that could be watched")
		}
		if err := get(ctx, r.client, r.config.URL+"/api/games?state=live&limit=200", &list); err != nil {
			return nil, err
		}
	}
	for _, g := range list.Games {
		ids = append(ids, g.ID)
	}
	return ids, nil
}

// dialSmall connects with the smallest buffer that the system allows, so that a
// reader that does not read is noticed soon.
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

// watchers returns how many the server tells of games.
func (r *run) watchers(ctx context.Context) int { return int(r.metric(ctx, "quintet_watchers")) }

// also is where times are added, too.
type also = atomic.Pointer[spreads]
