package jet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"quintet/live"
)

// Headers of JetStream, from its documentation (ADR-50 has those of batches).
const (
	expectHeader = "Nats-Expected-Last-Subject-Sequence"
	batchID      = "Nats-Batch-Id"
	batchSeq     = "Nats-Batch-Sequence"
	batchCommit  = "Nats-Batch-Commit"
)

// The error codes of JetStream for a wrong last sequence number.
const (
	wrongLast         = 10071
	wrongLastConstant = 10164
)

// The maximum number of events in a batch, and of their bytes without those of the last event.
const (
	maxBatch      = 500
	maxBatchBytes = 2 << 20
)

// leastBatch is the smallest number of events that the embedded server writes as a batch: it keeps each incomplete batch in
// a folder of its own, which takes the processor as long as 12 events do. But each event has an fsync, which takes longer on
// other disks than where that was measured. A cluster keeps batches in memory.
const leastBatch = 6

// write is a pending event.
type write struct {
	stream  string
	subject string
	after   uint64
	data    []byte
	since   time.Time
	done    chan written // takes one
}

type written struct {
	seq uint64
	err error
}

// committer writes events in batches (group commit): events that arrive during a write form
// the next batch.
type committer struct {
	log   *Log
	queue chan *write
	stop  chan struct{}
	all   sync.WaitGroup
}

func newCommitter(l *Log) *committer {
	c := &committer{log: l, queue: make(chan *write, 4*maxBatch), stop: make(chan struct{})}
	c.all.Go(c.run)
	return c
}

func (c *committer) close() {
	close(c.stop)
	c.all.Wait()
}

// Append implements live.Log.
func (l *Log) Append(ctx context.Context, stream string, after uint64, data []byte) (uint64, error) {
	if err := l.damaged.check(stream); err != nil {
		return 0, fmt.Errorf("appending to %s: %w", stream, err)
	}
	after, err := l.lastOf(ctx, subjects+"."+stream, after)
	if err != nil {
		return 0, fmt.Errorf("appending to %s: %w", stream, err)
	}
	w := &write{stream, subjects + "." + stream, after, data, time.Now(), make(chan written, 1)}
	select {
	case l.commit.queue <- w:
	case <-l.commit.stop:
		return 0, fmt.Errorf("appending to %s: the log is closed", stream)
	case <-ctx.Done():
		return 0, fmt.Errorf("appending to %s: %w", stream, ctx.Err())
	}
	select { // wait even if ctx ends: the event may have been written
	case d := <-w.done:
		if d.err != nil {
			return 0, fmt.Errorf("appending to %s: %w", stream, d.err)
		}
		return d.seq, nil
	case <-l.commit.stop:
		return 0, fmt.Errorf("appending to %s: the log is closed: %w", stream, live.ErrUnknown)
	}
}

func (c *committer) run() {
	var later []*write // of streams already in the batch
	for {
		batch, more := c.gather(&later)
		if !more {
			return
		}
		if len(batch) > 0 {
			c.write(batch)
		}
	}
}

// queueTime is how long an event may wait in a cluster until it is sent. After an
// outage, older commands are better decided again.
const queueTime = time.Second

// gather returns the pending events of a batch, at most one of each stream; more is false at the end.
func (c *committer) gather(later *[]*write) (batch []*write, more bool) {
	in, size := map[string]bool{}, 0
	add := func(w *write, rest []*write) []*write {
		if c.log.replicas > 1 && time.Since(w.since) > queueTime {
			w.done <- written{err: fmt.Errorf("%w: it waited too long in the queue and was not sent", live.ErrUnknown)}
			return rest
		}
		if in[w.subject] || len(batch) >= maxBatch || size >= maxBatchBytes {
			return append(rest, w)
		}
		in[w.subject] = true
		size += len(w.data)
		batch = append(batch, w)
		return rest
	}
	var rest []*write
	for _, w := range *later {
		rest = add(w, rest)
	}
	if len(batch) == 0 {
		select {
		case w := <-c.queue:
			rest = add(w, rest)
		case <-c.stop:
			return nil, false
		}
	}
	for len(batch) < maxBatch && size < maxBatchBytes && len(rest) < maxBatch {
		select {
		case w := <-c.queue:
			rest = add(w, rest)
			continue
		default:
		}
		break
	}
	*later = rest
	return batch, true
}

// write writes events in one batch; one by one if the batch is rejected, because one stale
// event rejects all.
func (c *committer) write(batch []*write) {
	if err := c.log.writable(); err != nil {
		c.each(batch, func(*write) written { return written{err: err} })
		return
	}
	if len(batch) >= leastBatch || c.log.embedded == nil && len(batch) > 1 {
		last, err := c.log.sendBatch(len(batch), func(i int) *nats.Msg { return batch[i].message() })
		var refused *jetstream.APIError
		switch {
		case err == nil:
			c.log.acknowledged(last, batch...)
			for i, w := range batch {
				w.done <- written{seq: last - uint64(len(batch)-1-i)}
			}
			return
		case !errors.As(err, &refused):
			c.each(batch, func(w *write) written { return c.log.outcome(w, err) })
			return
		}
	}
	if len(batch) == 1 { // the most frequent case needs no goroutine of its own
		batch[0].done <- c.single(batch[0])
		return
	}
	c.each(batch, c.single)
}

// maxConcurrent is the maximum number of single events written concurrently.
const maxConcurrent = 64

func (c *committer) each(batch []*write, do func(*write) written) {
	var all sync.WaitGroup
	sem := make(chan struct{}, maxConcurrent)
	for _, w := range batch {
		sem <- struct{}{}
		all.Go(func() {
			w.done <- do(w)
			<-sem
		})
	}
	all.Wait()
}

func (c *committer) single(w *write) written {
	seq, err := c.log.send(w.message())
	var refused *jetstream.APIError
	switch {
	case err == nil:
		c.log.acknowledged(seq, w)
		return written{seq: seq}
	case !errors.As(err, &refused):
		return c.log.outcome(w, err)
	case refused.ErrorCode == wrongLast || refused.ErrorCode == wrongLastConstant:
		return written{err: fmt.Errorf("%w (%w)", live.ErrStale, err)}
	case refused.Code >= 500 && c.log.embedded != nil: // it failed, possibly after a partial write
		return c.log.outcome(w, err)
	}
	return written{err: err}
}

func (w *write) message() *nats.Msg {
	m := nats.NewMsg(w.subject)
	m.Data = w.data
	m.Header.Set(expectHeader, strconv.FormatUint(w.after, 10))
	return m
}

// sendBatch publishes n events, which message returns by index, in one atomic batch. It
// returns the sequence number of the last.
func (l *Log) sendBatch(n int, message func(i int) *nats.Msg) (uint64, error) {
	id := nuid.Next()
	for i := range n {
		m := message(i)
		m.Header.Set(batchID, id)
		m.Header.Set(batchSeq, strconv.Itoa(i+1))
		if i == n-1 {
			m.Header.Set(batchCommit, "1")
			return l.send(m)
		}
		if err := l.conn.PublishMsg(m); err != nil {
			return 0, fmt.Errorf("writing event %d of %d: %w", i+1, n, err)
		}
	}
	return 0, nil
}

// send publishes a message and waits for its acknowledgement. The error is a
// *jetstream.APIError if the server has refused it.
func (l *Log) send(m *nats.Msg) (uint64, error) {
	ctx, cancel := l.withTimeout(context.Background(), l.timeout)
	defer cancel()
	answer, err := l.conn.RequestMsgWithContext(ctx, m)
	if err != nil {
		return 0, requestError(ctx, err)
	}
	var ack struct {
		Error *jetstream.APIError `json:"error"`
		Seq   uint64              `json:"seq"`
	}
	if err := json.Unmarshal(answer.Data, &ack); err != nil {
		return 0, fmt.Errorf("reading an acknowledgement: %w", err)
	}
	if ack.Error != nil {
		return 0, ack.Error
	}
	return ack.Seq, nil
}

// outcome returns the result of a write that was not acknowledged. The server inside the
// process has then failed: its memory may be ahead of the disk, so it is not asked.
func (l *Log) outcome(w *write, why error) written {
	if l.embedded == nil {
		return l.find(w, why)
	}
	l.embedded.failed()
	return written{err: fmt.Errorf("%w: %w", live.ErrUnknown, why)}
}

// find looks up whether an unacknowledged event was written: it asks for the event that
// follows the expected last one. A cluster may have no leader for some seconds, so it
// retries for a while.
func (l *Log) find(w *write, why error) written {
	l.fsync.suspect() // without a leader, NATS answers at once that nobody takes the event
	ctx, cancel := context.WithTimeout(context.Background(), ackTimeout)
	defer cancel()
	for {
		e, there, err := l.ask(ctx, streamName, map[string]any{"seq": w.after + 1, "next_by_subj": w.subject})
		switch {
		case err == nil && there && bytes.Equal(e.Data, w.data):
			return written{seq: e.Seq}
		case err == nil && there:
			return written{err: fmt.Errorf("%w, after: %w", live.ErrStale, why)}
		case err == nil: // it may still arrive
			return written{err: fmt.Errorf("%w: %w", live.ErrUnknown, why)}
		}
		select {
		case <-ctx.Done():
			return written{err: fmt.Errorf("%w: %w; and looking for it: %w", live.ErrUnknown, why, err)}
		case <-time.After(100 * time.Millisecond):
		}
	}
}
