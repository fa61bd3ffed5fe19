package serve

import (
	"context"
	"errors"
	"fmt"
	"io"

	"quintet/live"
	"quintet/serve/push"
)

// serverSecret returns the secret that the servers on a log share.
func serverSecret(ctx context.Context, l live.Log, c Config) ([]byte, error) {
	fresh := make([]byte, 32)
	if _, err := io.ReadFull(c.Random, fresh); err != nil {
		return nil, fmt.Errorf("creating a secret: %w", err)
	}
	secret, err := l.Secret(ctx, live.ServerSecret, fresh)
	if errors.Is(err, live.ErrFull) {
		c.Log.Warn("the server's secret cannot be stored: a request for a new game that is repeated after a restart opens a second game", "error", err)
		return fresh, nil
	}
	return secret, err
}

// pushKey returns the key for push services that the servers on a log share.
func pushKey(ctx context.Context, l live.Log, c Config) (push.Key, error) {
	secret, err := push.NewSecret(c.Random)
	if err == nil {
		secret, err = l.Secret(ctx, live.PushSecret, secret)
	}
	if errors.Is(err, live.ErrFull) {
		c.Log.Warn("cannot store the key for push services: push notifications are off", "error", err)
		return push.Key{}, nil
	}
	if err != nil {
		return push.Key{}, err //nolint:wrapcheck // it says what was done
	}
	key, err := push.ReadKey(secret)
	if err != nil {
		c.Log.Error("cannot read the key for push services: push notifications are off", "error", err)
		return push.Key{}, nil
	}
	return key, nil
}
