package coordinator

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"encoding/hex"
	"os"
	"time"

	"quintet/farm"
	"quintet/farm/jet"
	"quintet/farm/scheduler"
)

// defaultLease is the time after which a coordinator takes over from one that is gone.
const defaultLease = 5 * time.Second

// lead waits until this coordinator leads, and keeps it so.
func (f *Coordinator) lead(ctx context.Context, store *jet.Store, c Config) (err error) {
	f.lease, err = store.Lead(ctx, uniqueName(), cmp.Or(c.LeaseTime, defaultLease), func(leader string) {
		c.Log.Info("another coordinator leads: this one stands by", "leader", leader)
	})
	if err != nil {
		return err
	}
	c.Log.Info("this coordinator leads")
	running := f.background(ctx)
	f.running.Go(func() { f.lease.Run(running) })
	return nil
}

// uniqueName returns a name that no other coordinator has.
func uniqueName() string {
	host, _ := os.Hostname() // the rest makes the name unique
	var b [8]byte
	_, _ = crand.Read(b[:]) // it never fails
	return host + " " + hex.EncodeToString(b[:])
}

// Lost returns a channel that is closed when another coordinator leads. The caller closes
// this one then. It is nil with the server inside the process.
func (f *Coordinator) Lost() <-chan struct{} {
	if f.lease == nil {
		return nil
	}
	return f.lease.Lost()
}

// leader is a scheduler that answers as long as its coordinator leads.
type leader struct {
	scheduler *scheduler.Scheduler
	lease     *jet.Lease // nil if no other coordinator can lead
}

func (l leader) check() error {
	if l.lease != nil && !l.lease.Valid() {
		return farm.Refuse(farm.CodeBusy, "another coordinator leads")
	}
	return nil
}

// Worker implements natsrpc.Handler.
func (l leader) Worker(ctx context.Context, key, verb string, body []byte) ([]byte, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	return l.scheduler.Worker(ctx, key, verb, body)
}

// Client implements natsrpc.Handler.
func (l leader) Client(ctx context.Context, verb string, body []byte) ([]byte, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	return l.scheduler.Client(ctx, verb, body)
}
