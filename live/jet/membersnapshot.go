package jet

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/minio/highwayhash"
	"github.com/nats-io/nats-server/v2/server"
)

// Each Raft group of a NATS server has a snapshot, which replaces the beginning of its Raft log. The meta group and the
// group of each stream have one. If its snapshot is damaged, the server does not start
// the group, and only logs that: it keeps its
// events, but neither votes nor can stand in for another server. Without the snapshot, the group starts with an empty log
// and gets a new snapshot from its leader; until then, its vote counts only if all servers vote.

// A snapshot ends with a HighwayHash of the rest, whose key depends on the group.
const (
	snapshotHead = 20 // term (8 bytes), index (8), length of the state of the peers (4)
	snapshotHash = 8
)

// damagedSnapshots returns the damaged snapshots of all Raft groups of a NATS server.
func damagedSnapshots(store string) (list []string, err error) {
	files, err := filepath.Glob(filepath.Join(store, server.JetStreamStoreDir, "*", "_js_", "*", "snapshots", "snap.*"))
	for _, path := range files {
		if err != nil {
			break
		}
		if strings.HasSuffix(path, ".tmp") {
			continue // being written, or left by a crash; NATS removes it
		}
		text, failed := os.ReadFile(path) //nolint:gosec // the operator names the folder
		switch {
		case errors.Is(failed, os.ErrNotExist): // the server has replaced it
		case failed != nil:
			err = failed
		case !intactSnapshot(filepath.Base(filepath.Dir(filepath.Dir(path))), text):
			list = append(list, path)
		}
	}
	return list, err
}

// intactSnapshot verifies the hash of the snapshot of a Raft group.
func intactSnapshot(group string, text []byte) bool {
	if len(text) < snapshotHead+snapshotHash {
		return false
	}
	key := sha256.Sum256([]byte(group))
	hash, err := highwayhash.NewDigest64(key[:])
	if err != nil {
		return false
	}
	body := text[:len(text)-snapshotHash]
	_, _ = hash.Write(body) // never fails
	return bytes.Equal(hash.Sum(nil), text[len(body):])
}
