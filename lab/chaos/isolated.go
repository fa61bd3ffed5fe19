package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"quintet/lab/load"
)

// isolatedClient is a player who stays with the server of a machine that is cut off.
type isolatedClient struct {
	run *nodesRun
	*player
}

// newIsolatedClient opens a game on a machine that is about to be cut off.
func (n *nodesRun) newIsolatedClient(ctx context.Context, m *machine) (*isolatedClient, error) {
	p := newPlayer(n.clients, m.number, rand.New(rand.NewPCG(n.config.Seed, 11)))
	p.url = m.url
	ctx, cancel := context.WithTimeout(ctx, startupTimeout)
	defer cancel()
	return &isolatedClient{n, p}, p.open(ctx)
}

// expectRefusal expects a move to be refused with 503. The server may not answer until it
// knows that it is cut off.
func (c *isolatedClient) expectRefusal(ctx context.Context) {
	mv := c.attempt(c.Match.Legal()[0])
	for began := time.Now(); time.Since(began) < 2*convergeTimeout && ctx.Err() == nil; time.Sleep(100 * time.Millisecond) {
		err := c.send(ctx, c.url, mv)
		var refused *load.StatusError
		switch {
		case err == nil:
			c.clients.report(&c.clients.Differ, fmt.Sprintf("game %s: a server that is cut off acknowledged %s", c.ID, mv.text))
			return
		case errors.As(err, &refused) && refused.Status == http.StatusServiceUnavailable:
			c.run.refusals++
			return
		}
	}
	c.clients.report(&c.clients.Failed, fmt.Sprintf("a server that is cut off did not refuse a move within %s", 2*convergeTimeout))
}

// expectRecovery expects a move to be acknowledged once the machine is connected again.
func (c *isolatedClient) expectRecovery(ctx context.Context) error {
	began := time.Now()
	mv := c.attempt(c.Match.Legal()[0])
	var err error
	if poll(ctx, startupTimeout, func() bool { err = c.send(ctx, c.url, mv); return err == nil }) {
		c.run.rejoined = append(c.run.rejoined, time.Since(began))
		return nil
	}
	return fmt.Errorf("a server that was cut off takes no moves after %s: %w", startupTimeout, err)
}
