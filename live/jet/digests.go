package jet

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"quintet/live"
)

// The file digests in the folder of a log has a record of 16 bytes for each event, in order: 6 bytes
// of the hash of its stream, 6 of its own hash, and a CRC of both and of its number. It is written after
// each batch and synced by the kernel. So it shows which event is missing or altered, and the stream of
// that event. A checkpoint is the truncated SHA-256 of the first records; heartbeats and backups carry
// checkpoints. Digests protect against damage, not malice: whoever can write the log can write its digests.
const (
	digestsFile  = "digests"
	digestSize   = 16
	digestPart   = 6 // bytes kept of each hash
	maxUnordered = 1 << 16
)

// digest is the record of an event. The zero digest stands for a missing one.
type digest [digestSize]byte

// newDigest returns the digest of an event; its hash is that of live.Hash.
func newDigest(seq uint64, of streamHash, eventHash []byte) (d digest) {
	copy(d[:digestPart], of[:])
	copy(d[digestPart:2*digestPart], eventHash)
	binary.LittleEndian.PutUint32(d[2*digestPart:], d.crc(seq))
	return d
}

// digestOfEvent returns the digest of an encoded event. For an event in which a name was erased, it is that
// of the original.
func digestOfEvent(seq uint64, stream string, data []byte) digest {
	sum := sumOfEvent(data)
	return newDigest(seq, hashOfStream(stream), sum[:])
}

// eventHash is the hash of live.Hash in binary.
type eventHash [12]byte

// sumOfEvent returns the hash of live.HashOf.
func sumOfEvent(data []byte) (h eventHash) {
	if bytes.Contains(data, []byte(`"was":`)) {
		if was, err := hex.DecodeString(live.HashOf(data)); err == nil && len(was) == len(h) {
			return eventHash(was)
		}
	}
	sum := sha256.Sum256(data)
	return eventHash(sum[:len(h)])
}

// crc is the CRC-32C of the number and both hashes. A loop of our own, because crc32.Checksum would
// allocate its argument for each event.
func (d *digest) crc(seq uint64) uint32 {
	table, sum := crc32.MakeTable(crc32.Castagnoli), ^uint32(0)
	for i := range 8 {
		sum = table[byte(sum)^byte(seq>>(8*i))] ^ sum>>8
	}
	for _, b := range d[:2*digestPart] {
		sum = table[byte(sum)^b] ^ sum>>8
	}
	return ^sum
}

// sound reports whether the digest is valid for an event number.
func (d *digest) sound(seq uint64) bool {
	return *d != digest{} && binary.LittleEndian.Uint32(d[2*digestPart:]) == d.crc(seq)
}

// stream returns the hash of the name of the stream.
func (d *digest) stream() streamHash { return streamHash(d[:digestPart]) }

// streamHash is the hash of the name of a stream.
type streamHash [digestPart]byte

func hashOfStream(name string) streamHash {
	sum := sha256.Sum256([]byte(name))
	return streamHash(sum[:digestPart])
}

// checkpoint is the hash of the digests of all events up to a number.
type checkpoint struct {
	seq uint64
	sum string
}

// checkpointHeader carries the checkpoint of a heartbeat. Earlier versions ignore it.
const checkpointHeader = "Quintet-Checkpoint"

func (c checkpoint) String() string { return fmt.Sprintf("%d %s", c.seq, c.sum) }

func parseCheckpoint(text string) (c checkpoint, ok bool) {
	number, sum, _ := strings.Cut(text, " ")
	seq, err := strconv.ParseUint(number, 10, 64)
	return checkpoint{seq, sum}, err == nil && sum != ""
}

// addDigest adds the digest of an event to a sum.
func addDigest(sum hash.Hash, seq int, stream string, data []byte) {
	d := digestOfEvent(uint64(seq), stream, data)
	_, _ = sum.Write(d[:]) // never fails
}

// sumOf formats a hash of digests for a checkpoint.
func sumOf(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:digestSize]) }

// digests is the open file of digests.
type digests struct {
	mu   sync.Mutex // guards the rest
	file *os.File
	next uint64            // the number of the first event whose digest is not in the sum
	sum  hash.Hash         // of all digests before next
	wait map[uint64]digest // of events after next that were acknowledged before it
	err  error             // of the last write
}

// readDigests reads the file of digests in a folder. It returns nil if there is none.
func readDigests(dir string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, digestsFile)) //nolint:gosec // the user names the folder
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// openDigests opens the file of digests of a log. The file has the digests of all events before next.
func openDigests(dir string, next uint64) (*digests, error) {
	f, err := os.OpenFile(filepath.Join(dir, digestsFile), os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // the user names the folder
	if err != nil {
		return nil, fmt.Errorf("opening the digests of the log: %w", err)
	}
	d := &digests{file: f, next: next, sum: sha256.New(), wait: map[uint64]digest{}}
	size := int64(next-1) * digestSize
	n, err := io.Copy(d.sum, io.LimitReader(f, size))
	if err == nil && n < size {
		err = io.ErrUnexpectedEOF
	}
	if err = errors.Join(err, f.Truncate(size)); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the digests of the log: %w", err), f.Close())
	}
	return d, nil
}

// add adds the digests of acknowledged events with consecutive numbers. A failed write does not fail the
// events: the next start computes the digests again.
func (d *digests) add(first uint64, list ...digest) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, it := range list {
		if seq := first + uint64(i); seq >= d.next && len(d.wait) < maxUnordered {
			d.wait[seq] = it
		}
	}
	from := d.next
	var text []byte
	for it, ok := d.wait[d.next]; ok; it, ok = d.wait[d.next] {
		delete(d.wait, d.next)
		text = append(text, it[:]...)
		d.next++
	}
	if len(text) == 0 {
		return
	}
	_, _ = d.sum.Write(text) // never fails
	if _, err := d.file.WriteAt(text, int64(from-1)*digestSize); err != nil {
		d.err = err
	}
}

// checkpoint returns the digest of all events so far.
func (d *digests) checkpoint() checkpoint {
	d.mu.Lock()
	defer d.mu.Unlock()
	return checkpoint{d.next - 1, sumOf(d.sum)}
}

// gap returns the first event without a digest.
func (d *digests) gap() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.next
}

// at returns the digest of an event, or the zero digest.
func (d *digests) at(seq uint64) (it digest) {
	if n, _ := d.file.ReadAt(it[:], int64(seq-1)*digestSize); n < digestSize {
		return digest{}
	}
	return it
}

// close syncs and closes the file.
func (d *digests) close() error { return errors.Join(d.err, d.file.Sync(), d.file.Close()) }

// prefixSum returns the sum of a checkpoint after the first events.
func prefixSum(all []byte, events uint64) string {
	h := sha256.New()
	n, _ := h.Write(all[:min(uint64(len(all)), events*digestSize)]) // never fails
	_, _ = io.CopyN(h, zeros{}, int64(events*digestSize)-int64(n))
	return sumOf(h)
}

// zeros is a reader of zeros.
type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// digestAt returns the digest of an event in a list; ok is false if it is missing or damaged.
func digestAt(all []byte, seq uint64) (d digest, ok bool) {
	if seq*digestSize > uint64(len(all)) || seq == 0 {
		return d, false
	}
	d = digest(all[(seq-1)*digestSize : seq*digestSize])
	return d, d.sound(seq)
}
