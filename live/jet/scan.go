package jet

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"quintet/live"
)

// scan is the result of reading the files of a log. It needs no server and changes nothing.
type scan struct {
	dir     string
	last    uint64 // the last event according to the blocks, the digests or the last heartbeat
	acked   uint64 // the last event that is known to have been acknowledged
	found   uint64 // the last number in the blocks
	events  uint64 // intact events that are not erased
	bytes   int64  // of all blocks
	bad     int    // bytes outside valid records, at which JetStream would stop reading
	digests []byte // of all events up to last
	adopted int    // digests that were missing or damaged in the file
	present bitset // intact events with the right digest
	erased  erased
	lost    []lostEvent
	beat    heartbeatRecord // the last one

	badBeats int // bytes outside valid heartbeats

	records    map[string]message // the last intact one of each subject
	lastRecord uint64             // its number, also if it was deleted
	copied     bool               // the log was copied: the copy of the heartbeat has no checkpoint
	chains     *chains            // to be verified, or nil

	member      string      // the folder of the streams of a NATS server; "" for an embedded one
	lostRecords []recordSum // missing, or older than their digests

	keep func(stream []byte) bool // selects events to be sampled
	kept []live.Entry             // the events that keep selects, and rulings
}

// lostEvent is an event that is missing or altered, but not erased.
type lostEvent struct {
	seq     uint64
	stream  streamHash
	known   bool // the digest tells its stream
	altered bool // there is another event in its place
}

// heartbeatRecord is a heartbeat as the blocks have it.
type heartbeatRecord struct {
	seq        uint64
	text       string
	checkpoint checkpoint
}

// errUnattributed is the error of a log with damage that the digests cannot attribute to streams.
var errUnattributed = errors.New("the log is damaged, and it is unknown which games are affected: run quintet repair")

// scanLog reads the log in a folder.
func scanLog(dir string) (*scan, error) {
	s := &scan{dir: dir}
	return s, s.read()
}

// read reads the log.
func (s *scan) read() (err error) {
	if s.digests, err = readDigests(s.dir); err == nil {
		err = s.readHeartbeats()
	}
	if err == nil {
		err = s.readRecords()
	}
	if err == nil {
		err = s.readEvents()
	}
	if err != nil {
		return fmt.Errorf("checking the log: %w", err)
	}
	s.close()
	return nil
}

// streams returns the folder of the streams.
func (s *scan) streams() string {
	return cmp.Or(s.member, filepath.Join(s.dir, server.JetStreamStoreDir, "$G", "streams"))
}

// readHeartbeats finds the last heartbeat.
func (s *scan) readHeartbeats() error {
	list, err := blocksIn(s.streams(), heartbeatStream)
	r := blockReader{stream: heartbeatStream}
	for i := 0; i < len(list) && err == nil; i++ {
		var rest int
		rest, err = r.read(list[i], s.readHeartbeat)
		s.badBeats += rest
	}
	return err
}

func (s *scan) readHeartbeat(m message) {
	s.badBeats += m.bad
	if m.erased || m.tombstone || string(m.subject) != heartbeatSubject {
		return
	}
	if m.seq < s.beat.seq {
		return
	}
	s.beat = heartbeatRecord{seq: m.seq, text: string(m.data)}
	if h, err := nats.DecodeHeadersMsg(m.headers); err == nil && len(m.headers) > 0 {
		s.beat.checkpoint, _ = parseCheckpoint(h.Get(checkpointHeader))
	}
}

// readRecords finds the last record of each key.
func (s *scan) readRecords() error {
	s.records = map[string]message{}
	deleted := map[uint64]bool{}
	rest, err := s.blocks(recordStream, func(m message) {
		s.bad += m.bad
		s.lastRecord = max(s.lastRecord, m.seq)
		switch {
		case m.tombstone:
			deleted[m.seq] = true
		case !m.erased && m.seq > s.records[string(m.subject)].seq:
			s.records[string(m.subject)] = message{seq: m.seq, data: slices.Clone(m.data)}
		}
	})
	s.bad += rest
	maps.DeleteFunc(s.records, func(_ string, m message) bool { return deleted[m.seq] })
	return errors.Join(err, s.checkRecords())
}

// putRecords writes the records to another log.
func (s *scan) putRecords(ctx context.Context, to live.Records) error {
	for _, subject := range slices.Sorted(maps.Keys(s.records)) {
		if _, err := to.PutRecord(ctx, strings.TrimPrefix(subject, recordSubject+"."), 0, s.records[subject].data); err != nil {
			return err
		}
	}
	return nil
}

// blocks reads all blocks of a stream. It returns the number of bytes after the last records of the blocks.
// The last block does not count, because an interrupted write can leave bytes there.
func (s *scan) blocks(stream string, each func(message)) (bad int, err error) {
	list, err := blocksIn(s.streams(), stream)
	if err != nil {
		return 0, err
	}
	r := blockReader{stream: stream}
	for i, b := range list {
		tail := i == len(list)-1
		rest, err := r.read(b, func(m message) {
			m.tail = tail
			each(m)
		})
		if err != nil {
			return 0, err
		}
		if !tail {
			bad += rest
		}
	}
	return bad, nil
}

// readEvents compares all events with their digests.
func (s *scan) readEvents() error {
	list, err := blocksIn(s.streams(), streamName)
	if err != nil {
		return err
	}
	s.acked = max(s.lastDigest(), s.beat.checkpoint.seq)
	r := eventReader{scan: s}
	for b, err := range readBlocks(list, s.keep) {
		if err != nil {
			return err
		}
		r.take(b, b.file == len(list)-1)
	}
	for _, seq := range r.deleted {
		s.present.clear(seq)
		r.altered.clear(seq)
		if r.adopted.has(seq) { // its content is unknown
			s.setDigest(seq, digest{})
		}
	}
	s.dropTorn(r.beforeTail)
	s.last = max(s.found, s.acked)
	for seq := uint64(1); seq <= s.last; seq++ {
		if it, is := s.erased.events[seq]; is {
			s.rebuildDigest(it)
			s.present.clear(seq)
		} else if !s.present.has(seq) {
			d, known := digestAt(s.digests, seq)
			s.lost = append(s.lost, lostEvent{seq, d.stream(), known, r.altered.has(seq)})
		} else {
			s.events++
		}
	}
	s.suspect()
	return nil
}

// dropTorn drops the unacknowledged events after the first gap in the last block: a power cut can leave
// parts of a write there, and JetStream truncates the block at that point.
func (s *scan) dropTorn(tail uint64) {
	if s.acked == 0 { // a log of an earlier version: all events count as acknowledged
		return
	}
	for seq := max(s.acked, tail) + 1; seq <= s.found; seq++ {
		if _, is := s.erased.events[seq]; !is && !s.present.has(seq) {
			for drop := seq; drop <= s.found; drop++ {
				s.present.clear(drop)
			}
			s.found = seq - 1
		}
	}
}

// rebuildDigest computes the digest of an erased event if it is missing.
func (s *scan) rebuildDigest(it live.Erasure) {
	sum, err := hex.DecodeString(it.Hash)
	if _, ok := digestAt(s.digests, it.Seq); ok || err != nil {
		return
	}
	s.setDigest(it.Seq, newDigest(it.Seq, hashOfStream(it.Stream), sum))
	s.adopted++
}

// heartbeat returns the last intact heartbeat. If all are lost, it takes the service time of the last event.
func (s *scan) heartbeat() (h live.Heartbeat, err error) {
	if s.beat.text != "" {
		return parseHeartbeat(s.beat.text)
	}
	var last live.Envelope
	for e, err := range s.all() {
		if err != nil {
			return h, err
		}
		if live.CategoryOf(e.Stream) == live.GameCategory && json.Unmarshal(e.Data, &last) == nil {
			h.Service = max(h.Service, last.At)
		}
	}
	h.By = "repair"
	return h, nil
}

// filled returns the intact events, with those in fill in place of lost ones.
func (s *scan) filled(fill map[uint64]live.Entry) iter.Seq2[live.Entry, error] {
	list := slices.Sorted(maps.Keys(fill))
	return func(yield func(live.Entry, error) bool) {
		for e, err := range s.all() {
			for ; err == nil && len(list) > 0 && list[0] < e.Seq; list = list[1:] {
				if !yield(fill[list[0]], nil) {
					return
				}
			}
			if !yield(e, err) {
				return
			}
		}
		for _, seq := range list {
			if !yield(fill[seq], nil) {
				return
			}
		}
	}
}

func (s *scan) setDigest(seq uint64, d digest) {
	if more := int(seq)*digestSize - len(s.digests); more > 0 {
		s.digests = append(s.digests, make([]byte, more)...)
	}
	copy(s.digests[(seq-1)*digestSize:], d[:])
}

// lastDigest returns the number of the last event with a valid digest.
func (s *scan) lastDigest() uint64 {
	seq := uint64(len(s.digests)) / digestSize
	for ; seq > 0; seq-- {
		if _, ok := digestAt(s.digests, seq); ok {
			break
		}
	}
	return seq
}

// close cuts or extends the digests to end with the last event.
func (s *scan) close() {
	if size := int(s.last) * digestSize; size > len(s.digests) {
		s.digests = append(s.digests, make([]byte, size-len(s.digests))...)
	}
	s.digests = s.digests[:s.last*digestSize]
}

// unfit returns an error if the damage cannot be attributed to streams.
func (s *scan) unfit() error {
	for _, e := range s.lost {
		if !e.known {
			return fmt.Errorf("event %d is missing: %w", e.seq, errUnattributed)
		}
	}
	c := s.beat.checkpoint
	if c.seq > 0 && prefixSum(s.digests, c.seq) != c.sum {
		return fmt.Errorf("the first %d events are not those of the last checkpoint: %w", c.seq, errUnattributed)
	}
	return nil
}

// damage returns the lost events by stream.
func (s *scan) damage() (list []*live.DamageError, err error) {
	of := map[streamHash]*live.DamageError{}
	for _, e := range s.lost {
		d := of[e.stream]
		if d == nil {
			d = &live.DamageError{Stream: hex.EncodeToString(e.stream[:]), Seq: e.seq, What: "missing"}
			of[e.stream] = d
			list = append(list, d)
		}
		d.Events++
		if e.altered {
			d.What = "altered"
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	for e, err := range s.all() { // for the names of the streams
		if err != nil {
			return nil, err
		}
		if d := of[hashOfStream(e.Stream)]; d != nil {
			d.Stream = e.Stream
		}
	}
	return list, nil
}

// all returns the intact events in order. The data of an event is valid until the next one.
func (s *scan) all() iter.Seq2[live.Entry, error] {
	return func(yield func(live.Entry, error) bool) {
		after, more := uint64(0), true
		_, err := s.blocks(streamName, func(m message) {
			stream, ok := m.stream()
			if !more || !ok || m.erased || m.tombstone || m.seq <= after || !s.present.has(m.seq) {
				return
			}
			after = m.seq
			more = yield(live.Entry{Stream: string(stream), Seq: m.seq, Data: m.data}, nil)
		})
		if err != nil && more {
			yield(live.Entry{}, err)
		}
	}
}

// bitset is a set of numbers.
type bitset []uint64

func (b *bitset) set(i uint64) {
	if more := int(i/64) + 1 - len(*b); more > 0 {
		*b = append(*b, make(bitset, more)...)
	}
	(*b)[i/64] |= 1 << (i % 64)
}

func (b *bitset) clear(i uint64) {
	if i/64 < uint64(len(*b)) {
		(*b)[i/64] &^= 1 << (i % 64)
	}
}

func (b *bitset) has(i uint64) bool {
	return i/64 < uint64(len(*b)) && (*b)[i/64]&(1<<(i%64)) != 0
}
