// Package api has what all subjects of the HTTP interface need: decoding requests,
// problems, limits, streams of JSON, slots for expensive work, and documents that the log stores.
//
// Start with New. A subject embeds the [Base], and returns its [Routes]. A [Handler]
// returns an error, and [Base.Handle] answers with the [Problem] of it.
package api

import (
	"cmp"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"quintet/people"
	"quintet/serve/fair"
	"quintet/web"
)

// Config is what a Base needs. All fields without a default must be set.
type Config struct {
	Log        *slog.Logger
	Now        func() time.Time
	Random     io.Reader // source of identifiers and secrets
	Secret     []byte    // of the servers on a log, from which others are derived
	People     *people.Store
	TrustProxy bool // the client's address is the last one in X-Forwarded-For
	Processors int  // of the machine; 0 for GOMAXPROCS

	// Member returns the identifier of a person who is a client of their own inside an address: with an account, or
	// a student of a class. It returns "" for guests. nil if there are no accounts.
	Member func(people.Who) string

	Creates, Moves, Requests Rate // new games per address, commands per seat, requests per address
	Disk                     Rate // bytes of events that an address may store
	Accounts, Passwords      Rate // new accounts and sign-ins per address
	MaxConns                 int  // open WebSockets and event streams per address; unlimited if 0

	// Spawn runs functions in goroutines that the server waits for. It returns false when the
	// server is closed.
	Spawn func(task string, list ...func()) bool
}

// Phrases that a seat may send at once, and seconds until it may send another.
const (
	phrases     = 5
	phraseEvery = 10
)

// Passwords of a client that are hashed before those of clients that have sent more, and seconds until there is
// another.
const (
	firstHashes    = 1
	firstHashEvery = 30
)

// Base is what the subjects of a server share.
type Base struct {
	Config
	Count    *Counters
	Limits   Limits
	Slots    int           // concurrent jobs of each expensive kind; half the processors stay free for games
	Renderer *Renderer     // of records and pictures
	Animator *Renderer     // of animations, which also occupy slots of Renderer
	Ready    atomic.Bool   // the index has been complete and the server is not stopping
	Lag      Lag           // of what follows the log
	Stopping chan struct{} // closed when the server stops: streams end, and their clients reconnect

	replays     *fair.Queue // slots for replaying moves
	replayers   *fair.Gate  // clients that hold a slot for replays, or pause after one
	compressor  *web.Compressor
	logWarnings rate.Sometimes // warnings about the log, which every request may cause
}

// Limits are the limits of clients.
type Limits struct {
	Creates, Moves, Requests *Limiter
	Accounts, Passwords      *Limiter // new accounts; sign-ins, and other changes of accounts
	FirstHashes              *Limiter // passwords that are hashed before those of clients that send many
	Edits                    *Limiter // of studies
	Phrases                  *Limiter // of a seat
	Disk                     *Limiter // bytes that are stored
	Conns, Renders           *ConnLimiter
}

// New returns a Base.
func New(c Config) *Base {
	b := &Base{Config: c, Count: newCounters(), Stopping: make(chan struct{}), logWarnings: rate.Sometimes{Interval: time.Second}, compressor: web.NewCompressor()}
	b.Limits = Limits{
		Creates: newLimiter(c.Creates, c.Now), Moves: newLimiter(c.Moves, c.Now), Requests: newLimiter(c.Requests, c.Now), Edits: newLimiter(c.Moves, c.Now), Disk: newLimiter(c.Disk, c.Now),
		Accounts: newLimiter(c.Accounts, c.Now), Passwords: newLimiter(c.Passwords, c.Now), Phrases: newLimiter(Rate{phrases, 1.0 / phraseEvery}, c.Now), FirstHashes: newLimiter(Rate{firstHashes, 1.0 / firstHashEvery}, c.Now),
		Conns: newConnLimiter("sockets and streams of events", c.MaxConns), Renders: newConnLimiter("records, pictures, replays and studies", RenderEach),
	}
	b.Slots = max(1, cmp.Or(c.Processors, runtime.GOMAXPROCS(0))/2)
	b.Renderer = NewRenderer(b.Slots, renderQueue, renderWait, b.start, b.Count)
	b.replays, b.replayers = fair.NewQueue(b.Slots, replayQueue), fair.NewGate()
	b.Animator = NewRenderer(1, animationQueue, animationWait, b.start, b.Count)
	return b
}

// start runs a part of a rendering in a goroutine. It returns false when the server is closed.
func (b *Base) start(f func()) bool { return b.Spawn("rendering", f) }

// Routes maps patterns of http.ServeMux to their handlers.
type Routes map[string]http.Handler

// Add adds other routes.
func (r Routes) Add(other Routes) { maps.Copy(r, other) }

// Handler answers a request, or returns why it cannot.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Handle answers the errors of a handler with their problems.
func (b *Base) Handle(h Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			b.Fail(w, err)
		}
	})
}

// HandleStream is Handle for long-lived responses, of which an address may hold Limits.Conns.
func (b *Base) HandleStream(h Handler) http.Handler { return b.limitConns(b.Limits.Conns, h) }

// HandleRendering is Handle for expensive responses, of which an address may hold Limits.Renders.
func (b *Base) HandleRendering(h Handler) http.Handler { return b.limitConns(b.Limits.Renders, h) }

// limitConns rejects requests of addresses that are at the limit.
func (b *Base) limitConns(c *ConnLimiter, h Handler) http.Handler {
	return b.Handle(func(w http.ResponseWriter, r *http.Request) error {
		release, err := b.Acquire(c, r)
		if err != nil {
			return err
		}
		defer release()
		return h(w, r)
	})
}

// Write responds with a value as JSON.
func (b *Base) Write(w http.ResponseWriter, status int, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		b.Log.Error("writing an answer", "error", err)
		status, data = http.StatusInternalServerError, []byte(`{"code":"internal","reason":"internal","error":"the answer could not be written"}`)
	}
	jsonHeader(w.Header())
	w.WriteHeader(status)
	_, _ = w.Write(append(data, '\n')) // the client may have left
}

func jsonHeader(h http.Header) {
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "no-store")
}

// OK responds with a value as JSON. It returns nil.
func (b *Base) OK(w http.ResponseWriter, v any) error {
	b.Write(w, http.StatusOK, v)
	return nil
}

// SharedResponse is a response to many requests, encoded and compressed once.
type SharedResponse struct{ plain, gzipped []byte }

// Share encodes a value of a type that cannot fail.
func (b *Base) Share(v any) *SharedResponse {
	plain := append(Encode(v), '\n')
	return &SharedResponse{plain, b.compressor.Gzip(plain)}
}

// WriteShared responds with a value as JSON, compressed if the client accepts that.
func (b *Base) WriteShared(w http.ResponseWriter, r *http.Request, s *SharedResponse) {
	h, data := w.Header(), s.plain
	if web.AcceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
		data = s.gzipped
	}
	jsonHeader(h)
	if !slices.Contains(h.Values("Vary"), "Accept-Encoding") { // middleware may have said so
		h.Add("Vary", "Accept-Encoding")
	}
	_, _ = w.Write(data) // the client may have left
}

// Fail responds with the problem of an error.
func (b *Base) Fail(w http.ResponseWriter, err error) {
	p := b.Problem(err)
	if p.After > 0 {
		w.Header().Set("Retry-After", strconv.FormatInt(p.After, 10))
	}
	if p.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	b.Count.Refused(p.Code)
	b.Write(w, p.Status, p)
}
