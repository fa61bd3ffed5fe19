package load

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// How a page connects again when it has lost its server (web/ui/connection.ts):
// after a moment, which grows with every try.
const (
	againFirst   = 250 * time.Millisecond
	againGrows   = 1.6
	againLongest = 4 * time.Second
)

// followers watch games as pages do, and come back when the server is there again.
type followers struct {
	away atomic.Int64 // that have lost their server
	back spreads      // from losing the server until the game was there again
	all  sync.WaitGroup
}

// follow watches a game until the context ends.
func (f *followers) follow(ctx context.Context, url, token string) {
	f.all.Go(func() {
		var lost time.Time
		wait := againFirst
		for ctx.Err() == nil {
			_ = watch(ctx, url, token, func() {
				if !lost.IsZero() {
					f.back.add(time.Since(lost))
					f.away.Add(-1)
				}
				lost, wait = time.Time{}, againFirst
			}) // it ends when the server does
			if lost.IsZero() {
				lost = time.Now()
				f.away.Add(1)
			}
			select {
			case <-ctx.Done():
			case <-time.After(wait):
			}
			wait = min(time.Duration(float64(wait)*againGrows), againLongest)
		}
		if !lost.IsZero() {
			f.away.Add(-1)
		}
	})
}

// watch reads what a socket tells until it ends, and says when the first has come.
func watch(ctx context.Context, url, token string, here func()) error {
	conn, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + token}}}) //nolint:bodyclose // the library closes it
	if err != nil {
		return err
	}
	defer func() { _ = conn.CloseNow() }() // the server has gone
	conn.SetReadLimit(1 << 20)
	for first := true; ; first = false {
		_, data, err := conn.Read(ctx)
		if err != nil {
			return err
		}
		var a answer
		if err := json.Unmarshal(data, &a); err != nil {
			return err
		}
		if first {
			here()
		}
	}
}

// together waits until everybody is back.
func (f *followers) together(ctx context.Context) error {
	for began := time.Now(); f.away.Load() > 0; {
		if time.Since(began) > time.Minute || ctx.Err() != nil {
			return errors.New("there are pages that do not find back to the server within a minute")
		}
		time.Sleep(5 * time.Millisecond)
	}
	return nil
}
