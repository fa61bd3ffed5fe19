package jet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
)

// Cluster is a running NATS cluster.
type Cluster struct {
	URL    string // of its servers, separated by commas, for the account that owns the streams
	System string // the same for the system account, through which the servers say whether they fsync

	Auth, SystemAuth Auth // for accounts whose users are not in the addresses
}

// replicas is how many servers of a cluster store each write.
const replicas = 3

// Join opens the log in a cluster. It fails unless three servers of the cluster say that
// they fsync every write before they acknowledge it (sync_interval: always), or two if the
// third is down, and none says that it does not. If one says so later, writes stop until
// it is configured correctly.
func Join(ctx context.Context, c Cluster, logger *slog.Logger) (*Log, error) {
	g := &fsyncChecker{system: c.System, auth: c.SystemAuth, logger: logger, suspected: make(chan struct{}, 1)}
	if err := g.verify(ctx); err != nil {
		g.close()
		return nil, fmt.Errorf("joining the cluster: %w", err)
	}
	l := &Log{replicas: replicas, timeout: clusterTimeout, fsync: g, reads: make(chan struct{}, maxReads)}
	if err := l.connect(c.URL, c.Auth); err != nil {
		g.close()
		return nil, fmt.Errorf("joining the cluster: %w", err)
	}
	err := l.watchCopies(logger)
	if err == nil {
		_, err = g.conn.Subscribe(metaElected, func(*nats.Msg) { l.link.meta.Next() })
	}
	if err == nil {
		err = l.waitReady(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	g.account = accountOf(ctx, l.conn)
	watching, leave := context.WithCancel(context.Background())
	l.leave = leave
	l.background.Go(func() { g.watch(watching) })
	l.background.Go(func() { g.replaceLeaders(watching) })
	l.background.Go(func() { // it can take minutes
		if err := l.finishErasing(watching); err != nil && !l.conn.IsClosed() {
			logger.Warn("erasing what a stopped server has left", "error", err)
		}
	})
	return l, nil
}

// waitReady prepares the log as soon as the cluster allows it: when servers start together,
// streams are still being created and have no leader yet.
func (l *Log) waitReady(ctx context.Context) error {
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

// readable prepares the log, and reads what every server reads first.
func (l *Log) readable(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*l.timeout) // an answer may be lost
	defer cancel()
	if err := l.prepare(ctx); err != nil {
		return err
	}
	_, err := l.LastHeartbeat(ctx)
	if err != nil {
		return err
	}
	return l.readErased(ctx)
}
