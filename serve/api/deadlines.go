package api

import (
	"bufio"
	"net"
	"net/http"
	"time"
)

// StallTimeout limits how long a client may take to send its request, and to receive
// each chunk of the response: enough at 2 KB a second. Event streams (ndjson) and sockets
// last for hours, so they set deadlines of their own for each write.
const (
	StallTimeout = time.Minute
	chunkSize    = 16 << 10 // bytes
)

// DeadlineWriter is a response that fails when the client does not read it.
type DeadlineWriter struct {
	http.ResponseWriter
	timeout time.Duration // for each chunk
	begun   *bool         // see Begun
}

// WithDeadlines sets the deadlines of a request and its response. net/http clears the
// read deadline once the request has been read, so handling it may take longer.
func WithDeadlines(w http.ResponseWriter, r *http.Request) DeadlineWriter {
	p := DeadlineWriter{ResponseWriter: w, timeout: StallTimeout, begun: new(bool)}
	if r.ContentLength != 0 {
		p.timeout += StallTimeout                                                       // the server reads what the handler left unread before it writes
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(StallTimeout)) // test writers have no deadline
	}
	p.extend()
	return p
}

func (p DeadlineWriter) extend() {
	_ = http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(p.timeout)) // test writers have no deadline
}

// WriteHeader implements http.ResponseWriter.
func (p DeadlineWriter) WriteHeader(status int) {
	p.extend()
	*p.begun = true
	p.ResponseWriter.WriteHeader(status)
}

// Hijack implements http.Hijacker.
func (p DeadlineWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	*p.begun = true
	return http.NewResponseController(p.ResponseWriter).Hijack()
}

// FlushError sends what is buffered; http.ResponseController calls it.
func (p DeadlineWriter) FlushError() error {
	*p.begun = true
	return http.NewResponseController(p.ResponseWriter).Flush()
}

// Write writes chunk by chunk.
func (p DeadlineWriter) Write(data []byte) (n int, err error) {
	*p.begun = true
	for {
		p.extend()
		k, err := p.ResponseWriter.Write(data[n:min(n+chunkSize, len(data))])
		n += k
		if err != nil || n == len(data) {
			return n, err
		}
	}
}

// Begun reports whether something was sent, or the connection was taken over: then it is too
// late for another status.
func (p DeadlineWriter) Begun() bool { return *p.begun }

// Unwrap lets http.ResponseController reach the underlying writer.
func (p DeadlineWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// underlying returns the writer without deadlines, for handlers that set their own.
func underlying(w http.ResponseWriter) http.ResponseWriter {
	if p, ok := w.(DeadlineWriter); ok {
		return p.ResponseWriter
	}
	return w
}
