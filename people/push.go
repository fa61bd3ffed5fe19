package people

import (
	"crypto/ecdh"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Limits on subscriptions to Web Push.
const (
	MaxPushes   = 5    // of an account: one more removes the oldest
	MaxEndpoint = 1000 // bytes
	maxTag      = 35   // bytes of a language
)

// Push is the subscription of a browser to Web Push: its push service delivers what is encrypted for the browser and sent to
// Endpoint.
type Push struct {
	Endpoint string `json:"endpoint"`
	Key      string `json:"key"`      // public key of the browser (p256dh), in base64url
	Auth     string `json:"auth"`     // secret of the browser, in base64url
	Language string `json:"language"` // of the texts
	Site     string `json:"site"`     // origin of the page that subscribed
	Grant    string `json:"grant"`    // session with which the subscription ends
}

// Normalize removes padding from the keys, and returns an error if a client may not store the subscription.
func (p *Push) Normalize() error {
	at, err := url.Parse(p.Endpoint)
	switch {
	case err != nil || at.Scheme != "https" || at.Hostname() == "" || at.User != nil:
		return errors.New("endpoint: expected an https address")
	case len(p.Endpoint) > MaxEndpoint || len(p.Language) > maxTag:
		return fmt.Errorf("endpoint or language: expected at most %d and %d bytes", MaxEndpoint, maxTag)
	}
	p.Key, p.Auth = strings.TrimRight(p.Key, "="), strings.TrimRight(p.Auth, "=")
	key, err := base64.RawURLEncoding.DecodeString(p.Key)
	if err == nil {
		_, err = ecdh.P256().NewPublicKey(key)
	}
	if err != nil {
		return errors.New("keys.p256dh: expected a point of P-256 in base64url")
	}
	if auth, err := base64.RawURLEncoding.DecodeString(p.Auth); err != nil || len(auth) != 16 {
		return errors.New("keys.auth: expected 16 bytes in base64url")
	}
	return nil
}

// AddPush adds a subscription and removes those whose sessions have ended.
func (a *Account) AddPush(p Push, now time.Time) {
	a.RemovePush(p.Endpoint)
	a.Pushes = append(a.LivePushes(now), p)
	a.Pushes = a.Pushes[max(len(a.Pushes)-MaxPushes, 0):]
}

// RemovePush removes the subscription of an endpoint, and reports whether there was one.
func (a *Account) RemovePush(endpoint string) bool {
	n := len(a.Pushes)
	a.Pushes = slices.DeleteFunc(a.Pushes, func(p Push) bool { return p.Endpoint == endpoint })
	return len(a.Pushes) < n
}

// LivePushes returns the subscriptions whose sessions last, the oldest first.
func (a Account) LivePushes(now time.Time) (list []Push) {
	if a.Closed {
		return nil
	}
	for _, p := range a.Pushes {
		if slices.ContainsFunc(a.Grants, func(g Grant) bool { return g.ID == p.Grant && !g.expired(now) }) {
			list = append(list, p)
		}
	}
	return list
}
