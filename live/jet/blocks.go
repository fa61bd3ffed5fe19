package jet

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/minio/highwayhash"
	"github.com/nats-io/nats-server/v2/server"
)

// JetStream keeps the messages of a stream in block files. Reading them without a server changes
// nothing; JetStream itself truncates a damaged block at the first bad byte. A record is
//
//	length (4 bytes; the highest bit: it has headers), number (8), time (8), length of the subject (2),
//	subject, [length of the headers (4), headers], data, HighwayHash (8)
//
// and all integers are little-endian. The key of the hash depends on the stream and the block, so no record
// is valid in a block that was put in the place of another.
const (
	recordHead   = 22
	recordHash   = 8
	withHeaders  = 1 << 31
	erasedBit    = 1 << 63  // in a number: the record is overwritten
	tombstoneBit = 1 << 62  // in a number: the message with this number is deleted
	maxRecord    = 32 << 20 // JetStream's own limit
)

// message is a record of a block.
type message struct {
	seq       uint64
	erased    bool // overwritten
	tombstone bool // it marks an earlier message as deleted
	subject   []byte
	headers   []byte
	data      []byte
	bad       int  // number of bytes between it and the previous valid record
	tail      bool // in the last block
}

// stream returns the name of the stream of live.Log that an event belongs to.
func (m *message) stream() (name []byte, ok bool) {
	return bytes.CutPrefix(m.subject, []byte(subjects+"."))
}

// blockFile is a file of messages.
type blockFile struct {
	path  string
	index int
}

// blocksOf returns the block files of a stream in the folder of a log, in order.
func blocksOf(dir, stream string) ([]blockFile, error) {
	return blocksIn(filepath.Join(dir, server.JetStreamStoreDir, "$G", "streams"), stream)
}

// blocksIn returns the block files of a stream in the folder of all streams of an account, in order.
func blocksIn(streams, stream string) (list []blockFile, err error) {
	folder := filepath.Join(streams, stream, "msgs")
	files, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".blk"); ok {
			if index, err := strconv.Atoi(name); err == nil {
				list = append(list, blockFile{filepath.Join(folder, f.Name()), index})
			}
		}
	}
	slices.SortFunc(list, func(a, b blockFile) int { return cmp.Compare(a.index, b.index) })
	return list, err
}

// blockReader reads blocks of a stream. It reuses its buffer.
type blockReader struct {
	stream string
	buf    []byte
	bytes  int64 // read so far
}

// read calls each with the valid records of a block, in order, and returns the number of bytes after the
// last one. A message is valid only during the call.
func (r *blockReader) read(b blockFile, each func(message)) (rest int, err error) {
	f, err := os.Open(b.path)
	if err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err == nil {
		r.buf = slices.Grow(r.buf[:0], int(info.Size()))[:info.Size()]
		_, err = io.ReadFull(f, r.buf)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return 0, err
	}
	r.bytes += info.Size()
	key := sha256.Sum256(fmt.Appendf(nil, "%s-%d", r.stream, b.index))
	hash, err := highwayhash.NewDigest64(key[:])
	if err != nil {
		return 0, err
	}
	for text := r.buf; len(text) > 0; {
		m, size := parseRecord(text, hash)
		if size == 0 { // search for the next valid record
			rest, text = rest+1, text[1:]
			continue
		}
		m.bad, rest, text = rest, 0, text[size:]
		each(m)
	}
	return rest, nil
}

// parseRecord parses the record at the beginning of a text. The size is 0 if there is no valid record.
func parseRecord(text []byte, hash *highwayhash.Digest64) (m message, size int) {
	if len(text) < recordHead+recordHash {
		return m, 0
	}
	length := binary.LittleEndian.Uint32(text)
	size, subject := int(length&^withHeaders), int(binary.LittleEndian.Uint16(text[20:]))
	if size > len(text) || size > maxRecord || recordHead+subject+recordHash > size {
		return m, 0
	}
	body := text[recordHead : size-recordHash]
	name, data := body[:subject], body[subject:]
	if length&withHeaders != 0 {
		if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
			return m, 0
		}
		n := binary.LittleEndian.Uint32(data)
		m.headers, data = data[4:4+n], data[4+n:]
	}
	hash.Reset()
	for _, part := range [][]byte{text[4:20], name, m.headers, data} {
		_, _ = hash.Write(part) // never fails
	}
	var sum [recordHash]byte
	if !bytes.Equal(hash.Sum(sum[:0]), text[size-recordHash:size]) {
		return m, 0
	}
	number := binary.LittleEndian.Uint64(text[4:])
	m.seq, m.erased, m.tombstone = number&^(erasedBit|tombstoneBit), number&erasedBit != 0, number&tombstoneBit != 0
	m.subject, m.data = name, data
	return m, size
}
