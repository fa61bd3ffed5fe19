package jet

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

	"quintet/internal/atomicfile"
)

// Raft does not fetch the last events again if a copy loses them: it has applied them. So a server keeps their numbers
// in a file, and misses them at its next start. It writes the file once a second, so it does not notice what the last
// second before a crash loses.

// markFile is in the store_dir.
const markFile = "quintet.checkpoint"

// memberMark has the last numbers of the three streams of a copy.
type memberMark struct{ event, record, heartbeat uint64 }

// String formats a mark for its file.
func (m memberMark) String() string {
	text := fmt.Sprintf("%d %d %d", m.event, m.record, m.heartbeat)
	return fmt.Sprintf("%s %08x\n", text, crc32.ChecksumIEEE([]byte(text)))
}

// readMark reads the file. ok is false if it is damaged; it may be missing.
func readMark(store string) (m memberMark, ok bool, err error) {
	text, err := os.ReadFile(filepath.Join(store, markFile)) //nolint:gosec // the operator names the folder
	if errors.Is(err, os.ErrNotExist) {
		return m, true, nil
	}
	if err != nil {
		return m, false, err
	}
	var sum uint32
	_, err = fmt.Sscanf(string(text), "%d %d %d %x", &m.event, &m.record, &m.heartbeat, &sum)
	if err != nil || m.String() != string(text) {
		return memberMark{}, false, nil //nolint:nilerr // it is damaged
	}
	return m, true, nil
}

// writeMark writes the file if the copy has grown since the last mark. A mark never falls.
func writeMark(store string, last *memberMark) error {
	streams, err := memberStreams(store)
	if err != nil {
		return err
	}
	var m memberMark
	for name, seq := range map[string]*uint64{streamName: &m.event, recordStream: &m.record, heartbeatStream: &m.heartbeat} {
		if *seq, err = lastIn(streams, name); err != nil {
			return err
		}
	}
	m = memberMark{max(m.event, last.event), max(m.record, last.record), max(m.heartbeat, last.heartbeat)}
	if m == *last {
		return nil
	}
	if err := atomicfile.Write(filepath.Join(store, markFile), []byte(m.String()), 0o600); err != nil {
		return fmt.Errorf("writing the checkpoint of the copy: %w", err)
	}
	*last = m
	return nil
}

// lastIn returns the last number in the blocks of a stream.
func lastIn(streams, stream string) (last uint64, err error) {
	list, err := blocksIn(streams, stream)
	r := blockReader{stream: stream}
	for i := len(list) - 1; i >= 0 && last == 0 && err == nil; i-- {
		_, err = r.read(list[i], func(m message) { last = max(last, m.seq) })
	}
	return last, err
}

// missEnd adds the problem of a copy that ends before its mark. The copy must then get everything up to the mark.
func (c *memberCopy) missEnd(m memberMark, ok bool) {
	switch {
	case c.Problem != "":
	case !ok:
		c.Problem = "the file " + markFile + " is damaged"
	case c.Last < m.event:
		c.Problem = fmt.Sprintf("the last events are missing: it ends with %d, and had %d", c.Last, m.event)
	case c.LastRecord < m.record || c.Heartbeat < m.heartbeat:
		c.Problem = "the last records or heartbeats are missing"
	}
	c.Last, c.LastRecord, c.Heartbeat = max(c.Last, m.event), max(c.LastRecord, m.record), max(c.Heartbeat, m.heartbeat)
}
