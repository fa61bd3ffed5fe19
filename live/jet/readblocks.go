package jet

import (
	"bytes"
	"encoding/hex"
	"iter"
	"runtime"
	"sync"

	"quintet/live"
)

// Checks of a whole log read its blocks with readBlocks: on all processors, without decoding JSON and without
// allocating for each event.

// block is the contents of a block of events.
type block struct {
	file   int // its place in the list of files
	bytes  int64
	rest   int // bytes after the last valid record
	events []blockEvent
	kept   []live.Entry // copies of rulings, and of the events that a reader asks for
}

// blockEvent is an event, or a tombstone, without its content.
type blockEvent struct {
	seq       uint64
	bad       int // number of bytes between it and the previous valid record
	erased    bool
	tombstone bool
	digest    digest

	linked bool // number and prev are known
	number int  // in its stream
	prev   eventHash
	hash   eventHash
}

// maxReaders limits the memory of readBlocks: a block has up to 8 MB.
const maxReaders = 8

// readBlocks yields the contents of blocks of events in order. A block is valid until the next one. It calls
// keep concurrently.
func readBlocks(list []blockFile, keep func(stream []byte) bool) iter.Seq2[*block, error] {
	return func(yield func(*block, error) bool) {
		readers := make([]eventBlockReader, min(runtime.GOMAXPROCS(0), maxReaders)+1) // one more than can run while a block is used
		var all sync.WaitGroup
		defer all.Wait()
		start := func(i int) {
			if i < len(list) {
				r := &readers[i%len(readers)]
				all.Go(func() { r.done <- r.read(i, list[i]) })
			}
		}
		for i := range readers {
			readers[i] = eventBlockReader{reader: blockReader{stream: streamName}, keep: keep, done: make(chan error, 1), streams: map[string]streamHash{}}
			start(i)
		}
		for i := range list {
			r := &readers[i%len(readers)]
			if err := <-r.done; !yield(&r.block, err) || err != nil {
				return
			}
			start(i + len(readers))
		}
	}
}

// eventBlockReader reads one block after the other into the same memory.
type eventBlockReader struct {
	block
	reader  blockReader
	keep    func(stream []byte) bool
	done    chan error            // receives after each block
	streams map[string]streamHash // of the names in the block
}

func (r *eventBlockReader) read(i int, f blockFile) (err error) {
	clear(r.streams)
	r.block = block{file: i, events: r.events[:0]}
	r.reader.bytes = 0
	r.rest, err = r.reader.read(f, r.add)
	r.bytes = r.reader.bytes
	return err
}

func (r *eventBlockReader) add(m message) {
	stream, ok := m.stream()
	if !ok && !m.tombstone {
		return
	}
	e := blockEvent{seq: m.seq, bad: m.bad, erased: m.erased, tombstone: m.tombstone}
	if !m.erased && !m.tombstone {
		of, known := r.streams[string(stream)]
		if !known {
			of = hashOfStream(string(stream))
			r.streams[string(stream)] = of
		}
		e.hash = sumOfEvent(m.data)
		e.digest = newDigest(m.seq, of, e.hash[:])
		e.link(m.data)
		if string(stream) == live.ModerationStream || r.keep != nil && r.keep(stream) {
			r.kept = append(r.kept, live.Entry{Stream: string(stream), Seq: m.seq, Data: bytes.Clone(m.data)})
		}
	}
	r.events = append(r.events, e)
}

// link parses the number of an event and the hash of the previous one, which come first in its JSON.
func (e *blockEvent) link(data []byte) {
	number, prev, ok := live.ParseLink(data)
	if ok && len(prev) > 0 {
		if len(prev) != 2*len(e.prev) {
			return
		}
		_, err := hex.Decode(e.prev[:], prev)
		ok = err == nil
	}
	e.number, e.linked = number, ok
}

// chains verifies the hash chains of streams. It can only tell that a chain is intact: after erasures, or if
// the JSON has an unusual form, repair.cut decides.
type chains struct {
	next     map[streamHash]chainEnd
	suspects map[streamHash]bool
	unknown  bool // events of unknown streams are lost
}

// chainEnd is the number that the next event of a stream must have, and the hash of the last one.
type chainEnd struct {
	number int
	hash   eventHash
}

func newChains() *chains {
	return &chains{next: map[streamHash]chainEnd{}, suspects: map[streamHash]bool{}}
}

func (c *chains) add(e *blockEvent) {
	of := e.digest.stream()
	want := c.next[of]
	if !e.linked || e.number != want.number || e.prev != want.hash {
		c.suspects[of] = true
	}
	c.next[of] = chainEnd{want.number + 1, e.hash}
}

// intact reports whether the chain of a stream is intact.
func (c *chains) intact(of streamHash) bool { return c != nil && !c.unknown && !c.suspects[of] }

// suspect adds the streams with lost and erased events to those whose chains repair.cut must verify.
func (s *scan) suspect() {
	if s.chains == nil {
		return
	}
	for _, e := range s.lost {
		s.chains.suspects[e.stream] = true
		s.chains.unknown = s.chains.unknown || !e.known
	}
	for _, it := range s.erased.events {
		s.chains.suspects[hashOfStream(it.Stream)] = true
	}
}

// eventReader takes the events of all blocks in order.
type eventReader struct {
	*scan
	adopted, altered bitset
	deleted          []uint64
	beforeTail       uint64 // the last number before the last block
}

// take takes the events of the next block; tail is true for the last one.
func (r *eventReader) take(b *block, tail bool) {
	r.bytes += b.bytes
	if !tail {
		r.bad += b.rest
	}
	for i := range b.events {
		e := &b.events[i]
		if !tail {
			r.beforeTail = max(r.beforeTail, e.seq)
		}
		if !tail || r.found < r.acked || r.acked == 0 {
			r.bad += e.bad
		}
		r.found = max(r.found, e.seq)
		if e.tombstone {
			r.deleted = append(r.deleted, e.seq)
		} else if !e.erased {
			r.takeEvent(b, e)
		}
	}
}

func (r *eventReader) takeEvent(b *block, e *blockEvent) {
	var kept []live.Entry // the event, if it is kept
	if len(b.kept) > 0 && b.kept[0].Seq == e.seq {
		kept, b.kept = b.kept[:1], b.kept[1:]
	}
	want, ok := digestAt(r.digests, e.seq)
	switch {
	case !ok:
		r.setDigest(e.seq, e.digest)
		r.scan.adopted++
		r.adopted.set(e.seq)
	case e.digest != want:
		r.altered.set(e.seq)
		return
	}
	r.present.set(e.seq)
	if len(kept) > 0 && kept[0].Stream == live.ModerationStream {
		r.erased.note(kept[0])
	} else if r.chains != nil {
		r.chains.add(e)
	}
	if r.keep != nil {
		r.kept = append(r.kept, kept...)
	}
}
