package push

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"
	"time"

	"quintet/serve/fair"
)

// Deliveries have three lanes, each with slots of its own, because an account chooses its endpoints and can let them hang.
// Nobody but their makers can let the push services of browsers hang, so messages to these are not delayed by others.
const (
	browsers = iota // push services of the makers of browsers
	others          // any other endpoint
	slow            // endpoints whose last delivery took long
	lanes
)

// Concurrent deliveries of the lanes.
const (
	browserSenders = 48
	otherSenders   = 12
	slowSenders    = 4
)

// slowTime is how long a delivery takes at least that makes its endpoint slow.
const slowTime = sendTime / 2

// services are the domains of the push services of Chrome, Firefox, Safari and Edge, and of the browsers derived from them.
var services = []string{"fcm.googleapis.com", "push.services.mozilla.com", "push.apple.com", "notify.windows.com"}

// serviceOf returns the push service of a browser's maker to which an endpoint belongs; "" for other endpoints. A service
// answers at the usual port only.
func serviceOf(endpoint string) string {
	at, err := url.Parse(endpoint)
	if err != nil || at.Port() != "" {
		return ""
	}
	for _, s := range services {
		if strings.HasSuffix("."+at.Hostname(), "."+s) {
			return s
		}
	}
	return ""
}

// traffic are the lanes.
type traffic struct {
	lines [lanes]*fair.Line[letter]

	mu   sync.Mutex      // guards slow
	slow map[string]bool // the services and accounts whose last delivery took long, see responsible
}

func newTraffic() *traffic {
	t := &traffic{slow: map[string]bool{}}
	for i := range t.lines {
		t.lines[i] = fair.NewLine[letter](0, maxLetters)
	}
	return t
}

// push queues a letter, unless its lane is full.
func (t *traffic) push(l letter) error { return t.lines[t.laneOf(l)].Push(l.account, false, l) }

// pop waits for the next letter of a lane. Letters whose endpoints have become slow meanwhile change lanes; full is true
// for one that has no place in its lane.
func (t *traffic) pop(ctx context.Context, lane int) (l letter, full bool, err error) {
	for {
		if l, err = t.lines[lane].Pop(ctx); err != nil || lane == slow || t.laneOf(l) == lane {
			return l, false, err
		}
		if errors.Is(t.push(l), fair.ErrFull) {
			return l, true, nil
		}
	}
}

// laneOf returns the lane of a letter.
func (t *traffic) laneOf(l letter) int {
	service := serviceOf(l.to.Endpoint)
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.slow[responsible(l, service)]:
		return slow
	case service != "":
		return browsers
	}
	return others
}

// took notes how long a delivery took.
func (t *traffic) took(l letter, d time.Duration) {
	key := responsible(l, serviceOf(l.to.Endpoint))
	t.mu.Lock()
	defer t.mu.Unlock()
	if delete(t.slow, key); d >= slowTime {
		t.slow[key] = true
	}
}

// responsible returns who let an endpoint be slow: the service, or the account that chose the endpoint.
func responsible(l letter, service string) string {
	if service != "" {
		return service
	}
	return l.account
}
