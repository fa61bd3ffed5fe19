package jet

import (
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go"
)

// tellSubject is where servers tell each other the service time. What is told there
// is not kept.
const tellSubject = "quintet.time"

// tells is what a server tells.
type tells struct {
	Name    string `json:"name"` // of the Log
	Service int64  `json:"service"`
	Stands  bool   `json:"stands,omitempty"`
}

// Tell tells all who hear that the service time has come so far, and whether it stands.
// It may be lost.
func (l *Log) Tell(service int64, stands bool) error {
	data, err := json.Marshal(tells{l.name, service, stands})
	if err != nil {
		return fmt.Errorf("telling the service time: %w", err)
	}
	if err := l.conn.Publish(tellSubject, data); err != nil {
		return fmt.Errorf("telling the service time: %w", err)
	}
	return nil
}

// Hear calls a function with each service time that another Log tells, until stop is
// called.
func (l *Log) Hear(f func(service int64, stands bool)) (stop func(), err error) {
	sub, err := l.conn.Subscribe(tellSubject, func(m *nats.Msg) {
		var t tells
		if err := json.Unmarshal(m.Data, &t); err == nil && t.Name != l.name {
			f(t.Service, t.Stands)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("hearing the service time: %w", err)
	}
	return func() { _ = sub.Unsubscribe() }, nil // it fails when the log is closed
}
