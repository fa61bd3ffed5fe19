package coordinator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"quintet/farm"
	"quintet/farm/natsrpc"
)

// Follower reads the results of a job in the order of their units. It waits while the coordinator
// is away.
type Follower struct {
	Conn *natsrpc.Conn
	Job  string
	From int // the next unit wanted

	Linger time.Duration // how long the coordinator may collect results

	Progress    func(done int) // called with the number of finished games or positions; may be nil
	Unreachable func(error)    // called when the coordinator does not answer; may be nil

	epoch int
	queue []string
	end   bool
}

// ErrStopped says that the job was stopped.
var ErrStopped = errors.New("the job was stopped: the same command resumes it")

// ErrFailed says that a unit failed on all workers.
var ErrFailed = errors.New("the job failed (the same command tries again)")

// ErrVoided says that results which were read before are void.
var ErrVoided = errors.New("a worker was quarantined, and results that were counted are void: run the command again")

// Next returns the payload of the next unit; io.EOF after the last.
func (f *Follower) Next(ctx context.Context) (payload string, err error) {
	for len(f.queue) == 0 {
		if f.end {
			return "", io.EOF
		}
		if err := f.fetch(ctx); err != nil {
			return "", err
		}
	}
	payload = f.queue[0]
	f.queue = f.queue[1:]
	return payload, nil
}

// fetch reads results from the coordinator, and waits for some.
func (f *Follower) fetch(ctx context.Context) error {
	var r farm.ResultsReply
	if err := f.Conn.Persist(ctx, "results", farm.JobRequest{Job: f.Job, From: f.From, Epoch: f.epoch, Linger: f.Linger}, &r, f.Unreachable); err != nil {
		return fmt.Errorf("reading results: %w", err)
	}
	if r.Valid < f.From {
		return ErrVoided
	}
	f.epoch = r.Epoch
	if f.Progress != nil {
		f.Progress(r.Games)
	}
	f.queue = append(f.queue, r.Payloads...)
	f.From += len(r.Payloads)
	f.end = r.Complete
	if r.Failed != "" && len(r.Payloads) == 0 {
		return fmt.Errorf("%w: %s", ErrFailed, r.Failed)
	}
	if r.Stopped && !r.Complete && len(r.Payloads) == 0 {
		return ErrStopped
	}
	return nil
}
