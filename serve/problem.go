package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"quintet/live"
	"quintet/serve/hall"
	"quintet/web/body"
)

// Problem is the response to a request that fails. Error tells people what was wrong and
// what would be right. Code and Reason are stable, for programs. Reason is as precise as
// Code or more, and the key of the sentence that pages show.
type Problem struct {
	Code   string `json:"code"`
	Reason string `json:"reason"`
	Field  string `json:"field,omitempty"` // the invalid field, if it is one
	Error  string `json:"error"`
	Ply    *int   `json:"ply,omitempty"`         // the current ply, if the move was meant for another
	Until  string `json:"until,omitempty"`       // when there will be leave to try again
	After  int64  `json:"retry_after,omitempty"` // the same in seconds from now

	status int
}

func problem(status int, code, format string, args ...any) *Problem {
	return &Problem{Code: code, Reason: code, Error: clip(fmt.Sprintf(format, args...)), status: status}
}

// maxProblemText bounds the text of a problem in bytes: it may quote the request.
const maxProblemText = 1000

func clip(text string) string {
	if len(text) <= maxProblemText {
		return text
	}
	return strings.ToValidUTF8(text[:maxProblemText], "") + "…"
}

// fieldProblem is the problem of a request with one invalid field.
func fieldProblem(field, format string, args ...any) *Problem {
	p := problem(http.StatusBadRequest, "invalid", format, args...)
	p.Field, p.Reason = field, field
	return p
}

// withReason sets a reason that is more precise than the code.
func (p *Problem) withReason(reason string) *Problem {
	p.Reason = reason
	return p
}

// statuses maps the codes of package live to HTTP.
func statuses(c live.Code) int {
	switch c {
	case live.CodeIllegal:
		return http.StatusUnprocessableEntity
	case live.CodeTurn:
		return http.StatusForbidden
	case live.CodeInvalid:
		return http.StatusBadRequest
	}
	return http.StatusConflict
}

// problemOf returns the problem for an error of the hall.
func (s *Server) problemOf(err error) *Problem {
	var refused *live.Error
	switch {
	case errors.As(err, &refused):
		p := problem(statuses(refused.Code), string(refused.Code), "%s", refused.Text)
		p.Reason, p.Field = cmp.Or(refused.Reason, p.Reason), refused.Field
		if refused.Field == "" { // else there may be no game yet
			p.Ply = &refused.Ply
		}
		return p
	case errors.Is(err, hall.ErrMissing):
		return problem(http.StatusNotFound, "missing", "there is no such game, or it is private: expected the address that you were given")
	case errors.Is(err, hall.ErrFault):
		return faultProblem()
	case errors.Is(err, live.ErrBroken):
		s.config.Log.Error("a game cannot continue", "error", err)
		return problem(http.StatusInternalServerError, "broken", "the record of this game is damaged: it cannot continue")
	case errors.Is(err, context.Canceled) && !errors.Is(err, live.ErrUnknown):
		return goneProblem()
	}
	if left, say := s.logWarnings.allow(s.config.Now()); say {
		s.config.Log.Warn("the log does not take an event", "error", err, "more", left)
	}
	return writeProblem(err)
}

// writeProblem is the problem of an event that the log rejects or does not acknowledge.
func writeProblem(err error) *Problem {
	if errors.Is(err, live.ErrFull) && !errors.Is(err, live.ErrUnknown) {
		return fullProblem()
	}
	p := problem(http.StatusServiceUnavailable, "unavailable", "this cannot be written down now, so it is not done; the clocks stand: look at the game, then try again")
	if errors.Is(err, live.ErrUnknown) {
		p.Error = "it is not known whether this was done: look at the game; with the same Idempotency-Key it can be sent again without being done twice"
		p.Reason = "unknown"
	}
	p.After = 1
	return p
}

// write responds with a value as JSON.
func (s *Server) write(w http.ResponseWriter, status int, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		s.config.Log.Error("writing an answer", "error", err)
		status, data = http.StatusInternalServerError, []byte(`{"code":"internal","reason":"internal","error":"the answer could not be written"}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(data, '\n')) // the client may have left
}

func (s *Server) fail(w http.ResponseWriter, p *Problem) {
	if p.After > 0 {
		w.Header().Set("Retry-After", strconv.FormatInt(p.After, 10))
	}
	if p.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	s.count.refused(p.Code)
	s.write(w, p.status, p)
}

// limited takes a token from a limiter, or returns a problem that says when to retry.
func (s *Server) limited(l *limiter, who, kind, what string) *Problem {
	until, ok := l.take(who)
	if ok {
		return nil
	}
	wait := until.Sub(s.config.Now())
	p := problem(http.StatusTooManyRequests, "limited", "%s: more than %.0f at once, or %.2g a second: expected the next after %s",
		what, l.rate.Burst, l.rate.Second, until.UTC().Format("15:04:05 MST"))
	p.Until = until.UTC().Format(time.RFC3339Nano)
	p.After = int64(wait/time.Second) + 1
	return p.withReason("limited." + kind)
}

// tooManyConns is the problem of an address that is at its limit of connections.
func (s *Server) tooManyConns(c *connLimiter) *Problem {
	const wait = 10 * time.Second // or as soon as one ends
	p := problem(http.StatusTooManyRequests, "limited", "%s of your address: more than %d at a time: expected one of them ended first", c.what, c.max)
	p.Until = s.config.Now().Add(wait).UTC().Format(time.RFC3339Nano)
	p.After = int64(wait / time.Second)
	return p.withReason("limited.requests")
}

// parameters returns the query parameters. It rejects unknown names, because a misspelt
// filter would filter nothing.
func parameters(r *http.Request, names ...string) (url.Values, *Problem) {
	v, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, fieldProblem("request", "the parameters of the address cannot be read: expected NAME=VALUE with & between them")
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if !slices.Contains(names, name) {
			p := fieldProblem("request", "there is no parameter %.60q here: expected %s", name, strings.Join(names, ", "))
			p.Field = strings.ToValidUTF8(name[:min(len(name), 60)], "")
			return nil, p
		}
	}
	return v, nil
}

const (
	smallBody = 1 << 10  // commands
	largeBody = 32 << 10 // new games, which may begin with many moves
)

// read decodes the JSON object in the body of a request; an empty body is an empty object.
// If names are given, other fields of v are rejected.
func read(w http.ResponseWriter, r *http.Request, limit int64, v any, only ...string) *Problem {
	data, err := io.ReadAll(http.MaxBytesReader(underlying(w), r.Body, limit))
	var long *http.MaxBytesError
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fieldProblem("request", "the request did not come within %s: expected all of it sent at once", stallTimeout)
	case errors.As(err, &long):
		return problem(http.StatusRequestEntityTooLarge, "large", "the request has more than %d bytes", limit)
	case err != nil:
		return fieldProblem("request", "the request could not be read: %v", err)
	case len(data) == 0:
		return nil
	}
	return decode(data, v, only...)
}

// decode decodes one JSON object without unknown fields. If names are given, other fields
// of v are rejected.
func decode(data []byte, v any, only ...string) *Problem {
	if len(only) > 0 {
		if err := body.Only(data, only...); err != nil {
			return problemIn(err)
		}
	}
	return problemIn(body.Decode(data, v))
}

// problemIn is the problem for an error of package body.
func problemIn(err error) *Problem {
	var e *body.Error
	if !errors.As(err, &e) {
		return nil
	}
	p := fieldProblem("request", "%s", e.Text)
	p.Field = cmp.Or(e.Field, p.Field)
	return p
}

// fullProblem is the problem while the disk is full.
func fullProblem() *Problem {
	p := problem(http.StatusServiceUnavailable, "full", "the disk of the server is full, so this is not done; the clocks stand, and all that was played is kept: try again when there is room")
	p.After = 5
	return p
}

func faultProblem() *Problem {
	return problem(http.StatusInternalServerError, "broken", "%s", hall.FaultText).withReason("fault")
}
