package book

import (
	"bytes"
	_ "embed" // the book that comes with the program
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"os"
)

// embedded is the book that "lab book othello" has made; docs/internals/engines.md has the
// command.
//
//go:embed othello8.book
var embedded []byte

// Embedded returns the book that comes with the program.
func Embedded() (*Book, error) { return Read(bytes.NewReader(embedded)) }

// header is the first line of a file. After it come the settings and the number of
// positions, the positions, each before those that it leads to, and a CRC-32 (IEEE) of all
// that. Numbers are varints.
//
// A position is its deviation (square + 1, or 0 for none), the score and depth of the
// deviation, and a bit for each legal move, in the order of squares: whether the position
// after it follows. A position stands where the first move leads to it.
const header = "quintet book othello 1\n"

// MaxPositions is the largest number of positions of a book, which bounds the memory for a
// file: about 13 MB.
const MaxPositions = 200_000

// maxBytes bounds the length of a file: no position takes more bytes than maxNode.
const (
	maxNode  = 1 + 3 + 1 + 5
	maxBytes = len(header) + 6*binary.MaxVarintLen64 + MaxPositions*maxNode + crc32.Size
)

// Write writes the book. A new book has nothing to write before the first round.
func (b *Book) Write(out io.Writer) error {
	if b.nodes[0].dev == unsearched {
		return errors.New("writing the book: nothing was searched")
	}
	data := []byte(header)
	s := b.settings
	for _, v := range []uint64{s.Nodes, uint64(s.Margin), uint64(s.Weight), s.Seed, uint64(len(b.nodes))} {
		data = binary.AppendUvarint(data, v)
	}
	data = b.appendNode(data, 0, make([]bool, len(b.nodes)))
	data = binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(data))
	if _, err := out.Write(data); err != nil {
		return fmt.Errorf("writing the book: %w", err)
	}
	return nil
}

// appendNode appends a position and those behind it that are not written yet.
func (b *Book) appendNode(data []byte, i int32, written []bool) []byte {
	n := &b.nodes[i]
	written[i] = true
	score := n.score
	if n.dev == none {
		score = 0
	}
	data = append(data, byte(n.dev+1))
	data = binary.AppendVarint(data, int64(score))
	data = append(data, n.depth)
	var mask uint64
	var follow []int32
	for bit, c := range children(n.board) {
		if next, in := b.index[c.board]; in && !written[next] {
			written[next] = true
			mask |= 1 << bit
			follow = append(follow, next)
		}
	}
	data = binary.AppendUvarint(data, mask)
	for _, next := range follow {
		data = b.appendNode(data, next, written)
	}
	return data
}

// Open reads the book of a file.
func Open(name string) (*Book, error) {
	file, err := os.Open(name) //nolint:gosec // the user names it
	if err != nil {
		return nil, fmt.Errorf("reading a book: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	b, err := Read(file)
	if err != nil {
		return nil, fmt.Errorf("reading the book %s: %w", name, err)
	}
	return b, nil
}

// Read reads a book. It checks everything, and uses memory in proportion to the file and
// for at most MaxPositions.
func Read(in io.Reader) (*Book, error) {
	line := make([]byte, len(header))
	if _, err := io.ReadFull(in, line); err != nil || string(line) != header {
		return nil, fmt.Errorf("not a book: expected a file of lab book othello, which begins with %q", header[:len(header)-1])
	}
	data, err := io.ReadAll(io.LimitReader(in, int64(maxBytes-len(header))))
	if err != nil {
		return nil, err //nolint:wrapcheck // Open wraps it
	}
	r := &reader{Reader: bytes.NewReader(data), b: new(Book)}
	b, err := r.book(append(line, data...))
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("truncated after %d of %d positions", len(r.b.nodes), r.count)
	}
	return b, err
}

// reader reads a file after its header.
type reader struct {
	*bytes.Reader
	count uint64 // positions that the file announces
	b     *Book
}

// book reads a book from a file with this data.
func (r *reader) book(data []byte) (*Book, error) {
	s, err := r.settings()
	if err != nil {
		return nil, err
	}
	r.b = New(s)
	if err := r.node(0); err != nil {
		return nil, err
	}
	if n := len(r.b.nodes); uint64(n) != r.count {
		return nil, fmt.Errorf("damaged: %d positions, not %d as announced", n, r.count)
	}
	data, sum := data[:len(data)-r.Len()], data[len(data)-r.Len():]
	switch {
	case len(sum) < crc32.Size:
		return nil, io.ErrUnexpectedEOF
	case binary.BigEndian.Uint32(sum) != crc32.ChecksumIEEE(data):
		return nil, errors.New("damaged: its checksum is wrong")
	case len(sum) > crc32.Size:
		return nil, errors.New("damaged: bytes after the checksum")
	}
	r.b.minimax()
	for i := range r.b.nodes {
		if r.b.nodes[i].value == noValue {
			return nil, fmt.Errorf("damaged: position %d has no move", i+1)
		}
	}
	return r.b, nil
}

// settings reads the numbers at the beginning.
func (r *reader) settings() (s Settings, err error) {
	var v [5]uint64
	for i := range v {
		if v[i], err = binary.ReadUvarint(r); err != nil {
			return s, err //nolint:wrapcheck // Read wraps it
		}
	}
	r.count = v[4]
	if v[4] < 1 || v[4] > MaxPositions {
		return s, fmt.Errorf("damaged: %d positions announced, expected 1 to %d", v[4], MaxPositions)
	}
	s = Settings{Nodes: v[0], Margin: int(min(v[1], math.MaxInt32)), Weight: int(min(v[2], math.MaxInt32)), Seed: v[3]}
	return s, s.Check()
}

// node reads the position i, whose board is known, and those behind it.
func (r *reader) node(i int32) error {
	moves := children(r.b.nodes[i].board)
	mask, err := r.deviation(&r.b.nodes[i], moves)
	if err != nil {
		return err
	}
	for _, c := range moves {
		if mask&1 != 0 {
			if err := r.child(c); err != nil {
				return err
			}
		}
		mask >>= 1
	}
	if mask != 0 {
		return fmt.Errorf("damaged: position %d has %d moves, not %d", i+1, len(moves), len(moves)+bits.Len64(mask))
	}
	return nil
}

// child adds the position after a move and reads it.
func (r *reader) child(c child) error {
	next := int32(len(r.b.nodes))
	switch _, twice := r.b.index[c.board]; {
	case twice, c.over:
		return fmt.Errorf("damaged: position %d occurs twice or ends the game", next+1)
	case uint64(next) >= r.count:
		return fmt.Errorf("damaged: more than the %d positions that are announced", r.count)
	}
	r.b.add(c.board)
	return r.node(next)
}

// deviation reads a position's deviation and which of its moves lead to positions that
// follow.
func (r *reader) deviation(n *node, moves []child) (mask uint64, err error) {
	dev, err := r.ReadByte()
	if err != nil {
		return 0, err
	}
	score, err := binary.ReadVarint(r)
	if err != nil {
		return 0, err //nolint:wrapcheck // Read wraps it
	}
	if n.depth, err = r.ReadByte(); err != nil {
		return 0, err
	}
	legal := dev == 0
	for _, c := range moves {
		legal = legal || c.square == int(dev)-1
	}
	if !legal || score < -maxScore || score > maxScore || n.depth > 64 {
		return 0, fmt.Errorf("damaged: position %d has move %d of value %d and depth %d", len(r.b.nodes), dev, score, n.depth)
	}
	n.dev, n.score = int8(dev)-1, int16(score)
	if n.dev == none {
		n.score = noValue
	}
	return binary.ReadUvarint(r) //nolint:wrapcheck // Read wraps it
}
