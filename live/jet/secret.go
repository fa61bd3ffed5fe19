package jet

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"quintet/internal/atomicfile"
)

const (
	secretName    = "QUINTET_SECRET" // the stream of a cluster, and
	secretSubject = "quintet.secret" // its one subject
	secretFile    = "secret"         // in the folder of a log of one's own
)

// Secret implements live.Log. The secret is in a file that only the user of the server
// can read, or in a stream of the cluster.
func (l *Log) Secret(ctx context.Context, fresh []byte) ([]byte, error) {
	secret := l.sharedSecret
	if l.embedded != nil {
		secret = l.ownSecret
	}
	got, err := secret(ctx, fresh)
	if err == nil && len(got) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("reading the log's secret: %w", err)
	}
	return got, nil
}

func (l *Log) ownSecret(_ context.Context, fresh []byte) ([]byte, error) {
	l.secretMu.Lock()
	defer l.secretMu.Unlock()
	path := filepath.Join(l.embedded.options.StoreDir, secretFile)
	got, err := os.ReadFile(path) //nolint:gosec // the user names the folder
	if !errors.Is(err, fs.ErrNotExist) {
		return got, err
	}
	if err := l.writable(); err != nil {
		return nil, err
	}
	return fresh, atomicfile.Write(path, fresh, 0o600)
}

// secretConfig is the stream of the secret of a cluster.
func (l *Log) secretConfig() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: secretName, Subjects: []string{secretSubject}, Description: "secret of the servers of Quintet",
		Storage: jetstream.FileStorage, Retention: jetstream.LimitsPolicy, Replicas: l.replicas, DenyDelete: true, DenyPurge: true, Duplicates: time.Second,
	}
}

// sharedSecret writes a secret only as the first message of its stream, so that servers
// that start together agree on one.
func (l *Log) sharedSecret(ctx context.Context, fresh []byte) ([]byte, error) {
	var failed error
	for range retries {
		e, ok, err := l.ask(ctx, secretName, map[string]any{"last_by_subj": secretSubject})
		if err == nil && ok {
			return e.Data, nil
		}
		if err == nil {
			err = l.offerSecret(ctx, fresh)
		}
		if failed = err; ctx.Err() != nil {
			break
		}
	}
	return nil, failed
}

// offerSecret writes a secret if there is none. Whether it did is seen by reading.
func (l *Log) offerSecret(ctx context.Context, fresh []byte) error {
	if err := l.writable(); err != nil {
		return err
	}
	ctx, cancel := l.withTimeout(ctx, l.timeout)
	defer cancel()
	_, err := l.js.Publish(ctx, secretSubject, fresh, jetstream.WithExpectLastSequencePerSubject(0), jetstream.WithRetryWait(retryWait), jetstream.WithRetryAttempts(retries))
	return requestError(ctx, err)
}
