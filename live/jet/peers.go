package jet

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go"

	"quintet/live"
)

// Where servers tell each other the service time, and ask for it. What is told there is
// not kept.
const (
	tellSubject = "quintet.time"
	askSubject  = "quintet.time.ask"
)

// A tell is what is told, and by whom: nobody hears itself.
type tell struct {
	live.ClockReading
	By string `json:"by"`
}

// Announce tells all who hear how far the service time has come. It may be lost.
func (l *Log) Announce(t live.ClockReading) error {
	text, err := json.Marshal(tell{t, l.name})
	if err == nil {
		err = l.conn.Publish(tellSubject, text)
	}
	if err != nil {
		return fmt.Errorf("telling the service time: %w", err)
	}
	return nil
}

// Query asks all who hear how far the service time has come. The first who answers
// counts.
func (l *Log) Query(ctx context.Context) (live.ClockReading, error) {
	m, err := l.conn.RequestWithContext(ctx, askSubject, []byte(l.name))
	if err != nil {
		return live.ClockReading{}, fmt.Errorf("asking for the service time: %w", err)
	}
	var t live.ClockReading
	if err := json.Unmarshal(m.Data, &t); err != nil {
		return live.ClockReading{}, fmt.Errorf("asking for the service time: %w", err)
	}
	return t, nil
}

// Subscribe calls told with what another Log tells, and answer when one asks, which is not
// ok if there is nothing to answer; until stop is called.
func (l *Log) Subscribe(told func(live.ClockReading), answer func() (t live.ClockReading, ok bool)) (stop func(), err error) {
	hears, err := l.conn.Subscribe(tellSubject, func(m *nats.Msg) {
		var t tell
		if err := json.Unmarshal(m.Data, &t); err == nil && t.By != l.name {
			told(t.ClockReading)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("hearing the service time: %w", err)
	}
	answers, err := l.conn.Subscribe(askSubject, func(m *nats.Msg) {
		if t, ok := answer(); ok && string(m.Data) != l.name {
			if text, err := json.Marshal(t); err == nil {
				_ = m.Respond(text) // who does not get it asks again
			}
		}
	})
	if err != nil {
		_ = hears.Unsubscribe()
		return nil, fmt.Errorf("hearing who asks for the service time: %w", err)
	}
	return func() { _, _ = hears.Unsubscribe(), answers.Unsubscribe() }, nil // they fail when the log is closed
}
