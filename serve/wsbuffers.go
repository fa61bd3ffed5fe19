package serve

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
)

// The buffers of a socket. Those of net/http have 4 KB each, which ten thousand
// sockets keep and hardly any event fills.
const (
	readBuffer  = 512
	writeBuffer = 1 << 10
)

// kernelBuffer is what the system may keep for a reader who does not read, beside
// what it keeps for itself. It would be megabytes otherwise.
const kernelBuffer = 32 << 10

// smallBuffers is an answer whose connection is taken over with smaller buffers.
type smallBuffers struct{ http.ResponseWriter }

// Hijack implements http.Hijacker. What was read already comes first.
func (t smallBuffers) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, big, err := http.NewResponseController(t.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(kernelBuffer) // without it, a reader who stalls is found out later
	}
	small, err := shrinkBuffers(conn, big)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("taking over a connection: %w", err), conn.Close())
	}
	return conn, small, nil
}

// shrinkBuffers returns buffers of our size, with what the large ones have. Who takes
// over takes what is buffered, and then reads from the connection.
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

// Unwrap lets http.ResponseController reach the answer below.
func (t smallBuffers) Unwrap() http.ResponseWriter { return t.ResponseWriter }
