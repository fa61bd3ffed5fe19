package natsrpc

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"quintet/farm"
)

// lease lets an analysis continue until it expires.
type lease struct {
	expiry *time.Timer
	cancel context.CancelCauseFunc
}

// Why an analysis ends before it has found everything.
var (
	errReleased = errors.New("the server has released the analysis")
	errExpired  = errors.New("the server has not renewed the lease")
)

// maxLease bounds the message of a lease, in bytes.
const maxLease = 1024

// acceptAnalysis begins an analysis, or refuses if there is too much to do.
func (w *liveWorker) acceptAnalysis(m *nats.Msg) {
	if !owned(m, analyzeSubject) {
		return
	}
	var r farm.AnalysisRequest
	switch {
	case len(m.Data) > farm.MaxThinkRequest || json.Unmarshal(m.Data, &r) != nil:
		say(m, farm.ThinkAnswer{State: farm.ThinkFailed, Text: "expected a position to analyze"})
		return
	case !w.enter(w.analyses):
		say(m, farm.ThinkAnswer{State: farm.ThinkBusy})
		return
	}
	ctx, end := w.lease(m.Reply)
	say(m, farm.ThinkAnswer{State: farm.ThinkAccepted, Text: w.name})
	w.all.Go(func() {
		answer, wanted := w.analyze(ctx, m, r)
		end()
		w.leave(w.analyses)
		if wanted {
			say(m, answer)
		}
	})
}

// lease returns a context that ends when the lease expires or is released. A request that
// takes the reply subject of another ends the other.
func (w *liveWorker) lease(reply string) (ctx context.Context, end func()) {
	ctx, stop := context.WithTimeout(w.ctx, farm.MaxAnalysisTime)
	ctx, cancel := context.WithCancelCause(ctx)
	l := &lease{time.AfterFunc(farm.AnalysisLeased, func() { cancel(errExpired) }), cancel}
	w.mu.Lock()
	defer w.mu.Unlock()
	if old := w.leases[reply]; old != nil {
		old.cancel(errReleased)
	}
	w.leases[reply] = l
	return ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		l.expiry.Stop()
		if w.leases[reply] == l {
			delete(w.leases, reply)
		}
		cancel(nil)
		stop()
	}
}

// leased renews or releases a lease. Its subject names the server, so that none can touch the
// leases of another.
func (w *liveWorker) leased(m *nats.Msg) {
	var l farm.AnalysisLease
	parts := strings.Split(m.Subject, ".")
	if len(parts) != 4 || len(m.Data) > maxLease || json.Unmarshal(m.Data, &l) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	held := w.leases[inbox(parts[2])+"."+l.ID]
	switch {
	case held == nil: // the analysis has ended
	case l.Release:
		held.cancel(errReleased)
	default:
		held.expiry.Reset(farm.AnalysisLeased)
	}
}

// analyze analyzes a position, and returns the last answer. A server that has released the
// lease wants none.
func (w *liveWorker) analyze(ctx context.Context, m *nats.Msg, r farm.AnalysisRequest) (answer farm.ThinkAnswer, wanted bool) {
	var reason string
	var err error
	beating(m, func() {
		reason, err = w.Analyze(ctx, r, func(found farm.AnalysisResult) {
			say(m, farm.ThinkAnswer{State: farm.ThinkResult, Result: &found})
		})
	})
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errReleased):
		return answer, false
	case cause != nil:
		return farm.ThinkAnswer{State: farm.ThinkFailed, Text: cause.Error()}, true
	case err != nil:
		return farm.ThinkAnswer{State: farm.ThinkFailed, Text: err.Error()}, true
	}
	return farm.ThinkAnswer{State: farm.ThinkDone, Text: reason}, true
}
