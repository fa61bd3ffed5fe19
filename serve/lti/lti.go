// Package lti implements an LTI 1.3 tool: it verifies launches from learning platforms (OpenID Connect), and sends
// marks back (Assignment and Grade Services 2.0).
//
// Start with New. Tool.Verify reads the token of a launch, Sender.Send sends a mark. Whoever registers a platform chooses the
// addresses that the tool opens, so its client must not reach private networks, and answers are bounded in size and time.
package lti

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"quintet/serve/fair"
)

// Limits of a request to a platform.
const (
	requestTime = 5 * time.Second
	maxAnswer   = 64 << 10 // bytes
)

// ErrUnavailable says that a platform does not answer as it should. A later attempt may succeed.
var ErrUnavailable = errors.New("the platform does not answer as expected")

// ErrUnsigned says that no key of the platform has signed a token: anybody may have sent it.
var ErrUnsigned = errors.New("the platform has not signed the token")

// errKeys says that the public keys of a platform could not be read. That tells of the platform, whoever sends a token.
var errKeys = errors.New("reading its public keys")

// Tool talks to platforms. It is safe for concurrent use.
type Tool struct {
	client  *http.Client
	now     func() time.Time
	reading *fair.Gate // lets one request at a time read the keys at an address

	mu   sync.Mutex // guards sets
	sets map[string]keySet
}

// New returns a tool. The client must follow no redirects.
func New(client *http.Client, now func() time.Time) *Tool {
	return &Tool{client: client, now: now, reading: fair.NewGate(), sets: map[string]keySet{}}
}

// exchange sends a request, and decodes the answer into v unless it is nil. It returns the status; an error wraps
// ErrUnavailable.
func (t *Tool) exchange(ctx context.Context, method, to, kind, token, body string, v any) (status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, to, strings.NewReader(body))
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if r.Header.Set("Content-Type", kind); token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := t.client.Do(r)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	defer answer.Body.Close() //nolint:errcheck // it is only read
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	switch {
	case err != nil:
	case answer.StatusCode < 200 || answer.StatusCode > 299:
		err = fmt.Errorf("%s answers %d", r.URL.Host, answer.StatusCode)
	case v != nil:
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return answer.StatusCode, err
}
