package web

import (
	"compress/gzip"
	"net/http"
	"strings"
	"sync"
)

// worth is from how many bytes on an answer is compressed.
const worth = 1 << 10

// Compress returns a handler whose answers are compressed with gzip, for clients that
// take it, where their first write has 1 KB or more.
func Compress(next http.Handler) http.Handler {
	writers := &sync.Pool{New: func() any {
		z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // a level that there is
		return z
	}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept-Encoding")
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			next.ServeHTTP(w, r)
			return
		}
		c := &compressing{ResponseWriter: w, writers: writers}
		defer c.end()
		next.ServeHTTP(c, r)
	})
}

// compressing is an answer that is compressed if it is worth it.
type compressing struct {
	http.ResponseWriter
	writers *sync.Pool
	status  int          // that waits for the first write; 0 if there is none
	begun   bool         // there was a write
	z       *gzip.Writer // nil while nothing is compressed
}

// WriteHeader implements http.ResponseWriter. The header waits for the first write,
// which decides about the encoding.
func (c *compressing) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
}

// Write implements http.ResponseWriter.
func (c *compressing) Write(data []byte) (int, error) {
	if !c.begun {
		c.begin(len(data))
	}
	if c.z != nil {
		return c.z.Write(data) //nolint:wrapcheck // the error is the connection's
	}
	return c.ResponseWriter.Write(data) //nolint:wrapcheck // the error is the connection's
}

// begin writes the header, by the length of the first write.
func (c *compressing) begin(length int) {
	c.begun = true
	if h := c.Header(); length >= worth && h.Get("Content-Encoding") == "" {
		h.Set("Content-Encoding", "gzip")
		h.Del("Content-Length")
		c.z, _ = c.writers.Get().(*gzip.Writer)
		c.z.Reset(c.ResponseWriter)
	}
	if c.status != 0 {
		c.ResponseWriter.WriteHeader(c.status)
	}
}

// end writes what is left.
func (c *compressing) end() {
	if !c.begun && c.status != 0 {
		c.ResponseWriter.WriteHeader(c.status)
	}
	if c.z != nil {
		_ = c.z.Close() // the client may have left
		c.writers.Put(c.z)
	}
}

// Unwrap lets http.ResponseController reach the answer below.
func (c *compressing) Unwrap() http.ResponseWriter { return c.ResponseWriter }
