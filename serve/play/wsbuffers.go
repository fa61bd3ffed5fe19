package play

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"sync"
	"time"

	"quintet/serve/api"
)

// Sizes of a socket's buffers, in bytes. Those of net/http have 4 KB each: too much for
// ten thousand sockets whose frames are small. Only control frames need the buffer to write.
const (
	readBuffer  = 512
	writeBuffer = 128
)

// kernelBuffer limits how many bytes the kernel holds for a client that does not read.
// The default grows to megabytes.
const kernelBuffer = 32 << 10

// smallBuffers is a response that is hijacked with small buffers.
type smallBuffers struct {
	http.ResponseWriter
	conn net.Conn // the connection, once it is hijacked
}

// Hijack implements http.Hijacker. Bytes that were read already come first.
func (t *smallBuffers) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, big, err := http.NewResponseController(t.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	under := conn
	if counted, ok := conn.(interface{ NetConn() net.Conn }); ok {
		under = counted.NetConn()
	}
	if tcp, ok := under.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(kernelBuffer) // without it, stalled clients are only noticed later
	}
	t.conn = &timedConn{Conn: conn}
	small, err := shrinkBuffers(t.conn, big)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("taking over a connection: %w", err), conn.Close())
	}
	return t.conn, small, nil
}

// timedConn is a connection on which each write has api.WriteTime.
type timedConn struct {
	net.Conn
	writing sync.Mutex // guards the deadline until its write has ended
}

// Write implements net.Conn.
func (c *timedConn) Write(data []byte) (int, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	_ = c.SetWriteDeadline(time.Now().Add(api.WriteTime)) // if it fails, so does the write
	return c.Conn.Write(data)                             //nolint:wrapcheck // the error is the connection's
}

// frameHeader appends the header of the only frame of a text message with n bytes (RFC 6455, 5.2). Servers mask nothing.
func frameHeader(to []byte, n int) []byte {
	const text = 0x81
	switch {
	case n < 126:
		return append(to, text, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(to, text, 126), uint16(n))
	}
	return binary.BigEndian.AppendUint64(append(to, text, 127), uint64(n))
}

// shrinkBuffers returns small buffers that hold what the large ones hold. The websocket
// library reads what is buffered first, and then from the connection.
func shrinkBuffers(conn net.Conn, big *bufio.ReadWriter) (*bufio.ReadWriter, error) {
	if err := big.Flush(); err != nil {
		return nil, err
	}
	early, err := big.Peek(big.Reader.Buffered())
	if err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(bytes.Clone(early)), conn), max(readBuffer, len(early)))
	if _, err := r.Peek(len(early)); err != nil {
		return nil, err
	}
	return bufio.NewReadWriter(r, bufio.NewWriterSize(conn, writeBuffer)), nil
}
