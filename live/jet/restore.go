package jet

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strconv"

	"github.com/nats-io/nats.go"

	"quintet/live"
)

// Restore writes a copy into an empty log. It returns the number of events. The
// whole copy is checked before anything is written: each game by its rules, and
// whether the copy ends early.
func Restore(ctx context.Context, l live.Log, in io.ReadSeeker) (n int, err error) {
	if last, err := l.Last(ctx); err != nil || last > 0 {
		return 0, errors.Join(err, fmt.Errorf("restoring the log: it has events up to number %d: restore into an empty folder", last))
	}
	checked, err := check(ctx, in)
	if err != nil {
		return 0, err
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return 0, fmt.Errorf("restoring the log: %w", err)
	}
	w := restorer{log: l, after: map[string]uint64{}}
	if err := w.all(ctx, in); err != nil {
		return w.n, err
	}
	if err := checked.proves(ctx, l); err != nil {
		return w.n, fmt.Errorf("reading the restored log back: %w", err)
	}
	return w.n, nil
}

// Verify checks a copy: each game by its rules and the hashes of its events, and
// whether the copy ends early. It returns the number of events.
func Verify(ctx context.Context, in io.Reader) (n int, err error) {
	r, err := check(ctx, in)
	return r.n, err
}

// check checks a copy, and returns what it has.
func check(ctx context.Context, in io.Reader) (restorer, error) {
	r := restorer{tables: map[string]*live.Table{}, chains: map[string]live.Chain{}, sum: sha256.New(), digests: sha256.New(), records: sha256.New()}
	err := r.all(ctx, in)
	return r, err
}

// proves checks that a log has exactly the events of the checked copy, in order.
func (r *restorer) proves(ctx context.Context, l live.Log) error {
	last, err := l.Last(ctx)
	if err != nil {
		return err
	}
	n, sum := 0, sha256.New()
	if last > 0 {
		for e, err := range l.Follow(ctx, 0) {
			if err != nil {
				return err
			}
			addEntry(sum, e.Stream, e.Data)
			if n++; e.Seq >= last {
				break
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if n != r.n || !bytes.Equal(sum.Sum(nil), r.sum.Sum(nil)) {
		return fmt.Errorf("the log has %d events that differ from the %d of the copy: remove it and restore again", n, r.n)
	}
	return nil
}

// addEntry adds an event to a sum.
func addEntry(sum hash.Hash, stream string, data []byte) {
	_, _ = fmt.Fprintf(sum, "%s %d ", stream, len(data)) // never fails
	_, _ = sum.Write(data)
}

// restorer is a copy that is being checked, or written.
type restorer struct {
	tables  map[string]*live.Table // nil when it has been checked
	chains  map[string]live.Chain  // the streams of other categories
	sum     hash.Hash              // of the events; nil while they are written
	digests hash.Hash              // of their digests; nil while they are written
	records hash.Hash              // of the records; nil while they are written
	log     live.Log               // nil while it is checked
	after   map[string]uint64
	pending []live.Entry
	bytes   int // of them
	last    uint64
	n       int
	done    bool
}

// all takes in a copy.
func (r *restorer) all(ctx context.Context, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 4<<20)
	line := 0
	for lines.Scan() && !r.done {
		line++
		if err := r.take(ctx, lines.Bytes()); err != nil {
			return fmt.Errorf("restoring the log, line %d: %w", line, err)
		}
	}
	switch err := lines.Err(); {
	case err != nil:
		return fmt.Errorf("restoring the log after line %d: %w", line, err)
	case !r.done:
		return fmt.Errorf("restoring the log: the copy is cut off after line %d: its last line would give the number of events", line)
	}
	return nil
}

func (r *restorer) take(ctx context.Context, line []byte) (err error) {
	var b backup
	if err := json.Unmarshal(line, &b); err != nil {
		return fmt.Errorf("not a backup of quintet: %w", err)
	}
	switch {
	case b.Service != nil:
		if r.log != nil {
			return r.heartbeat(ctx, *b.Service)
		}
		return nil
	case b.Events != nil && *b.Events == r.n:
		if r.digests != nil && b.Digest != "" && b.Digest != sumOf(r.digests) { // earlier versions wrote none
			return errors.New("the events do not match the digest at its end")
		}
		if r.records != nil && b.Records != "" && b.Records != sumOf(r.records) {
			return errors.New("the accounts do not match the digest at its end")
		}
		r.done = true
		return r.flush(ctx)
	case b.Record != "":
		if r.log == nil {
			addEntry(r.records, b.Record, b.Value)
			return nil
		}
		_, err := r.log.PutRecord(ctx, b.Record, 0, b.Value)
		return err
	case b.Event == nil:
		return fmt.Errorf("neither an event nor the number of events, %d", r.n)
	}
	r.n++
	if r.digests != nil {
		addDigest(r.digests, r.n, b.Game, b.Event)
	}
	if r.log == nil {
		return r.check(b)
	}
	return r.write(ctx, live.Entry{Stream: b.Game, Data: b.Event})
}

// write writes an entry, when there are enough of them.
func (r *restorer) write(ctx context.Context, e live.Entry) error {
	r.pending = append(r.pending, e)
	r.bytes += len(e.Data)
	if len(r.pending) == maxBatch || r.bytes >= maxBatchBytes {
		return r.flush(ctx)
	}
	return nil
}

func (r *restorer) check(b backup) error {
	addEntry(r.sum, b.Game, b.Event)
	switch live.CategoryOf(b.Game) {
	case live.GameCategory:
	case live.ModerationCategory:
		_, err := live.ReadRuling(b.Event)
		return err
	default: // also of newer servers: what events of all categories have in common
		c := r.chains[b.Game]
		_, err := c.Load(b.Game, b.Event)
		r.chains[b.Game] = c
		return err
	}
	t := r.tables[b.Game]
	if t == nil {
		t = live.New(b.Game)
		r.tables[b.Game] = t
	}
	_, err := t.Load(b.Event)
	return err
}

// heartbeat restores the service time.
func (r *restorer) heartbeat(ctx context.Context, service int64) error {
	last, err := r.log.LastHeartbeat(ctx)
	if err != nil {
		return err
	}
	last.Service = max(last.Service, service)
	_, err = r.log.WriteHeartbeat(ctx, last.Seq, last)
	return err
}

// flush writes what is pending.
func (r *restorer) flush(ctx context.Context) (err error) {
	list := r.pending
	r.pending, r.bytes = nil, 0
	if len(list) == 0 {
		return nil
	}
	if l, ok := r.log.(*Log); ok {
		r.last, err = l.appendAll(r.last, list)
		return err
	}
	for _, e := range list {
		if r.after[e.Stream], err = r.log.Append(ctx, e.Stream, r.after[e.Stream], e.Data); err != nil {
			return err
		}
	}
	return nil
}

// lastHeader makes JetStream accept a message only after the expected last one of the
// stream.
const lastHeader = "Nats-Expected-Last-Sequence"

// appendAll writes events atomically and in order, possibly several of a stream, if the
// stream still ends at last. It returns the sequence number of the last event.
func (l *Log) appendAll(last uint64, list []live.Entry) (uint64, error) {
	if err := l.writable(); err != nil {
		return 0, err
	}
	seq, err := l.sendBatch(len(list), func(i int) *nats.Msg {
		m := nats.NewMsg(subjects + "." + list[i].Stream)
		m.Data = list[i].Data
		if i == 0 {
			m.Header.Set(lastHeader, strconv.FormatUint(last, 10))
		}
		return m
	})
	if err != nil {
		return 0, fmt.Errorf("writing %d events: %w", len(list), err)
	}
	written := make([]*write, len(list))
	for i, e := range list {
		written[i] = &write{stream: e.Stream, data: e.Data}
	}
	l.acknowledged(seq, written...)
	return seq, nil
}
