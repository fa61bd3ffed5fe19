package coordinator

import (
	"cmp"
	"context"
	"crypto/rand"
	"os"
	"time"

	"quintet/farm/jet"
)

// defaultLease is how long a standby waits before it takes over.
const defaultLease = 5 * time.Second

// lead waits until this coordinator leads, and renews its lease in the background.
func (f *Coordinator) lead(ctx, running context.Context, store *jet.Store, c Config) (err error) {
	f.lease, err = store.Lead(ctx, uniqueName(), cmp.Or(c.LeaseTime, defaultLease), func(leader string) {
		c.Log.Info("another coordinator leads: this one stands by", "leader", leader)
	})
	if err != nil {
		return err
	}
	c.Log.Info("this coordinator leads")
	f.running.Go(func() { f.lease.Run(running) })
	return nil
}

// uniqueName returns a name that no other coordinator has.
func uniqueName() string {
	host, _ := os.Hostname() // the rest makes the name unique
	return host + " " + rand.Text()
}

// Lost returns a channel that is closed when another coordinator leads. The caller closes
// this one then. It is nil with the server inside the process.
func (f *Coordinator) Lost() <-chan struct{} { return f.lease.Lost() }
