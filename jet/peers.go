package jet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"quintet/live"
)

// Where servers tell each other the service time, and ask for it. What is told there is
// not kept.
const (
	tellSubject = "quintet.time"
	askSubject  = "quintet.time.ask"
)

// Tell tells all who hear how far the service time has come, and for how long it will
// still stand there. It may be lost.
func (l *Log) Tell(b live.Beat, stand time.Duration) error {
	if err := l.conn.Publish(tellSubject, l.told(b, stand)); err != nil {
		return fmt.Errorf("telling the service time: %w", err)
	}
	return nil
}

// Ask asks all who hear how far the service time has come. The first who answers
// counts.
func (l *Log) Ask(ctx context.Context) (b live.Beat, stand time.Duration, err error) {
	m, err := l.conn.RequestWithContext(ctx, askSubject, []byte(l.name))
	if err != nil {
		return b, 0, fmt.Errorf("asking for the service time: %w", err)
	}
	b, stand, _, err = readTold(string(m.Data))
	if err != nil {
		return b, 0, fmt.Errorf("asking for the service time: %w", err)
	}
	return b, stand, nil
}

// Hear calls told with what another Log tells, and answer when one asks, which is not
// ok if there is nothing to answer; until stop is called.
func (l *Log) Hear(told func(b live.Beat, stand time.Duration), answer func() (b live.Beat, stand time.Duration, ok bool)) (stop func(), err error) {
	hears, err := l.conn.Subscribe(tellSubject, func(m *nats.Msg) {
		if b, stand, name, err := readTold(string(m.Data)); err == nil && name != l.name {
			told(b, stand)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("hearing the service time: %w", err)
	}
	answers, err := l.conn.Subscribe(askSubject, func(m *nats.Msg) {
		if b, stand, ok := answer(); ok && string(m.Data) != l.name {
			_ = m.Respond(l.told(b, stand)) // who does not get it asks again
		}
	})
	if err != nil {
		_ = hears.Unsubscribe()
		return nil, fmt.Errorf("hearing who asks for the service time: %w", err)
	}
	return func() { _, _ = hears.Unsubscribe(), answers.Unsubscribe() }, nil // they fail when the log is closed
}

func (l *Log) told(b live.Beat, stand time.Duration) []byte {
	return fmt.Appendf(nil, "%s %s %s", beatText(b), stand, l.name)
}

func readTold(text string) (b live.Beat, stand time.Duration, name string, err error) {
	words := strings.Fields(text)
	if len(words) != 4 {
		return b, 0, "", errors.New("want a service time, an epoch, how long it stands, and a name")
	}
	if b, err = readBeat(words[0] + " " + words[1]); err != nil {
		return b, 0, "", err
	}
	stand, err = time.ParseDuration(words[2])
	return b, stand, words[3], err
}
