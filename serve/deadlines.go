package serve

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"time"
)

// stallTimeout limits how long a client may take to send its request, and to receive
// each chunk of the response: enough at 2 KB a second. Event streams (ndjson) and sockets
// last for hours, so they set deadlines of their own for each write.
const (
	stallTimeout = time.Minute
	chunkSize    = 16 << 10 // bytes
)

// deadlineWriter is a response that fails when the client does not read it.
type deadlineWriter struct {
	http.ResponseWriter
	timeout time.Duration // for each chunk
	begun   *bool         // something was sent, or the connection was taken over: too late for another status
}

// withDeadlines sets the deadlines of a request and its response. net/http clears the
// read deadline once the request has been read, so handling it may take longer.
func withDeadlines(w http.ResponseWriter, r *http.Request) deadlineWriter {
	p := deadlineWriter{ResponseWriter: w, timeout: stallTimeout, begun: new(bool)}
	if r.ContentLength != 0 {
		p.timeout += stallTimeout                                                       // the server reads what the handler left unread before it writes
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(stallTimeout)) // test writers have no deadline
	}
	p.extend()
	return p
}

func (p deadlineWriter) extend() {
	_ = http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(p.timeout)) // test writers have no deadline
}

// WriteHeader implements http.ResponseWriter.
func (p deadlineWriter) WriteHeader(status int) {
	p.extend()
	*p.begun = true
	p.ResponseWriter.WriteHeader(status)
}

// Hijack implements http.Hijacker.
func (p deadlineWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	*p.begun = true
	return http.NewResponseController(p.ResponseWriter).Hijack()
}

// FlushError sends what is buffered; http.ResponseController calls it.
func (p deadlineWriter) FlushError() error {
	*p.begun = true
	return http.NewResponseController(p.ResponseWriter).Flush()
}

// Write writes chunk by chunk.
func (p deadlineWriter) Write(data []byte) (n int, err error) {
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

// Unwrap lets http.ResponseController reach the underlying writer.
func (p deadlineWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// underlying returns the writer without deadlines, for handlers that set their own.
func underlying(w http.ResponseWriter) http.ResponseWriter {
	if p, ok := w.(deadlineWriter); ok {
		return p.ResponseWriter
	}
	return w
}

// shutDown waits for pending requests, and cuts off those that are still there after
// Config.Drain: a client that neither sends nor reads must not block the shutdown.
func (s *Server) shutDown(ctx context.Context, server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.Drain)
	defer cancel()
	err := server.Shutdown(ctx)
	if err == nil || ctx.Err() == nil {
		return err
	}
	s.config.Log.Warn("cutting off pending requests", "within", max(s.config.Drain, 0))
	return server.Close()
}

// drainEngines waits for engines that are thinking, so that no other server must take
// over their moves. It has a timeout of its own, since requests may have used all of
// theirs.
func (s *Server) drainEngines(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.Drain)
	defer cancel()
	s.hall.DrainEngines(ctx)
}

func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
