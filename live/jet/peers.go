package jet

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go"

	"quintet/live"
)

// Subjects on which servers announce readings of the service clock, and ask for them. The
// messages are not stored.
const (
	readingSubject = "quintet.time"
	querySubject   = "quintet.time.ask"
)

// Announce sends a reading to all servers that subscribe. It may be lost.
func (l *Log) Announce(r live.ClockReading) error {
	if err := l.publish(readingSubject, r); err != nil {
		return fmt.Errorf("announcing the service time: %w", err)
	}
	return nil
}

// publish sends a message as JSON to all servers that subscribe.
func (l *Log) publish(subject string, message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return l.conn.Publish(subject, text)
}

// Query asks all servers for a reading, and returns the first answer.
func (l *Log) Query(ctx context.Context) (live.ClockReading, error) {
	m, err := l.conn.RequestWithContext(ctx, querySubject, nil)
	if err != nil {
		return live.ClockReading{}, fmt.Errorf("asking for the service time: %w", err)
	}
	var r live.ClockReading
	if err := json.Unmarshal(m.Data, &r); err != nil {
		return live.ClockReading{}, fmt.Errorf("asking for the service time: %w", err)
	}
	return r, nil
}

// Subscribe calls observe with each reading that another server announces, and answer when
// one asks; answer is not ok if this server is not synchronized. Both end with stop.
func (l *Log) Subscribe(observe func(live.ClockReading), answer func() (r live.ClockReading, ok bool)) (stop func(), err error) {
	readings, err := l.conn.Subscribe(readingSubject, func(m *nats.Msg) {
		var r live.ClockReading
		if err := json.Unmarshal(m.Data, &r); err == nil {
			observe(r)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("subscribing to readings of the service time: %w", err)
	}
	queries, err := l.conn.Subscribe(querySubject, func(m *nats.Msg) {
		if r, ok := answer(); ok {
			if text, err := json.Marshal(r); err == nil {
				_ = m.Respond(text) // a server that misses it asks again
			}
		}
	})
	if err != nil {
		_ = readings.Unsubscribe()
		return nil, fmt.Errorf("subscribing to queries of the service time: %w", err)
	}
	return func() { _, _ = readings.Unsubscribe(), queries.Unsubscribe() }, nil // they fail only when the log is closed
}
