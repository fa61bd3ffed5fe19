package jet

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// A NATS server of a cluster silently skips damaged blocks, and answers reads without their events. It has no
// digests, but the other servers have the events: if its copy of a stream is removed, it fetches the whole
// stream from them. Its Raft log stays, so that it keeps its votes.

// VerifyMember reads the log in the folder of a NATS server, its store_dir, and verifies the hash chains of all
// streams. Problem also reports bytes that JetStream would skip. A missing end is not detected: Raft adds it.
func VerifyMember(store string) (v Verified, err error) {
	streams, err := memberStreams(store)
	if err != nil {
		return v, err
	}
	s := &scan{dir: store, member: streams, chains: newChains()}
	if err := s.read(); err != nil {
		return v, err
	}
	v, err = s.verified()
	if s.bad > 0 && v.Problem == "" {
		v.Problem = fmt.Sprintf("%d bytes of the blocks are damaged", s.bad)
	}
	return v, err
}

// SetAside moves the events of a stopped NATS server to the folder damaged in its store_dir, so that it fetches
// them from the others when it starts. Both must be healthy and running.
func SetAside(store string, now time.Time) (kept string, err error) {
	streams, err := memberStreams(store)
	if err != nil {
		return "", err
	}
	kept = filepath.Join(store, damagedFolder, streamName+now.UTC().Format("-20060102-150405"))
	err = os.MkdirAll(filepath.Dir(kept), 0o750)
	if err == nil {
		err = os.Rename(filepath.Join(streams, streamName), kept)
	}
	if err != nil {
		return "", fmt.Errorf("setting the events of a NATS server aside: %w", err)
	}
	return kept, nil
}

// memberStreams finds the folder of the streams, which is that of the account.
func memberStreams(store string) (string, error) {
	list, err := filepath.Glob(filepath.Join(store, server.JetStreamStoreDir, "*", "streams", streamName))
	if err == nil && len(list) != 1 {
		err = errors.New("expected the store_dir of a NATS server that has the games")
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", store, err)
	}
	return filepath.Dir(list[0]), nil
}
