package jet

import (
	"context"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"quintet/farm"
)

// Renew is what Run does from time to time.
func (l *Lease) Renew(ctx context.Context) error { return l.renew(ctx) }

// DelayAcknowledgements lets writes take so long.
func (s *Store) DelayAcknowledgements(d time.Duration) { s.js = late{s.js, d} }

// ReadStored reads the subject and the digest of a result.
func ReadStored(subject, digest string) (string, farm.Stored, error) {
	return storedOf(subject, nats.Header{digestHeader: {digest}, workerHeader: {"W"}})
}

type late struct {
	jetstream.JetStream

	delay time.Duration
}

func (l late) PublishMsg(ctx context.Context, m *nats.Msg, o ...jetstream.PublishOpt) (*jetstream.PubAck, error) {
	ack, err := l.JetStream.PublishMsg(ctx, m, o...)
	time.Sleep(l.delay)
	return ack, err
}
