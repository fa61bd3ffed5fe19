package jet

import (
	"context"
	"encoding/json"
	"time"
)

// SetFree replaces the function that returns the free space of an embedded log.
func SetFree(l *Log, free func() (bytes, all uint64, err error)) { l.embedded.free = free }

// DenyDelete makes a log like those of earlier versions.
func DenyDelete(ctx context.Context, l *Log) error {
	s, err := l.js.Stream(ctx, streamName)
	if err != nil {
		return err
	}
	c := s.CachedInfo().Config
	c.DenyDelete = true
	_, err = l.js.UpdateStream(ctx, c)
	return err
}

// DeleteOnly deletes a message without overwriting it, as a server does that is killed while it erases.
func DeleteOnly(ctx context.Context, l *Log, seq uint64) error {
	s, err := l.js.Stream(ctx, streamName)
	if err == nil {
		err = s.DeleteMsg(ctx, seq)
	}
	if err == nil {
		_, err = l.markErasing()
	}
	return err
}

// ManyErased is manyErased.
const ManyErased = manyErased

// ScrubOnce checks the first block of a log.
func ScrubOnce(ctx context.Context, l *Log, dir string) error {
	list, err := blocksOf(dir, streamName)
	if err == nil {
		l.scrubBlock(ctx, list[0], 0, true)
	}
	return err
}

// RequestElection makes the Raft group of a cluster elect a leader, and returns the term before.
func RequestElection(ctx context.Context, l *Log) (term uint64) {
	term, _ = MetaTerm(ctx, l)
	l.fsync.requestElection("_meta_", term)
	return term
}

// MetaTerm returns the latest term of the Raft group of a cluster, and whether a leader is known in it.
func MetaTerm(ctx context.Context, l *Log) (term uint64, led bool) {
	_ = l.fsync.ping(ctx, "RAFTZ", "", func(_ string, data []byte) (time.Duration, error) {
		var r raftReport
		err := json.Unmarshal(data, &r)
		for _, groups := range r {
			if g := groups["_meta_"]; g.Term > term {
				term, led = g.Term, g.Leader != ""
			}
		}
		return queryTimeout / 10, err
	})
	return term, led
}
