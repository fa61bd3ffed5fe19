package jet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"quintet/internal/atomicfile"
	"quintet/live"
)

// erased holds what the rulings that were read so far have erased. JetStream can delete a message
// but not replace it, so readers take the replacement from the ruling.
type erased struct {
	mu       sync.Mutex // guards the rest
	events   map[uint64]live.Erasure
	replaced []uint64        // the events with a replacement, in order
	pending  map[uint64]bool // events that may still be in the log
	lost     map[uint64]bool // events that a disk has lost
	ruling   uint64          // the last one that was read
}

// note notes the next ruling of the log.
func (x *erased) note(e live.Entry) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if e.Seq <= x.ruling {
		return
	}
	x.ruling = e.Seq
	r, err := live.ReadRuling(e.Data)
	if err != nil { // servers check the log when they start
		return
	}
	if x.events == nil {
		x.events, x.pending, x.lost = map[uint64]live.Erasure{}, map[uint64]bool{}, map[uint64]bool{}
	}
	for _, it := range r.Erased {
		x.events[it.Seq] = it
		x.pending[it.Seq] = true
		if r.Do == live.Lost {
			x.lost[it.Seq] = true
		}
		if at, known := slices.BinarySearch(x.replaced, it.Seq); !known && it.Event != nil {
			x.replaced = slices.Insert(x.replaced, at, it.Seq)
		}
	}
}

// instead returns an entry, or its replacement if it is erased; false if it has none.
func (x *erased) instead(e live.Entry) (live.Entry, bool) {
	it, is := x.of(e.Seq)
	if is {
		e.Data = it.Event
	}
	return e, !is || it.Event != nil
}

// between returns the replacements of erased events between two numbers, of one stream or, with
// "", of all.
func (x *erased) between(after, before uint64, stream string) (list []live.Entry) {
	x.mu.Lock()
	defer x.mu.Unlock()
	from, _ := slices.BinarySearch(x.replaced, after+1)
	for _, seq := range x.replaced[from:] {
		if seq >= before {
			break
		}
		if it := x.events[seq]; it.Event != nil && (stream == "" || it.Stream == stream) {
			list = append(list, live.Entry{Stream: it.Stream, Seq: seq, Data: it.Event})
		}
	}
	return list
}

// withoutErased returns the events of a stream as they are after all erasures.
func (l *Log) withoutErased(ctx context.Context, stream string, list []live.Entry) (kept []live.Entry, err error) {
	if l.embedded == nil { // another server may have erased some before they were read
		if err := l.readErased(ctx); err != nil {
			return nil, err
		}
	}
	after := uint64(0)
	for _, e := range list {
		kept = append(kept, l.erased.between(after, e.Seq, stream)...)
		after = e.Seq
		if e, ok := l.erased.instead(e); ok {
			kept = append(kept, e)
		}
	}
	return append(kept, l.erased.between(after, ^uint64(0), stream)...), nil
}

// readErased reads the rulings that are new.
func (l *Log) readErased(ctx context.Context) error {
	for {
		l.erased.mu.Lock()
		from := l.erased.ruling + 1
		l.erased.mu.Unlock()
		e, ok, err := l.ask(ctx, streamName, map[string]any{"seq": from, "next_by_subj": subjects + "." + live.ModerationStream})
		if err != nil {
			return fmt.Errorf("reading what is erased: %w", err)
		}
		if !ok {
			return nil
		}
		l.erased.note(e)
	}
}

// lastOf returns the number of the event after which the next one of a stream is written: the last
// one that its writer knows, or if a ruling replaced that, the last one in the log.
func (l *Log) lastOf(ctx context.Context, subject string, after uint64) (uint64, error) {
	it, _ := l.erased.of(after)
	if it.Event == nil {
		return after, nil
	}
	e, ok, err := l.ask(ctx, streamName, map[string]any{"last_by_subj": subject})
	switch {
	case err != nil || !ok:
		return 0, err
	case e.Seq > after: // another event came first
		return after, nil
	}
	return e.Seq, nil
}

// manyErased is the number of events from which on Erase only deletes them and leaves their bytes, because
// JetStream rewrites a block of up to 8 MB to overwrite one event.
const manyErased = 500

// Erase implements live.Log. JetStream overwrites each message with random bytes. It marks the message
// as deleted first: if it is killed in between, the bytes stay until the log is copied, see openCopied.
// Outside a cluster, the bytes of manyErased events or more stay until then, too.
func (l *Log) Erase(ctx context.Context) error {
	l.erasing.Lock()
	defer l.erasing.Unlock()
	s, err := l.js.Stream(ctx, streamName)
	if err != nil {
		return fmt.Errorf("erasing: %w", err)
	}
	if s.CachedInfo().Config.DenyDelete {
		return errDenied
	}
	if err := errors.Join(l.readErased(ctx), l.writable()); err != nil {
		return fmt.Errorf("erasing: %w", err)
	}
	list := l.erased.left()
	if len(list) == 0 {
		return nil
	}
	remove, many := s.SecureDeleteMsg, l.embedded != nil && len(list) >= manyErased
	if many {
		remove = s.DeleteMsg
	}
	clean, err := l.markErasing()
	for _, it := range list {
		var e live.Entry
		there := false
		if err == nil {
			e, there, err = l.ask(ctx, streamName, map[string]any{"seq": it.Seq})
		}
		if err == nil && there && e.Stream == it.Stream && live.HashOf(e.Data) == it.Hash {
			err = remove(ctx, it.Seq)
		}
		if err != nil {
			return fmt.Errorf("erasing event %d: %w", it.Seq, err)
		}
		l.erased.done(it.Seq)
	}
	switch {
	case many:
		return live.ErrKept
	case !clean || l.embedded == nil:
		return nil
	}
	return os.Remove(l.mark())
}

// erasingFile is the name of a file in the folder of a log that is there while messages are erased.
const erasingFile = "erasing"

func (l *Log) mark() string { return filepath.Join(l.embedded.options.StoreDir, erasingFile) }

// markErasing marks that the server inside the process erases. clean is false if an earlier erasure was
// interrupted or failed: then the mark stays.
func (l *Log) markErasing() (clean bool, err error) {
	if l.embedded == nil { // the servers of a cluster are on their own
		return false, nil
	}
	_, err = os.Stat(l.mark())
	if errors.Is(err, os.ErrNotExist) {
		return true, atomicfile.Write(l.mark(), nil, 0o600)
	}
	return false, err
}

// of returns how an event was erased.
func (x *erased) of(seq uint64) (it live.Erasure, is bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	it, is = x.events[seq]
	return it, is
}

// left returns the events that may still be in the log. They are erased in order, so that a
// concurrent reader of a game finds the end of it or nothing.
func (x *erased) left() (list []live.Erasure) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, seq := range slices.Sorted(maps.Keys(x.pending)) {
		list = append(list, x.events[seq])
	}
	return list
}

// done notes that an event is gone.
func (x *erased) done(seq uint64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.pending, seq)
}

// finishErasing reads what is erased, and erases the rest if the program was stopped meanwhile: then
// the log lacks fewer events than the rulings list.
func (l *Log) finishErasing(ctx context.Context) error {
	if err := l.readErased(ctx); err != nil {
		return err
	}
	s, err := l.js.Stream(ctx, streamName)
	if err != nil {
		return fmt.Errorf("reading the log: %w", err)
	}
	state := s.CachedInfo().State
	l.erased.mu.Lock()
	all := state.LastSeq-state.Msgs == uint64(len(l.erased.events))
	if all {
		clear(l.erased.pending)
	}
	l.erased.mu.Unlock()
	if all {
		return nil
	}
	if err := l.Erase(ctx); !errors.Is(err, live.ErrKept) {
		return err
	}
	return nil // the log is marked: openCopied copies it
}

// errDenied is the error of a stream of an earlier version.
var errDenied = errors.New("the log denies deletion, because an earlier version made it: back it up, stop all servers, delete the streams QUINTET and QUINTET_BEAT with the tools of NATS, and restore the backup")
