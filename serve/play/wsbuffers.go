package play

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
)

// Sizes of a socket's buffers, in bytes. Those of net/http have 4 KB each: too much for
// ten thousand sockets whose events are small.
const (
	readBuffer  = 512
	writeBuffer = 1 << 10
)

// kernelBuffer limits how many bytes the kernel holds for a client that does not read.
// The default grows to megabytes.
const kernelBuffer = 32 << 10

// smallBuffers is a response that is hijacked with small buffers.
type smallBuffers struct{ http.ResponseWriter }

// Hijack implements http.Hijacker. Bytes that were read already come first.
func (t smallBuffers) Hijack() (net.Conn, *bufio.ReadWriter, error) {
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
	small, err := shrinkBuffers(conn, big)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("taking over a connection: %w", err), conn.Close())
	}
	return conn, small, nil
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

// Unwrap lets http.ResponseController reach the underlying writer.
func (t smallBuffers) Unwrap() http.ResponseWriter { return t.ResponseWriter }
