package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"quintet/lab/load"
	"quintet/serve/clock"
)

// The backoff of a page that reconnects (web/ui/connection.ts).
const (
	backoffFirst  = 250 * time.Millisecond
	backoffFactor = 1.6
	backoffMax    = 4 * time.Second
)

// pages watch games as browsers do, and reconnect when they lose the server.
type pages struct {
	away atomic.Int64  // pages that are disconnected
	back load.Recorder // from losing the server until the page had its game again
	all  sync.WaitGroup
}

// open watches a game until the context ends.
func (p *pages) open(ctx context.Context, url, token string) {
	p.all.Go(func() {
		var lost time.Time
		wait := backoffFirst
		for ctx.Err() == nil {
			_ = watch(ctx, url, token, func() { // it returns when the server is gone
				if !lost.IsZero() {
					p.back.Add(time.Since(lost))
					p.away.Add(-1)
				}
				lost, wait = time.Time{}, backoffFirst
			})
			if lost.IsZero() {
				lost = time.Now()
				p.away.Add(1)
			}
			clock.Sleep(ctx, wait)
			wait = min(time.Duration(float64(wait)*backoffFactor), backoffMax)
		}
		if !lost.IsZero() {
			p.away.Add(-1)
		}
	})
}

// watch reads a socket until it fails. It calls connected after the first frame.
func watch(ctx context.Context, url, token string, connected func()) error {
	conn, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + token}}}) //nolint:bodyclose // the library closes it
	if err != nil {
		return err
	}
	defer func() { _ = conn.CloseNow() }() // the server is gone
	conn.SetReadLimit(1 << 20)
	for first := true; ; first = false {
		_, data, err := conn.Read(ctx)
		if err != nil {
			return err
		}
		if !json.Valid(data) {
			return fmt.Errorf("reading a socket: %q is not JSON", data)
		}
		if first {
			connected()
		}
	}
}

// awaitAll waits until all pages are connected.
func (p *pages) awaitAll(ctx context.Context) error {
	if poll(ctx, time.Minute, func() bool { return p.away.Load() == 0 }) {
		return nil
	}
	return errors.New("waiting for pages to reconnect: some have not after a minute")
}
