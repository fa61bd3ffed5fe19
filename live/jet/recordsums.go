package jet

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"quintet/internal/atomicfile"
	"quintet/live"
)

// The file records in the folder of a log detects lost records. It has an entry for each write of a record: 6
// bytes of the hash of the key, the revision (8), 6 bytes of the hash of the data, and a CRC. An entry is written
// after its record, and the kernel syncs it later. Each start rewrites the file with one entry for each key.
const (
	recordSumsFile = "records"
	recordSumSize  = 24
)

// recordSum is the digest of the latest version of a record.
type recordSum struct {
	key      streamHash
	revision uint64
	data     streamHash
}

func recordSumOf(key string, revision uint64, data []byte) recordSum {
	sum := sha256.Sum256(data)
	return recordSum{hashOfStream(key), revision, streamHash(sum[:digestPart])}
}

// name is the name of a lost record in reports: its key is lost, too.
func (r recordSum) name() string { return fmt.Sprintf("record-%x", r.key) }

func (r recordSum) appendTo(b []byte) []byte {
	from := len(b)
	b = append(binary.LittleEndian.AppendUint64(append(b, r.key[:]...), r.revision), r.data[:]...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[from:], crc32.MakeTable(crc32.Castagnoli)))
}

// readRecordSums reads the latest entry of each key. It skips damaged entries.
func readRecordSums(dir string) (map[streamHash]recordSum, error) {
	text, err := os.ReadFile(filepath.Join(dir, recordSumsFile)) //nolint:gosec // the user names the folder
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	all := map[streamHash]recordSum{}
	for part := range slices.Chunk(text, recordSumSize) {
		if len(part) < recordSumSize {
			break
		}
		r := recordSum{streamHash(part), binary.LittleEndian.Uint64(part[digestPart:]), streamHash(part[digestPart+8:])}
		if slices.Equal(r.appendTo(nil), part) && r.revision >= all[r.key].revision {
			all[r.key] = r
		}
	}
	return all, nil
}

// checkRecords compares the records with their digests. A copy of the log has other revisions.
func (s *scan) checkRecords() error {
	want, err := readRecordSums(s.dir)
	if err != nil {
		return err
	}
	for subject, m := range s.records {
		got := recordSumOf(strings.TrimPrefix(subject, recordSubject+"."), m.seq, m.data)
		if old, ok := want[got.key]; ok && (old.data == got.data || old.revision < got.revision) {
			delete(want, got.key)
		}
	}
	s.lostRecords = slices.SortedFunc(maps.Values(want), func(a, b recordSum) int { return cmp.Compare(a.revision, b.revision) })
	return nil
}

// recordDamage returns the lost records.
func (s *scan) recordDamage() (list []*live.DamageError) {
	for _, r := range s.lostRecords {
		list = append(list, &live.DamageError{Stream: r.name(), Seq: r.revision, Events: 1, What: "missing"})
	}
	return list
}

// writeRecordSums writes an entry for each record, and keeps those of lost ones.
func (s *scan) writeRecordSums() error {
	var text []byte
	for _, subject := range slices.Sorted(maps.Keys(s.records)) {
		m := s.records[subject]
		text = recordSumOf(strings.TrimPrefix(subject, recordSubject+"."), m.seq, m.data).appendTo(text)
	}
	for _, r := range s.lostRecords {
		text = r.appendTo(text)
	}
	if old, err := os.ReadFile(filepath.Join(s.dir, recordSumsFile)); err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err := atomicfile.Write(filepath.Join(s.dir, recordSumsFile), text, 0o600); err != nil {
		return fmt.Errorf("writing the digests of the accounts: %w", err)
	}
	return nil
}

// recordSums is the open file.
type recordSums struct {
	mu   sync.Mutex // held while the file is written
	file *os.File
}

// openRecordSums opens the file, with an entry for each record.
func (s *scan) openRecordSums() (*recordSums, error) {
	if err := s.writeRecordSums(); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(s.dir, recordSumsFile), os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the digests of the accounts: %w", err)
	}
	return &recordSums{file: f}, nil
}

// add adds an entry. A failed write does not fail the record: the next start writes its entry.
func (s *recordSums) add(r recordSum) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = s.file.Write(r.appendTo(nil))
}
