package jet

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/nats-io/nats.go"
)

// healthSubject is the subject on which NATS servers announce the health of their copies. The messages are not
// stored.
const healthSubject = "quintet.member.health"

// memberHealth is the health of a copy as its server announces it.
type memberHealth struct {
	Server  string `json:"server"`
	Problem string `json:"problem,omitempty"` // damaged, or being fetched; "" if it is intact
}

// announce tells the servers of Quintet the health. They miss it while they are not connected.
func (a *memberAgent) announce() {
	a.mu.Lock()
	text, err := json.Marshal(a.health)
	a.mu.Unlock()
	if err == nil {
		_ = a.conn.Publish(healthSubject, text) // it is repeated
	}
}

// copies are the damaged copies of a cluster.
type copies struct {
	mu      sync.Mutex        // guards the rest
	problem map[string]string // by server
}

// note takes in what a server announces, and returns the problem that it had before.
func (c *copies) note(h memberHealth) (before string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before = c.problem[h.Server]
	if c.problem == nil {
		c.problem = map[string]string{}
	}
	if c.problem[h.Server] = h.Problem; h.Problem == "" {
		delete(c.problem, h.Server)
	}
	return before
}

// DamagedCopies implements live.Copied.
func (l *Log) DamagedCopies() (list []string) {
	l.copies.mu.Lock()
	defer l.copies.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(l.copies.problem)) {
		list = append(list, fmt.Sprintf("NATS server %s: %s", name, l.copies.problem[name]))
	}
	return list
}

// watchCopies notes and logs what NATS servers announce, until the connection is closed.
func (l *Log) watchCopies(logger *slog.Logger) error {
	_, err := l.conn.Subscribe(healthSubject, func(m *nats.Msg) {
		var h memberHealth
		if json.Unmarshal(m.Data, &h) != nil {
			return
		}
		switch before := l.copies.note(h); {
		case before == h.Problem:
		case h.Problem == "":
			logger.Info("a copy of the log is intact again", "nats_server", h.Server)
		default:
			logger.Error("a copy of the log is not intact", "nats_server", h.Server, "problem", h.Problem)
		}
	})
	if err != nil {
		return fmt.Errorf("subscribing to the health of the copies: %w", err)
	}
	return nil
}
