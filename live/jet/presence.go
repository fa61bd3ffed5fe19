package jet

import (
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go"
)

// presenceSubject is the subject on which servers announce which players are connected. The
// messages are not stored.
const presenceSubject = "quintet.presence"

// presence is the seats whose players are connected to a server.
type presence struct {
	Seats []string `json:"seats"`
}

// AnnouncePresence sends seats to all servers that subscribe. It may be lost.
func (l *Log) AnnouncePresence(seats []string) error {
	if err := l.publish(presenceSubject, presence{seats}); err != nil {
		return fmt.Errorf("announcing which players are connected: %w", err)
	}
	return nil
}

// SubscribePresence calls observe with the seats that each other server announces, until
// stop.
func (l *Log) SubscribePresence(observe func(seats []string)) (stop func(), err error) {
	s, err := l.conn.Subscribe(presenceSubject, func(m *nats.Msg) {
		var p presence
		if err := json.Unmarshal(m.Data, &p); err == nil {
			observe(p.Seats)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("subscribing to which players are connected: %w", err)
	}
	return func() { _ = s.Unsubscribe() }, nil // it fails only when the log is closed
}
