package jet

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
)

// tellSubject is where servers tell each other the service time. What is told there
// is not kept.
const tellSubject = "quintet.time"

// Tell tells all who hear that the service time has come so far. It may be lost.
func (l *Log) Tell(service int64) error {
	if err := l.conn.Publish(tellSubject, fmt.Appendf(nil, "%d %s", service, l.name)); err != nil {
		return fmt.Errorf("telling the service time: %w", err)
	}
	return nil
}

// Hear calls a function with each service time that another Log tells, until stop is
// called.
func (l *Log) Hear(f func(service int64)) (stop func(), err error) {
	sub, err := l.conn.Subscribe(tellSubject, func(m *nats.Msg) {
		text, name, _ := strings.Cut(string(m.Data), " ")
		if service, err := strconv.ParseInt(text, 10, 64); err == nil && name != l.name {
			f(service)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("hearing the service time: %w", err)
	}
	return func() { _ = sub.Unsubscribe() }, nil // it fails when the log is closed
}
