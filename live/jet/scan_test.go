package jet

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/minio/highwayhash"

	"quintet/live"
)

// writeBlocks writes a log of games of 50 events, 16 at a time, as JetStream would, and its digests. change
// changes events before they are written.
func writeBlocks(tb testing.TB, dir string, events int, change func(i int, data []byte) []byte) {
	tb.Helper()
	folder := filepath.Join(dir, "jetstream", "$G", "streams", streamName, "msgs")
	if err := os.MkdirAll(folder, 0o750); err != nil {
		tb.Fatal(err)
	}
	var block, digests []byte
	index, chains := 1, [16]live.Chain{}
	flush := func() {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.blk", index)), block, 0o600); err != nil {
			tb.Fatal(err)
		}
		index, block = index+1, nil
	}
	for i := range events {
		c := &chains[i%16]
		if i/16%50 == 0 {
			*c = live.Chain{}
		}
		stream := fmt.Sprintf("game%08d", i/800*16+i%16)
		e := c.Next("moved", live.Stamp{})
		data := fmt.Appendf(nil, `{"kind":"moved","n":%d,"prev":%q,"at":%d,"time":1764200000000,"ply":7,"move":"e3","clocks":[300000,298000],"side":"first","key":"0123456789abcdef01234567"}`, e.Number, e.Prev, i)
		if e.Prev == "" {
			data = fmt.Appendf(nil, `{"kind":"opened","n":0,"at":%d,"time":1764200000000,"ply":0,"settings":{"game":"othello","clock":{"main":300,"increment":5},"private":false}}`, i)
		}
		if _, err := c.Load(stream, data); err != nil {
			tb.Fatal(err)
		}
		if change != nil {
			data = change(i, data)
		}
		d := digestOfEvent(uint64(i+1), stream, data)
		digests = append(digests, d[:]...)
		block = appendRecord(block, index, uint64(i+1), subjects+"."+stream, data)
		if len(block) > 8_000_000 {
			flush()
		}
	}
	flush()
	if err := os.WriteFile(filepath.Join(dir, digestsFile), digests, 0o600); err != nil {
		tb.Fatal(err)
	}
}

func appendRecord(block []byte, index int, seq uint64, subject string, data []byte) []byte {
	key := sha256.Sum256(fmt.Appendf(nil, "%s-%d", streamName, index))
	hash, _ := highwayhash.NewDigest64(key[:]) // the key has the right length
	head := binary.LittleEndian.AppendUint32(nil, uint32(recordHead+len(subject)+len(data)+recordHash))
	head = binary.LittleEndian.AppendUint64(head, seq)
	head = binary.LittleEndian.AppendUint64(head, 1_764_200_000_000_000_000)
	for _, part := range [][]byte{head[4:], []byte(subject), data} {
		_, _ = hash.Write(part)
	}
	head = binary.LittleEndian.AppendUint16(head, uint16(len(subject)))
	block = append(append(append(block, head...), subject...), data...)
	return hash.Sum(block)
}

// BenchmarkScan measures the startup check and quintet verify.
func BenchmarkScan(b *testing.B) {
	dir := b.TempDir()
	writeBlocks(b, dir, 200_000, nil)
	size := int64(0)
	list, err := blocksOf(dir, streamName)
	for _, f := range list {
		if info, err := os.Stat(f.path); err == nil {
			size += info.Size()
		}
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Run("start", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			if s, err := scanLog(dir); err != nil || s.events != 200_000 {
				b.Fatal(s, err)
			}
		}
	})
	b.Run("verify", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			if v, err := VerifyFolder(dir); err != nil || v.Events != 200_000 || len(v.Damaged) > 0 {
				b.Fatal(v, err)
			}
		}
	})
}

// TestVerifyChains checks that broken chains are found even if the digests match, and that events whose JSON
// has another form are decoded.
func TestVerifyChains(t *testing.T) {
	for name, k := range map[string]struct {
		event    int // of the game
		old, new string
		damaged  string
	}{
		"intact":          {2, "", "", ""},
		"another number":  {2, `"n":2,`, `"n":3,`, "game00000001"},
		"another hash":    {2, `"prev":"`, `"prev":"00`, "game00000001"},
		"another content": {2, `"e3"`, `"e4"`, "game00000001"}, // the next event does not follow it
		"other JSON":      {49, `{"kind"`, `{ "kind"`, ""},
	} {
		dir := t.TempDir()
		writeBlocks(t, dir, 800, func(i int, data []byte) []byte {
			if i == 16*k.event+1 {
				return bytes.Replace(data, []byte(k.old), []byte(k.new), 1)
			}
			return data
		})
		v, err := VerifyFolder(dir)
		if err != nil || v.Events == 0 || (k.damaged == "") != (len(v.Damaged) == 0) || k.damaged != "" && (v.Damaged[0].Stream != k.damaged || v.Damaged[0].Kept > 3) {
			t.Errorf("%s: VerifyFolder = %+v, %v, want %q damaged", name, v, err, k.damaged)
		}
	}
}
