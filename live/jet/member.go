package jet

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"quintet/internal/atomicfile"
)

// A NATS server of a cluster silently skips damaged blocks, and answers reads without their events. It has no
// digests, but the other servers have the events: if its copy of a stream is removed, it fetches the whole
// stream from them. Its Raft log stays, so that it keeps its votes.

// VerifyMember reads the log in the folder of a NATS server, its store_dir, and verifies the hash chains of all
// streams. Problem also reports bytes that JetStream would skip, a missing end if quintet nats wrote it, and damaged
// snapshots of Raft.
func VerifyMember(store string) (Verified, error) {
	v, c, err := readMember(store, 0)
	if v.Problem == "" && len(v.Damaged) == 0 {
		v.Problem = c.Problem
	}
	return v, err
}

// memberCopy describes the copy of the log that a NATS server has. Two intact copies of the same events and
// records have the same sums.
type memberCopy struct {
	Server  string `json:"server"`            // its name
	Problem string `json:"problem,omitempty"` // what is damaged
	Stopped bool   `json:"stopped,omitempty"` // the copy is damaged, so the server was not started

	Last       uint64 `json:"last"` // event that it has, or had before it was damaged
	Sum        string `json:"sum"`  // of the events up to the number in the request
	LastRecord uint64 `json:"last_record"`
	Records    string `json:"records"` // the sum of all
	Heartbeat  uint64 `json:"heartbeat"`

	snapshots []string // damaged files of Raft groups
	events    bool     // whether the streams or the mark are damaged
}

// readMember verifies a copy. Its sum is that of the events up to a number.
func readMember(store string, upTo uint64) (v Verified, c memberCopy, err error) {
	streams, err := memberStreams(store)
	if err != nil {
		return v, c, err
	}
	mark, ok, err := readMark(store) // before the copy, which grows
	if err != nil {
		return v, c, err
	}
	s := &scan{dir: store, member: streams, chains: newChains()}
	if err := s.read(); err != nil {
		return v, c, err
	}
	v, err = s.verified()
	if n := s.bad + s.badBeats; n > 0 && v.Problem == "" {
		v.Problem = fmt.Sprintf("%d bytes of the blocks are damaged", n)
	}
	c = memberCopy{Problem: v.Problem, Last: s.last, Sum: prefixSum(s.digests, upTo), Heartbeat: s.beat.seq}
	if n := len(v.Damaged); n > 0 && c.Problem == "" {
		c.Problem = fmt.Sprintf("%d games, studies, reviews or accounts are damaged", n)
	}
	c.LastRecord, c.Records = s.lastRecord, s.sumRecords()
	c.missEnd(mark, ok)
	c.events = c.Problem != ""
	snapshots, failed := damagedSnapshots(store)
	if c.snapshots = snapshots; len(snapshots) > 0 && !c.events {
		c.Problem = fmt.Sprintf("damaged Raft snapshots: %d", len(snapshots))
	}
	return v, c, errors.Join(err, failed)
}

// sumRecords returns the sum of all records.
func (s *scan) sumRecords() string {
	h := sha256.New()
	for _, subject := range slices.Sorted(maps.Keys(s.records)) {
		m := s.records[subject]
		_, _ = fmt.Fprintf(h, "%s %d %d %s\n", subject, m.seq, len(m.data), m.data) // never fails
	}
	return sumOf(h)
}

// setAside moves data of a stopped NATS server to the folder damaged in its store_dir: all streams and the mark if either
// is damaged, else only the damaged Raft snapshots. When it starts, the server fetches them from the others, which must
// have all events intact.
func (c *memberCopy) setAside(store string, now time.Time) (kept string, err error) {
	streams, err := memberStreams(store)
	if err != nil {
		return "", err
	}
	list := c.snapshots
	if c.events {
		for _, name := range []string{recordStream, heartbeatStream, streamName} { // the events last: without them, a start verifies nothing
			list = append(list, filepath.Join(streams, name))
		}
		list = append(list, filepath.Join(store, markFile))
	}
	kept = filepath.Join(store, damagedFolder, now.UTC().Format("20060102-150405"))
	for _, path := range list {
		if err := moveInto(kept, store, path); err != nil {
			return "", fmt.Errorf("setting the damaged copy of a NATS server aside: %w", err)
		}
	}
	return kept, nil
}

// moveInto moves a file or folder, which may be missing, to the same place in another folder.
func moveInto(folder, from, path string) error {
	name, err := filepath.Rel(from, path)
	if err != nil {
		return err
	}
	to := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(to), 0o750); err != nil {
		return err
	}
	if err := os.Rename(path, to); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	atomicfile.SyncFolder(filepath.Dir(path))
	return nil
}

// errNoCopy says that a NATS server has no copy of the log, as before it first fetches one.
var errNoCopy = errors.New("this store_dir has no copy of the log; give that of a NATS server of the cluster")

// memberStreams finds the folder of the streams, which is that of the account.
func memberStreams(store string) (string, error) {
	list, err := filepath.Glob(filepath.Join(store, server.JetStreamStoreDir, "*", "streams", streamName))
	if err == nil && len(list) != 1 {
		err = errNoCopy
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", store, err)
	}
	return filepath.Dir(list[0]), nil
}
