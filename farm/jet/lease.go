package jet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"quintet/farm"
)

// Several coordinators may share a cluster: one leads, the others stand by. The leader
// renews a message, the lease, on condition that nobody else has written it. Another coordinator
// takes over when the lease has not changed for its term by the coordinator's own clock, so the
// clocks of machines need not agree.
//
// A leader that was paused may not know that it was replaced. So a coordinator that takes over
// also writes the epoch, a fencing token: changes of jobs and workers are written on condition that
// the epoch is still the writer's. Results need no token: the first one of a unit stays, whichever
// leader stores it.
const (
	leaseSubject = "farm.leader.lease"
	epochSubject = "farm.leader.epoch"
)

// ErrFenced says that another coordinator leads.
var ErrFenced = errors.New("another coordinator leads")

// Lease is the leadership of a coordinator. Run renews it. A nil lease is that of an only
// coordinator, which cannot lose it.
type Lease struct {
	store *Store
	name  string
	term  time.Duration

	lost chan struct{} // closed when another coordinator leads, or may lead

	mu    sync.Mutex // guards the rest
	seq   uint64     // of the last message of the lease
	until time.Time  // no other coordinator can lead before; zero when the lease has ended
}

// Lead waits until the coordinator of this name leads, which takes at least a term if
// another has led. The store accepts changes only as long as it leads. standby, if not
// nil, is called once with the current leader.
func (s *Store) Lead(ctx context.Context, name string, term time.Duration, standby func(leader string)) (*Lease, error) {
	l := &Lease{store: s, name: name, term: term, lost: make(chan struct{})}
	var seen uint64
	var since time.Time
	for told := false; ; {
		seq, leader, err := s.readLease(ctx)
		if err != nil {
			return nil, err
		}
		if seq != seen || since.IsZero() {
			seen, since = seq, time.Now()
		}
		if leader == "" || time.Since(since) > term {
			err := l.acquire(ctx, seq)
			if err == nil {
				return l, s.measure(ctx)
			}
			if !errors.Is(err, ErrFenced) {
				return nil, err
			}
		} else if !told && standby != nil {
			told = true
			standby(leader)
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("standing by: %w", context.Cause(ctx))
		case <-time.After(term / 10):
		}
	}
}

// readLease returns the last message of the lease: the leader, or "" if there is none.
func (s *Store) readLease(ctx context.Context) (seq uint64, leader string, err error) {
	m, err := get(ctx, s.jobs, leaseSubject)
	if errors.Is(err, farm.ErrNotFound) {
		return 0, "", nil
	}
	if err != nil {
		return 0, "", err
	}
	return m.Sequence, string(m.Data), nil
}

// acquire takes the lease over from a message, and begins an epoch.
func (l *Lease) acquire(ctx context.Context, from uint64) error {
	began := time.Now()
	seq, err := l.store.conditional(ctx, leaseSubject, l.name, from)
	if err != nil {
		return err
	}
	epoch, err := l.store.conditional(ctx, epochSubject, l.name, seq)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq, l.until = seq, began.Add(l.validity())
	l.store.epoch.Store(epoch)
	return nil
}

// validity is how long a leader relies on the lease after it was renewed: shorter than others
// wait.
func (l *Lease) validity() time.Duration { return l.term * 4 / 5 }

// conditional publishes a message if the last one of the lease has a sequence.
func (s *Store) conditional(ctx context.Context, subject, text string, last uint64) (seq uint64, err error) {
	ack, err := s.js.PublishMsg(ctx, &nats.Msg{Subject: subject, Data: []byte(text)}, jetstream.WithExpectLastSequenceForSubject(last, leaseSubject))
	if wrongSequence(err) {
		return 0, ErrFenced
	}
	if err != nil {
		return 0, fmt.Errorf("writing %s: %w", subject, err)
	}
	return ack.Sequence, nil
}

func wrongSequence(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence
}

// Run renews the lease until it is lost, or the context ends: then it is given up, so that
// another coordinator leads at once.
func (l *Lease) Run(ctx context.Context) {
	defer l.end()
	ticks := time.NewTicker(l.term / 5)
	defer ticks.Stop()
	for l.Valid() {
		select {
		case <-ctx.Done():
			l.giveUp(context.WithoutCancel(ctx))
			return
		case <-ticks.C:
		}
		if errors.Is(l.renew(ctx), ErrFenced) {
			return
		}
	}
}

// renew writes the lease again. Its error wraps ErrFenced if another coordinator has it.
func (l *Lease) renew(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, l.term/5)
	defer cancel()
	l.mu.Lock()
	last := l.seq
	l.mu.Unlock()
	began := time.Now()
	seq, err := l.store.conditional(ctx, leaseSubject, l.name, last)
	if errors.Is(err, ErrFenced) {
		var leader string
		if seq, leader, err = l.store.readLease(ctx); err == nil && leader != l.name {
			return ErrFenced
		} // otherwise the acknowledgement of the last renewal was lost
	}
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq, l.until = seq, began.Add(l.validity())
	return nil
}

// giveUp writes that no coordinator leads.
func (l *Lease) giveUp(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, l.term)
	defer cancel()
	l.mu.Lock()
	last := l.seq
	l.mu.Unlock()
	_, _ = l.store.conditional(ctx, leaseSubject, "", last) // otherwise the lease expires
}

func (l *Lease) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.until = time.Time{}
	close(l.lost)
}

// Valid reports whether this coordinator leads for certain.
func (l *Lease) Valid() bool {
	if l == nil {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Now().Before(l.until)
}

// Lost is closed when this coordinator no longer leads.
func (l *Lease) Lost() <-chan struct{} {
	if l == nil {
		return nil
	}
	return l.lost
}
