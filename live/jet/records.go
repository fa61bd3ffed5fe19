package jet

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"quintet/live"
)

// The records are a stream that keeps the last message of each subject. It also keeps the previous one
// until overwrite erases it. A NATS key-value bucket would not do, because it refuses to overwrite
// messages.
const (
	recordStream  = "QUINTET_RECORDS"
	recordSubject = "quintet.record" // followed by the key
)

func (l *Log) recordConfig() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: recordStream, Subjects: []string{recordSubject + ".*"}, Description: "accounts and classes of Quintet",
		Storage: jetstream.FileStorage, MaxMsgsPerSubject: 2, Replicas: l.replicas, AllowDirect: true, Duplicates: time.Second,
	}
}

// PutRecord implements live.Log.
func (l *Log) PutRecord(ctx context.Context, key string, after uint64, data []byte) (uint64, error) {
	if err := l.writable(); err != nil {
		return 0, fmt.Errorf("writing record %s: %w", key, err)
	}
	asked, cancel := l.withTimeout(ctx, l.timeout)
	defer cancel()
	ack, err := l.js.Publish(asked, recordSubject+"."+key, data, jetstream.WithExpectLastSequencePerSubject(after), jetstream.WithRetryAttempts(0))
	var refused *jetstream.APIError
	switch {
	case errors.As(err, &refused) && (refused.ErrorCode == wrongLast || refused.ErrorCode == wrongLastConstant):
		return 0, fmt.Errorf("writing record %s: %w (%w)", key, live.ErrStale, err)
	case errors.As(err, &refused) && refused.Code < 500:
		return 0, fmt.Errorf("writing record %s: %w", key, err)
	case err != nil:
		return 0, fmt.Errorf("writing record %s: %w: %w", key, live.ErrUnknown, requestError(asked, err))
	}
	if l.recordSums != nil {
		l.recordSums.add(recordSumOf(key, ack.Sequence, data))
	}
	if after == 0 {
		return ack.Sequence, nil
	}
	return ack.Sequence, l.overwrite(ctx, after)
}

// overwrite erases a message that a newer one of the same record has replaced.
func (l *Log) overwrite(ctx context.Context, seq uint64) error {
	ctx, cancel := l.withTimeout(ctx, l.timeout)
	defer cancel()
	s, err := l.js.Stream(ctx, recordStream)
	if err == nil {
		err = s.SecureDeleteMsg(ctx, seq)
	}
	if err != nil && !errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) && !errors.Is(err, jetstream.ErrMsgNotFound) {
		return fmt.Errorf("erasing record %d: %w: %w", seq, live.ErrUnknown, requestError(ctx, err))
	}
	return nil
}

// GetRecord implements live.Log. It asks the leader, because another NATS server may lag.
func (l *Log) GetRecord(ctx context.Context, key string) (live.Record, error) {
	e, ok, err := l.ask(ctx, recordStream, map[string]any{"last_by_subj": recordSubject + "." + key})
	switch {
	case err != nil:
		return live.Record{}, fmt.Errorf("reading record %s: %w", key, err)
	case !ok:
		return live.Record{}, nil
	}
	return live.Record{Key: key, Revision: e.Seq, Data: e.Data}, nil
}

// FollowRecords implements live.Log. It also erases replaced messages that a killed server left behind.
func (l *Log) FollowRecords(ctx context.Context) iter.Seq2[live.Record, error] {
	return func(yield func(live.Record, error) bool) {
		if err := l.followRecords(ctx, func(r live.Record) bool { return yield(r, nil) }); err != nil && ctx.Err() == nil {
			yield(live.Record{}, fmt.Errorf("reading the records: %w", err))
		}
	}
}

func (l *Log) followRecords(ctx context.Context, f func(live.Record) bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(l.era(), cancel)()
	asked, answered := context.WithTimeout(ctx, l.timeout)
	defer answered()
	s, err := l.js.Stream(asked, recordStream)
	if err != nil {
		return err
	}
	last := s.CachedInfo().State.LastSeq
	if last == 0 && !f(live.Record{}) {
		return nil
	}
	consumer, err := s.OrderedConsumer(asked, jetstream.OrderedConsumerConfig{})
	if err != nil {
		return err
	}
	messages, err := consumer.Messages(jetstream.PullMaxBytes(followBytes))
	if err != nil {
		return err
	}
	defer messages.Stop()
	defer context.AfterFunc(ctx, messages.Stop)()
	caughtUp := last == 0
	before := map[string]uint64{} // the latest message of each key, up to last
	for {
		m, err := messages.Next()
		if err != nil {
			return err
		}
		info, err := m.Metadata()
		if err != nil {
			return err
		}
		key, seq := strings.TrimPrefix(m.Subject(), recordSubject+"."), info.Sequence.Stream
		if seq <= last && before[key] > 0 {
			if err := l.overwrite(ctx, before[key]); err != nil {
				return err
			}
		}
		before[key] = seq
		if !f(live.Record{Key: key, Revision: seq, Data: m.Data()}) || seq >= last && !caughtUp && !f(live.Record{}) {
			return nil
		}
		if seq >= last { // the message last itself may have been overwritten meanwhile
			caughtUp = true
			clear(before)
		}
	}
}
