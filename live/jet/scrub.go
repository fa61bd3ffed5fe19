package jet

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"os"
	"time"

	"quintet/live"
)

// The scrub reads the whole log once within scrubTime, a block at a time. It finds damage while there are
// still backups with the damaged events.
const (
	scrubTime  = 24 * time.Hour
	scrubPause = time.Second            // between two blocks, at least
	scrubAgain = 500 * time.Millisecond // until a block that looks damaged is read again: JetStream may be rewriting it
	scrubTries = 3
)

// scrub repeatedly compares the blocks of the log with their digests, until the context ends.
func (l *Log) scrub(ctx context.Context, dir string) {
	for ctx.Err() == nil {
		list, err := blocksOf(dir, streamName)
		if err != nil {
			l.embedded.logger.Warn("the log cannot be checked", "error", err)
		}
		after := uint64(0)
		for i, b := range list {
			if after = l.scrubBlock(ctx, b, after, i == len(list)-1); !pause(ctx, max(scrubPause, scrubTime/time.Duration(len(list)+1))) {
				return
			}
		}
		if len(list) == 0 && !pause(ctx, scrubTime) {
			return
		}
	}
}

// pause waits, and reports whether the context is still active.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
	return ctx.Err() == nil
}

// scrubBlock checks the block that begins after an event, and closes damaged streams. It returns the last
// event of the block.
func (l *Log) scrubBlock(ctx context.Context, b blockFile, after uint64, final bool) (last uint64) {
	var found []*live.DamageError
	for try := range scrubTries {
		if try > 0 && !pause(ctx, scrubAgain) {
			return last
		}
		var err error
		found, last, err = l.checkBlock(b, after, final)
		if errors.Is(err, os.ErrNotExist) || err == nil && len(found) == 0 {
			return last
		}
		if err != nil {
			l.embedded.logger.Error("a block of the log cannot be read", "file", b.path, "error", err)
			return last
		}
	}
	l.close(found)
	return last
}

// close closes damaged streams, and logs the new ones.
func (l *Log) close(found []*live.DamageError) {
	for _, d := range l.damaged.add(found) {
		l.embedded.logger.Error("a game, study, review or account is damaged on the disk: it is closed until it is repaired",
			"stream", d.Stream, "events", d.Events, "first", d.Seq, "what", d.What)
	}
}

// checkBlock compares the events of a block with their digests. The final block ends with the log.
func (l *Log) checkBlock(b blockFile, after uint64, final bool) (found []*live.DamageError, last uint64, err error) {
	durable := l.digests.checkpoint().seq
	names, present := map[streamHash]string{}, bitset{}
	r := blockReader{stream: streamName}
	_, err = r.read(b, func(m message) {
		if m.tombstone || m.seq > durable || m.seq <= after {
			return
		}
		last = max(last, m.seq)
		if stream, ok := m.stream(); ok && !m.erased {
			d := digestOfEvent(m.seq, string(stream), m.data)
			names[d.stream()] = string(stream)
			if l.digests.at(m.seq) == d {
				present.set(m.seq - after)
			}
		}
	})
	if final {
		last = durable
	}
	for seq := after + 1; seq <= last && err == nil; seq++ {
		if _, is := l.erased.of(seq); is || present.has(seq-after) {
			continue
		}
		d := l.digests.at(seq)
		of := d.stream()
		found = append(found, &live.DamageError{Stream: cmp.Or(names[of], hex.EncodeToString(of[:])), Seq: seq, Events: 1, What: "missing"})
	}
	return found, max(last, after), err
}
