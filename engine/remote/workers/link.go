package workers

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"quintet/engine/remote"
)

// link is a session at a worker. It implements remote.Link.
type link struct {
	class   *class
	conn    Conn
	token   string
	inbox   string
	deliver func(remote.Reply)

	greetings chan answer // of the workers that were asked
	worker    string      // has accepted; guarded by client.mu, and read by the goroutine that opened the link

	once sync.Once
	lost chan struct{} // closed when the worker is gone
}

// open asks workers to accept the session.
func (l *link) open(ctx context.Context) error {
	late := time.NewTimer(ackTime)
	defer late.Stop()
	for range tries {
		if err := l.publish(l.class.subject+"."+l.conn.Key, remote.Request{Do: open}); err != nil {
			return err
		}
		select {
		case a := <-l.greetings:
			if ValidName(a.Worker) {
				l.accepted(a.Worker)
				return nil
			}
			if !a.Busy {
				return remote.ErrNone
			}
		case <-late.C:
			return errMute
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return remote.ErrNone
}

// accepted notes the worker, whose lease is renewed from now on.
func (l *link) accepted(worker string) {
	l.class.client.mu.Lock()
	defer l.class.client.mu.Unlock()
	l.worker = worker
}

func (l *link) publish(subject string, r remote.Request) error {
	body, err := json.Marshal(r)
	if err == nil && len(body) > maxMessage {
		err = fmt.Errorf("it is too long: %w", remote.ErrNone) // such a search is done here
	}
	if err == nil {
		err = l.conn.NATS.PublishRequest(subject, l.inbox, body)
	}
	if err != nil {
		return fmt.Errorf("asking a worker: %w", err)
	}
	return nil
}

// take takes an answer. nobody says that NATS found no worker.
func (l *link) take(a answer, nobody bool) {
	if a.Worker != "" || a.Busy || nobody {
		select {
		case l.greetings <- a:
		default:
		}
		if nobody && l.isOpen() {
			l.once.Do(func() { l.Fail(errGone); close(l.lost) })
		}
		return
	}
	if a.Error != "" || a.Panic != "" {
		l.Fail(fmt.Errorf("it says %.200q", a.Error+a.Panic))
	}
	l.deliver(a.Reply)
}

// isOpen reports whether a worker has accepted the session.
func (l *link) isOpen() bool {
	l.class.client.mu.Lock()
	defer l.class.client.mu.Unlock()
	return l.worker != ""
}

// Send implements remote.Link.
func (l *link) Send(r remote.Request) error {
	return l.publish(sessionSubject+"."+l.conn.Key+"."+l.worker, r)
}

// Lost implements remote.Link.
func (l *link) Lost() <-chan struct{} { return l.lost }

// Fail implements remote.Link: no worker is asked for a while.
func (l *link) Fail(why error) {
	c := l.class.client
	c.mu.Lock()
	defer c.mu.Unlock()
	l.class.lost++
	l.class.rest = time.Now().Add(restTime)
	c.config.Log.Warn("a worker has failed in a search: this server continues", "reason", why)
}

// Close implements remote.Link.
func (l *link) Close() {
	if l.worker != "" {
		_ = l.Send(remote.Request{Do: remote.Release}) // otherwise the lease expires
	}
	c := l.class.client
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.links, l.token)
	l.class.open--
}
