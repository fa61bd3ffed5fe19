package serve

import (
	"context"
	"net/http"
	"time"
)

// patience is how long it is waited for the rest of a request, and for each piece of
// an answer to be taken. It is enough on a line of 2 KB a second, and whoever sends or
// takes nothing holds nothing here for longer. Lines of events have a time of their own
// (ndjson), and sockets have the library's: both last for hours.
const (
	stallTimeout = time.Minute
	chunkSize    = 16 << 10 // bytes
)

// deadlineWriter is an answer that is given up when whoever has asked does not take it.
type deadlineWriter struct {
	http.ResponseWriter
	timeout time.Duration // piece
}

// withDeadlines gives a request and its answer their time. When a request has been read,
// what it comes to may take longer: net/http takes the time away again.
func withDeadlines(w http.ResponseWriter, r *http.Request) deadlineWriter {
	p := deadlineWriter{w, stallTimeout}
	if r.ContentLength != 0 {
		p.timeout += stallTimeout                                                       // if nobody reads the rest, the server does before it writes
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(stallTimeout)) // tests have writers without one
	}
	p.extend()
	return p
}

func (p deadlineWriter) extend() {
	_ = http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(p.timeout)) // tests have writers without one
}

// WriteHeader implements http.ResponseWriter.
func (p deadlineWriter) WriteHeader(status int) {
	p.extend()
	p.ResponseWriter.WriteHeader(status)
}

// Write writes piece by piece.
func (p deadlineWriter) Write(data []byte) (n int, err error) {
	for {
		p.extend()
		k, err := p.ResponseWriter.Write(data[n:min(n+chunkSize, len(data))])
		n += k
		if err != nil || n == len(data) {
			return n, err
		}
	}
}

// Unwrap lets http.ResponseController reach the answer below.
func (p deadlineWriter) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// underlying returns the answer below, for who has a time of their own.
func underlying(w http.ResponseWriter) http.ResponseWriter {
	if p, ok := w.(deadlineWriter); ok {
		return p.ResponseWriter
	}
	return w
}

// shutDown lets the requests that there are come to an end. Those that do not are cut off:
// it may be that somebody does not send or does not read, and nobody waits for them.
func (s *Server) shutDown(ctx context.Context, server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.Drain)
	defer cancel()
	err := server.Shutdown(ctx)
	if err == nil || ctx.Err() == nil {
		return err
	}
	s.config.Log.Warn("requests are cut off that did not come to an end", "within", max(s.config.Drain, 0))
	return server.Close()
}

// drainEngines lets engines answer before another server has to: in a time of its own,
// because requests may have taken all of theirs.
func (s *Server) drainEngines(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.Drain)
	defer cancel()
	s.hub.pool.drain(ctx)
}
