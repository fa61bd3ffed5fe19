package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"quintet/live"
	"quintet/serve/hall"
	"quintet/serve/jobs"
	"quintet/web/body"
)

// Problem is the response to a request that fails, and the error that a Handler returns for
// it. Text tells people what was wrong and what would be right. Code and Reason are stable,
// for programs. Reason is as precise as Code or more, and the key of the sentence that
// pages show.
type Problem struct { //nolint:errname // the name of its JSON in the API
	Code   string `json:"code"`
	Reason string `json:"reason"`
	Field  string `json:"field,omitempty"` // the invalid field, if it is one
	Text   string `json:"error"`
	Ply    *int   `json:"ply,omitempty"`         // the current ply, if the move was meant for another
	Until  string `json:"until,omitempty"`       // the earliest retry
	After  int64  `json:"retry_after,omitempty"` // the same in seconds from now

	Status int `json:"-"` // of HTTP
}

// Error implements error.
func (p *Problem) Error() string { return p.Text }

// Problemf returns a problem with a status of HTTP.
func Problemf(status int, code, format string, args ...any) *Problem {
	return &Problem{Code: code, Reason: code, Text: Clip(fmt.Sprintf(format, args...), maxProblemText), Status: status}
}

// Invalid returns the problem of a request with one invalid field.
func Invalid(field, format string, args ...any) *Problem {
	p := Problemf(http.StatusBadRequest, "invalid", format, args...)
	p.Field, p.Reason = field, field
	return p
}

// Busy returns the problem of a server that has too much to do now.
func Busy(after int64, format string, args ...any) *Problem {
	p := Problemf(http.StatusServiceUnavailable, "unavailable", format, args...).WithReason("busy")
	p.After = after
	return p
}

// WithReason sets a reason that is more precise than the code.
func (p *Problem) WithReason(reason string) *Problem {
	p.Reason = reason
	return p
}

// InField sets the invalid field.
func (p *Problem) InField(field string) *Problem {
	p.Field = field
	return p
}

// maxProblemText bounds the text of a problem in bytes: it may quote the request.
const maxProblemText = 1000

// Clip shortens a text to a number of bytes.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// statusOf maps the codes of package live to HTTP.
func statusOf(c live.Code) int {
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

// Problem returns the problem of an error: of a Problem itself, of the hall, of the queue of
// engine work, or of the log.
func (b *Base) Problem(err error) *Problem {
	var p *Problem
	var refused *live.Error
	var unreadable *body.Error
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &unreadable):
		p = Invalid("request", "%s", unreadable.Text)
		return p.InField(cmp.Or(unreadable.Field, p.Field))
	case errors.As(err, &refused):
		p = Problemf(statusOf(refused.Code), string(refused.Code), "%s", refused.Text)
		p.Reason, p.Field = cmp.Or(refused.Reason, p.Reason), refused.Field
		if refused.Field == "" { // else there may be no game yet
			p.Ply = &refused.Ply
		}
		return p
	case errors.Is(err, hall.ErrMissing):
		return Problemf(http.StatusNotFound, "missing", "there is no such game, or it is private: use the address that you were given")
	case errors.Is(err, hall.ErrFault):
		return FaultProblem()
	case errors.Is(err, jobs.ErrClient):
		p = Problemf(http.StatusTooManyRequests, "limited", "too many reviews and analyses of your address wait: wait until one of them ends").WithReason("limited.jobs")
		p.After = 5
		return p
	case errors.Is(err, jobs.ErrFull):
		return Busy(5, "too many reviews and analyses wait: try again in a moment")
	case errors.Is(err, live.ErrBroken):
		b.Log.Error("a game cannot continue", "error", err)
		return Problemf(http.StatusInternalServerError, "broken", "This game's record is damaged on this server. It is closed until an operator repairs it.")
	case errors.Is(err, context.Canceled) && !errors.Is(err, live.ErrUnknown):
		return goneProblem()
	}
	b.logWarnings.Do(func() { b.Log.Warn("the log rejects an event", "error", err) })
	return writeProblem(err)
}

// writeProblem is the problem of an event that the log rejects or does not acknowledge.
func writeProblem(err error) (p *Problem) {
	switch {
	case errors.Is(err, live.ErrUnknown):
		p = Problemf(http.StatusServiceUnavailable, "unavailable",
			"it is not known whether this was saved: look at the game; with the same Idempotency-Key it can be sent again without being done twice").WithReason("unknown")
	case errors.Is(err, live.ErrFull):
		p = Problemf(http.StatusServiceUnavailable, "full", "this could not be saved, because the server's disk is full; the clocks are stopped, and nothing that was played is lost: try again when there is space")
		p.After = 5
		return p
	default:
		p = Problemf(http.StatusServiceUnavailable, "unavailable", "this could not be saved; the clocks are stopped: look at the game, then try again")
	}
	p.After = 1
	return p
}

// FaultProblem is the problem of a game that a panic has stopped.
func FaultProblem() *Problem {
	return Problemf(http.StatusInternalServerError, "broken", "%s", hall.FaultText).WithReason("fault")
}

// goneProblem is the answer to a cancelled request. Its client is gone.
func goneProblem() *Problem {
	return Problemf(http.StatusServiceUnavailable, "unavailable", "the request was cancelled").WithReason("gone")
}
