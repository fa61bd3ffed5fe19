package book

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
	"testing"
)

// TestDamaged reads every truncation of a book, and the book with each byte changed.
func TestDamaged(t *testing.T) {
	data := encode(t, build(t, testSettings(), 3, 1))
	for n := range data {
		_, err := Read(bytes.NewReader(data[:n]))
		want := "truncated after "
		if n < len(header) {
			want = "not a book: expected a file of lab book othello"
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%d of %d bytes: %v, want %q", n, len(data), err, want)
		}
		changed := slices.Clone(data)
		changed[n] ^= 0x11
		if _, err := Read(bytes.NewReader(changed)); err == nil {
			t.Errorf("byte %d changed: no error", n)
		}
	}
	if _, err := Read(bytes.NewReader(append(slices.Clone(data), 0))); err == nil || err.Error() != "damaged: bytes after the checksum" {
		t.Errorf("a byte too many: %v", err)
	}
	if err := New(testSettings()).Write(&bytes.Buffer{}); err == nil {
		t.Error("a new book was written")
	}
}

// sealed returns a file of these numbers, and bytes behind them, with the right checksum.
func sealed(numbers []uint64, behind ...byte) []byte {
	data := []byte(header)
	for _, v := range numbers {
		data = binary.AppendUvarint(data, v)
	}
	data = append(data, behind...)
	return binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(data))
}

// TestWrong reads files with the right checksum and wrong contents.
func TestWrong(t *testing.T) {
	const square = 19 // a legal move of the canonical start
	if c := children(startBoard()); !slices.ContainsFunc(c, func(c child) bool { return c.square == square }) {
		t.Fatalf("%+v", c)
	}
	for _, test := range []struct {
		name    string
		numbers []uint64
		behind  []byte
		want    string
	}{
		{"no positions", []uint64{1, 0, 0, 0, 0}, nil, "damaged: 0 positions announced, expected 1 to 200000"},
		{"too many positions", []uint64{1, 0, 0, 0, MaxPositions + 1}, nil, "damaged: 200001 positions announced, expected 1 to 200000"},
		{"no nodes", []uint64{0, 0, 0, 0, 1}, nil, "nodes 0: expected 1 or more"},
		{"margin", []uint64{1, 1 << 63, 0, 0, 1}, nil, "margin of 2147483647 hundredths: expected 0 to 6400"},
		{"weight", []uint64{1, 0, 101, 0, 1}, nil, "weight 101: expected 0 to 100"},
		{"fewer positions", []uint64{1, 0, 0, 0, 2}, []byte{square + 1, 0, 1, 0}, "damaged: 1 positions, not 2 as announced"},
		{"more positions", []uint64{1, 0, 0, 0, 1}, []byte{square + 1, 0, 1, 1}, "damaged: more than the 1 positions that are announced"},
		{"illegal move", []uint64{1, 0, 0, 0, 1}, []byte{1, 0, 1, 0}, "damaged: position 1 has move 1 of value 0 and depth 1"},
		{"no such square", []uint64{1, 0, 0, 0, 1}, []byte{255, 0, 1, 0}, "damaged: position 1 has move 255 of value 0 and depth 1"},
		{"depth", []uint64{1, 0, 0, 0, 1}, []byte{square + 1, 0, 65, 0}, "damaged: position 1 has move 20 of value 0 and depth 65"},
		{"value", []uint64{1, 0, 0, 0, 1}, []byte{square + 1, 0x81, 0x64, 1, 0}, "damaged: position 1 has move 20 of value -6401 and depth 1"},
		{"no move", []uint64{1, 0, 0, 0, 1}, []byte{0, 0, 0, 0}, "damaged: position 1 has no move"},
		{"symmetric moves", []uint64{1, 0, 0, 0, 3}, []byte{square + 1, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0}, "damaged: position 3 occurs twice or ends the game"},
		{"fifth move", []uint64{1, 0, 0, 0, 1}, []byte{square + 1, 0, 1, 16}, "damaged: position 1 has 4 moves, not 5"},
	} {
		_, err := Read(bytes.NewReader(sealed(test.numbers, test.behind...)))
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
	if _, err := Read(bytes.NewReader(sealed([]uint64{1, 0, 0, 0, 1}, square+1, 0, 1, 0))); err != nil {
		t.Errorf("a book of one position: %v", err)
	}
}

// FuzzRead checks that reading never panics, and that what it accepts can be written and
// read again. It sets the checksum right, because no change would pass otherwise.
func FuzzRead(f *testing.F) {
	f.Add(sealed([]uint64{1, 0, 0, 0, 1}, 20, 0, 1, 0)[len(header):])
	f.Add(embedded[len(header):min(len(embedded), 4000)])
	f.Fuzz(func(t *testing.T, body []byte) {
		data := append([]byte(header), body[:max(len(body)-crc32.Size, 0)]...)
		data = binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(data))
		b, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		again, err := Read(bytes.NewReader(encode(t, b)))
		if err != nil || !slices.Equal(again.nodes, b.nodes) || again.settings != b.settings {
			t.Fatalf("written and read again: %v", err)
		}
		follow(t, b, start(t, "course"), b.Moves(start(t, "course"))[0])
	})
}
