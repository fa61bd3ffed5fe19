package push

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"strings"
	"sync"
	"time"

	"quintet/serve/fair"
)

// Deliveries have lanes, each with slots of its own, because an account chooses its endpoints and can let them hang.
// Only their makers can let the push services of browsers hang, so no account delays messages to these.
const (
	browsers     = iota // push services of the makers of browsers
	others              // any other endpoint
	slowBrowsers        // those whose last delivery took long
	slowOthers
	lanes
)

// Concurrent deliveries of the lanes.
const (
	browserSenders = 48
	otherSenders   = 12
	slowSenders    = 4 // in each of two
)

// Deliveries that take slowTime or longer make their endpoint slow, until one is quicker or slowAge has passed.
const (
	slowTime = sendTime / 2
	slowAge  = 10 * time.Minute
)

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

// outbox holds the queues of the lanes.
type outbox struct {
	lines [lanes]*fair.Line[letter]
	now   func() time.Time

	mu   sync.Mutex           // guards slow
	slow map[string]time.Time // when the last delivery ended that took long, see slownessKey
}

func newOutbox(now func() time.Time) *outbox {
	o := &outbox{now: now, slow: map[string]time.Time{}}
	for i := range o.lines {
		o.lines[i] = fair.NewLine[letter](0, maxLetters)
	}
	return o
}

// push queues a letter, unless its lane is full.
func (o *outbox) push(l letter) error { return o.lines[o.laneOf(l)].Push(l.account, false, l) }

// pop waits for the next letter of a lane. Letters whose endpoints have become slow meanwhile change lanes; full is true
// for one that has no place in its lane.
func (o *outbox) pop(ctx context.Context, lane int) (l letter, full bool, err error) {
	for {
		if l, err = o.lines[lane].Pop(ctx); err != nil || lane >= slowBrowsers || o.laneOf(l) == lane {
			return l, false, err
		}
		if errors.Is(o.push(l), fair.ErrFull) {
			return l, true, nil
		}
	}
}

// laneOf returns the lane of a letter.
func (o *outbox) laneOf(l letter) int {
	key, lane := slownessKey(l)
	o.mu.Lock()
	defer o.mu.Unlock()
	if at, ok := o.slow[key]; ok && o.now().Sub(at) < slowAge {
		lane += slowBrowsers - browsers
	}
	return lane
}

// took notes how long a delivery took.
func (o *outbox) took(l letter, d time.Duration) {
	key, _ := slownessKey(l)
	o.mu.Lock()
	defer o.mu.Unlock()
	if delete(o.slow, key); d >= slowTime {
		now := o.now()
		maps.DeleteFunc(o.slow, func(_ string, at time.Time) bool { return now.Sub(at) >= slowAge })
		o.slow[key] = now
	}
}

// slownessKey returns the key under which the slowness of an endpoint is recorded, and its lane while it is not slow. The
// key is the push service, or for other endpoints the account that chose them.
func slownessKey(l letter) (key string, lane int) {
	if service := serviceOf(l.to.Endpoint); service != "" {
		return service, browsers
	}
	return l.account, others
}
