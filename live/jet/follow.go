package jet

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"quintet/live"
)

// Follow implements live.Log. In a cluster, the server that it reads from may fail at any
// time; it then continues at another one after the last event that it has seen.
func (l *Log) Follow(ctx context.Context, after uint64) iter.Seq2[live.Entry, error] {
	return func(yield func(live.Entry, error) bool) {
		for {
			more, err := l.follow(ctx, after, func(e live.Entry) bool {
				after = e.Seq
				return yield(e, nil)
			})
			if !more || ctx.Err() != nil {
				return
			}
			if !l.resumes(err) {
				yield(live.Entry{}, fmt.Errorf("following the log: %w", err))
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(againTime):
			}
		}
	}
}

// resumes reports whether to retry after an error. Missed heartbeats of the server inside
// the process only mean that the machine is busy. A gap means that the server has
// disconnected a slow reader.
func (l *Log) resumes(err error) bool {
	return !l.conn.IsClosed() && (l.embedded == nil || errors.Is(err, jetstream.ErrNoHeartbeat) || errors.Is(err, errGap))
}

// How long a pull request lasts, and the interval of JetStream's heartbeats. After two missed
// heartbeats the client pulls again, perhaps from another server of the cluster. A restart of
// the server inside the process ends the era, see embeddedServer: its heartbeats are rare,
// because a busy machine delays them.
const (
	pullTime     = 10 * time.Second
	heartTime    = 500 * time.Millisecond
	ownPullTime  = time.Minute
	ownHeartTime = 30 * time.Second
	againTime    = 100 * time.Millisecond
)

func (l *Log) pullTimes() (pull, heartbeat time.Duration) {
	if l.embedded != nil {
		return ownPullTime, ownHeartTime
	}
	return pullTime, heartTime
}

var errGap = errors.New("a gap in the sequence of events")

// follow calls f with every event until f returns false, or the NATS server sends no more:
// then another one may have more. It returns errRestarted when the server inside the process
// is restarted.
func (l *Log) follow(ctx context.Context, after uint64, f func(live.Entry) bool) (more bool, err error) {
	era := l.era()
	defer func() {
		if err != nil && era.Err() != nil {
			err = errRestarted
		}
	}()
	pull, heartbeat := l.pullTimes()
	consumer, err := l.consumer(ctx, after, 3*pull)
	if err != nil {
		return true, err
	}
	messages, err := consumer.Messages(jetstream.PullMaxBytes(followBytes), jetstream.PullExpiry(pull), jetstream.PullHeartbeat(heartbeat))
	if err != nil {
		return true, err
	}
	defer messages.Stop()
	defer context.AfterFunc(ctx, messages.Stop)()
	defer context.AfterFunc(era, messages.Stop)()
	for n := uint64(1); ctx.Err() == nil; n++ {
		m, err := messages.Next(jetstream.NextMaxWait(pullTime))
		if errors.Is(err, nats.ErrTimeout) {
			if n--; l.hasAfter(ctx, after) { // the last events were lost on their way
				return true, errGap
			}
			continue
		}
		if err != nil {
			return true, err
		}
		info, err := m.Metadata()
		if err != nil {
			return true, err
		}
		if info.Sequence.Consumer != n {
			return true, errGap
		}
		before := after
		after = info.Sequence.Stream
		if l.embedded != nil && !l.embedded.durable.wait(ctx, era, after) && era.Err() != nil {
			return true, errRestarted
		}
		e := live.Entry{Stream: strings.TrimPrefix(m.Subject(), subjects+"."), Seq: after, Data: m.Data()}
		more, err := l.deliver(ctx, before, e, func(e live.Entry) bool { return ctx.Err() == nil && f(e) })
		if err != nil || !more {
			return more, err
		}
	}
	return false, nil
}

// consumer creates a consumer of the events after a sequence number.
func (l *Log) consumer(ctx context.Context, after uint64, inactive time.Duration) (jetstream.Consumer, error) {
	ctx, cancel := l.withTimeout(ctx, l.timeout)
	defer cancel()
	defer context.AfterFunc(l.link.meta.Current(), cancel)() // the leader that was asked is gone
	return l.js.CreateConsumer(ctx, streamName, jetstream.ConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: after + 1, AckPolicy: jetstream.AckNonePolicy,
		Replicas: 1, MemoryStorage: true, InactiveThreshold: inactive,
	})
}

// deliver calls f with what a follower gets for an entry: the replacements of erased events since the number before and
// the events that its copy lacks, then the entry itself or its replacement, if any. It passes on each missing event as
// it is read, so that the follower gets past any number of them, however often it has to continue. more is false once f
// has returned false.
func (l *Log) deliver(ctx context.Context, before uint64, e live.Entry, f func(live.Entry) bool) (more bool, err error) {
	gap := l.embedded == nil && e.Seq > before+1
	if e.Stream == live.ModerationStream || gap {
		if err := l.readErased(ctx); err != nil {
			return true, err
		}
	}
	replaced := l.erased.between(before, e.Seq, "")
	replacedUntil := func(seq uint64) bool {
		for ; len(replaced) > 0 && replaced[0].Seq < seq; replaced = replaced[1:] {
			if !f(replaced[0]) {
				return false
			}
		}
		return true
	}
	if gap {
		for m, err := range l.readMissing(ctx, before, e.Seq) {
			if err != nil {
				return true, err
			}
			if !replacedUntil(m.Seq) || !f(m) {
				return false, nil
			}
		}
	}
	if !replacedUntil(e.Seq) {
		return false, nil
	}
	if e, ok := l.erased.instead(e); ok {
		return f(e), nil
	}
	return true, nil
}

// readMissing reads the events between two numbers that were not erased: the copy of a NATS server lacks them because it
// is damaged, and the leader may have them.
func (l *Log) readMissing(ctx context.Context, after, before uint64) iter.Seq2[live.Entry, error] {
	return func(yield func(live.Entry, error) bool) {
		missing, first := 0, uint64(0)
		defer func() {
			if missing > 0 {
				l.fsync.logger.Error("a copy of the log lacks events that its leader has: verify the copies", "first", first, "events", missing)
			}
		}()
		for seq := after + 1; seq < before; seq++ {
			if _, erased := l.erased.of(seq); erased {
				continue
			}
			e, ok, err := l.ask(ctx, streamName, map[string]any{"seq": seq, "next_by_subj": subjects + ".*"})
			if err != nil {
				yield(live.Entry{}, fmt.Errorf("reading event %d, which a copy of the log lacks: %w", seq, err))
				return
			}
			if !ok || e.Seq >= before {
				return
			}
			seq = e.Seq
			if _, erased := l.erased.of(seq); erased {
				continue
			}
			if missing++; missing == 1 {
				first = seq
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// hasAfter reports whether the log is known to have events after a sequence number.
func (l *Log) hasAfter(ctx context.Context, after uint64) bool {
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	last, err := l.Last(ctx)
	return err == nil && last > after
}
