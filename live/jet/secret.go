package jet

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"quintet/internal/atomicfile"
	"quintet/live"
)

const (
	secretStream  = "QUINTET_SECRET" // the stream of a cluster, and
	secretSubject = "quintet.secret" // its one subject
	secretFile    = "secret"         // in the folder of a log of one's own
)

// secretName returns what a secret is called, after the server's own.
func secretName(first, separator string, which live.SecretName) string {
	if which == live.ServerSecret {
		return first
	}
	return first + separator + string(which)
}

// Secret implements live.Log. The secret is in a file that only the user of the server
// can read, or in a stream of the cluster.
func (l *Log) Secret(ctx context.Context, which live.SecretName, fresh []byte) ([]byte, error) {
	secret := l.sharedSecret
	if l.embedded != nil {
		secret = l.ownSecret
	}
	got, err := secret(ctx, which, fresh)
	if err == nil && len(got) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("reading the log's secret: %w", err)
	}
	return got, nil
}

func (l *Log) ownSecret(_ context.Context, which live.SecretName, fresh []byte) ([]byte, error) {
	l.secretMu.Lock()
	defer l.secretMu.Unlock()
	path := filepath.Join(l.embedded.options.StoreDir, secretName(secretFile, "-", which))
	got, err := os.ReadFile(path) //nolint:gosec // the user names the folder
	if !errors.Is(err, fs.ErrNotExist) {
		return got, err
	}
	if err := l.writable(); err != nil {
		return nil, err
	}
	return fresh, atomicfile.Write(path, fresh, 0o600)
}

// secretConfig is the stream of a secret of a cluster.
func (l *Log) secretConfig(which live.SecretName) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: secretName(secretStream, "_", live.SecretName(strings.ToUpper(string(which)))), Subjects: []string{secretName(secretSubject, "-", which)}, Description: "secret of the servers of Quintet",
		Storage: jetstream.FileStorage, Retention: jetstream.LimitsPolicy, Replicas: l.replicas, DenyDelete: true, DenyPurge: true, Duplicates: time.Second,
	}
}

// sharedSecret writes a secret only as the first message of its stream, so that servers
// that start together agree on one. While another one's is being written, it can neither be read nor replaced.
func (l *Log) sharedSecret(ctx context.Context, which live.SecretName, fresh []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, retries*l.timeout)
	defer cancel()
	c := l.secretConfig(which)
	for {
		e, ok, err := l.ask(ctx, c.Name, map[string]any{"last_by_subj": c.Subjects[0]})
		if err == nil && ok {
			return e.Data, nil
		}
		if err == nil {
			err = l.offerSecret(ctx, c.Subjects[0], fresh)
		}
		if err != nil && !pause(ctx, retryWait) {
			return nil, err
		}
	}
}

// offerSecret writes a secret if there is none. Whether it did is seen by reading.
func (l *Log) offerSecret(ctx context.Context, subject string, fresh []byte) error {
	if err := l.writable(); err != nil {
		return err
	}
	ctx, cancel := l.withTimeout(ctx, l.timeout)
	defer cancel()
	_, err := l.js.Publish(ctx, subject, fresh, jetstream.WithExpectLastSequencePerSubject(0), jetstream.WithRetryWait(retryWait), jetstream.WithRetryAttempts(retries))
	return requestError(ctx, err)
}
