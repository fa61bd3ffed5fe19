package web

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"sync"
)

// minCompressed is the smallest response, in bytes, that is compressed.
const minCompressed = 1 << 10

// Compress returns a handler that compresses responses with gzip if the client accepts it
// and the first write has at least 1 KB.
func Compress(next http.Handler) http.Handler {
	c := NewCompressor()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { c.Serve(w, r, next.ServeHTTP) })
}

// Compressor compresses responses. It is safe for concurrent use.
type Compressor struct{ writers sync.Pool }

// NewCompressor returns a Compressor.
func NewCompressor() *Compressor {
	return &Compressor{sync.Pool{New: func() any {
		z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
		return z
	}}}
}

// Serve compresses what a handler responds, if the client accepts that.
func (k *Compressor) Serve(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
	w.Header().Add("Vary", "Accept-Encoding")
	if !AcceptsGzip(r) {
		next(w, r)
		return
	}
	c := &compressWriter{ResponseWriter: w, writers: &k.writers}
	defer c.end()
	next(c, r)
}

// AcceptsGzip reports whether the sender of a request accepts compressed responses.
func AcceptsGzip(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
}

// Gzip returns data compressed.
func (k *Compressor) Gzip(data []byte) []byte {
	var small bytes.Buffer
	z, _ := k.writers.Get().(*gzip.Writer)
	z.Reset(&small)
	_, _ = z.Write(data) // a buffer takes everything
	_ = z.Close()
	k.writers.Put(z)
	return small.Bytes()
}

// compressWriter is a response that is compressed if its first write is large enough.
type compressWriter struct {
	http.ResponseWriter
	writers *sync.Pool
	status  int          // waits for the first write; 0 if not set
	begun   bool         // the header has been written
	z       *gzip.Writer // nil if the response is not compressed
}

// WriteHeader implements http.ResponseWriter. The first write sends the header,
// because its length decides about the encoding.
func (c *compressWriter) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
}

// Write implements http.ResponseWriter.
func (c *compressWriter) Write(data []byte) (int, error) {
	if !c.begun {
		c.begin(len(data))
	}
	if c.z != nil {
		return c.z.Write(data) //nolint:wrapcheck // the error is the connection's
	}
	return c.ResponseWriter.Write(data) //nolint:wrapcheck // the error is the connection's
}

// begin decides about the encoding by the length of the first write, and writes the header.
func (c *compressWriter) begin(length int) {
	c.begun = true
	if h := c.Header(); length >= minCompressed && h.Get("Content-Encoding") == "" {
		h.Set("Content-Encoding", "gzip")
		h.Del("Content-Length")
		c.z, _ = c.writers.Get().(*gzip.Writer)
		c.z.Reset(c.ResponseWriter)
	}
	if c.status != 0 {
		c.ResponseWriter.WriteHeader(c.status)
	}
}

// end writes a header without a body, or the end of the compressed data.
func (c *compressWriter) end() {
	if !c.begun && c.status != 0 {
		c.ResponseWriter.WriteHeader(c.status)
	}
	if c.z != nil {
		_ = c.z.Close() // the client may have left
		c.writers.Put(c.z)
	}
}

// Unwrap lets http.ResponseController reach the underlying writer.
func (c *compressWriter) Unwrap() http.ResponseWriter { return c.ResponseWriter }
