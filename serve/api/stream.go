package api

import (
	"encoding/json"
	"net/http"
	"time"
)

// KeepAliveEvery is how often an idle stream sends a line that says that it is alive.
const KeepAliveEvery = 15 * time.Second

// WriteTime is how long the client of a stream or socket may take to receive a message.
const WriteTime = 10 * time.Second

// Stream is a response of JSON objects, one on each line, with a deadline for each.
type Stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// StartStream begins a stream. The caller calls End.
func StartStream(w http.ResponseWriter) Stream {
	w.Header().Set("Content-Type", "application/x-ndjson; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // proxies must not buffer lines
	w.WriteHeader(http.StatusOK)              // lines are written past w, which must know that the response has begun
	return Stream{underlying(w), http.NewResponseController(w)}
}

func (s Stream) extend() { _ = s.control.SetWriteDeadline(time.Now().Add(WriteTime)) } // not every writer has one

// End sets the deadline of the end of the stream.
func (s Stream) End() { s.extend() }

// Line writes encoded JSON, which stays in a buffer until Flush.
func (s Stream) Line(data []byte) error {
	s.extend()
	_, err := s.w.Write(append(data[:len(data):len(data)], '\n')) // JSON with nosniff
	return err
}

// Flush sends what is buffered.
func (s Stream) Flush() error { return s.control.Flush() }

// Send writes encoded JSON and sends it.
func (s Stream) Send(data []byte) error {
	if err := s.Line(data); err != nil {
		return err
	}
	return s.Flush()
}

// KeepAlive sends a line that says that the stream is alive.
func (s Stream) KeepAlive() error { return s.Send([]byte(`{"kind":"beat"}`)) }

// Follow streams to a client: send writes what is new when the stream begins, at every change,
// and at every tick. It returns the channel of the next change, and false when the stream is
// complete. The stream also ends when the client leaves, and when the server stops.
func (b *Base) Follow(w http.ResponseWriter, r *http.Request, every time.Duration, send func(out Stream, ticked bool) (changed <-chan struct{}, more bool)) error {
	out := StartStream(w)
	defer out.End()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for ticked := false; ; {
		changed, more := send(out, ticked)
		if !more {
			return nil
		}
		select {
		case <-changed:
			ticked = false
		case <-tick.C:
			ticked = true
		case <-r.Context().Done():
			return nil
		case <-b.Stopping:
			return nil
		}
	}
}

// Encode encodes a value of a type that cannot fail.
func Encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // one of our types is not encodable
	}
	return data
}
