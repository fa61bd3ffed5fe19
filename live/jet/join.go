package jet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nuid"
)

// Cluster is a NATS cluster that is there already.
type Cluster struct {
	URL    string // of its servers, separated by commas, for the account in which the games are kept
	System string // the same for the system account, by which the servers are asked how they write

	Auth, SystemAuth Auth // for accounts whose users do not stand in the addresses
}

// replicas is on how many servers everything is written in a cluster.
const replicas = 3

// Join opens the log in a cluster. It is refused unless three servers of the cluster
// say that they force every write to the disk before they acknowledge it
// (sync_interval: always), or two if the third is not there, and none says otherwise.
// If one does so later, nothing is written until it is set right.
func Join(ctx context.Context, c Cluster, logger *slog.Logger) (*Log, error) {
	g := &guard{system: c.System, auth: c.SystemAuth, logger: logger}
	if err := g.prove(ctx); err != nil {
		g.close()
		return nil, fmt.Errorf("joining the cluster: %w", err)
	}
	l := &Log{name: nuid.Next(), replicas: replicas, patience: elsewhere, guard: g}
	if err := l.connect(c.URL, c.Auth); err != nil {
		g.close()
		return nil, fmt.Errorf("joining the cluster: %w", err)
	}
	if err := l.settle(ctx); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	watching, leave := context.WithCancel(context.Background())
	l.leave = leave
	l.keeping.Go(func() { g.watch(watching) })
	return l, nil
}

// settle prepares the log as soon as the cluster lets it: servers that start
// together find streams that are being made, and have no leader yet.
func (l *Log) settle(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		err := l.readable(ctx)
		var refused *unfitError
		if err == nil || errors.As(err, &refused) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("joining the cluster, for %s: %w", startTime, err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// readable prepares the log and reads what every server reads first.
func (l *Log) readable(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*l.patience) // an answer may be lost
	defer cancel()
	if err := l.prepare(ctx); err != nil {
		return err
	}
	_, err := l.LastHeartbeat(ctx)
	if err != nil {
		return err
	}
	_, err = l.Last(ctx)
	return err
}
