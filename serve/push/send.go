package push

import (
	"context"
	"crypto/ecdh"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	webpush "github.com/SherClockHolmes/webpush-go"

	"quintet/games"
	"quintet/internal/lang"
	"quintet/people"
)

// Key is the key pair of a server, by which push services recognize it (VAPID, RFC 8292). The zero Key sends nothing.
type Key struct{ private, public string }

// NewSecret returns the secret of a new key.
func NewSecret(random io.Reader) ([]byte, error) {
	key, err := ecdh.P256().GenerateKey(random)
	if err != nil {
		return nil, fmt.Errorf("making a key for push services: %w", err)
	}
	return key.Bytes(), nil
}

// ReadKey returns the key with a secret.
func ReadKey(secret []byte) (Key, error) {
	key, err := ecdh.P256().NewPrivateKey(secret)
	if err != nil {
		return Key{}, fmt.Errorf("reading the key for push services: %w", err)
	}
	return Key{base64.RawURLEncoding.EncodeToString(secret), base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes())}, nil
}

// Public returns the public key in base64url, with which browsers subscribe; "" for the zero Key.
func (k Key) Public() string { return k.public }

func (k Key) valid() bool { return k.private != "" }

// text is a message before it is translated.
type text struct {
	title, body, name string // body has a %s for name
	path              string // of the page that it opens
	tag               string // a newer message with the same tag replaces it
}

// gameTitle returns the title of a game by its name.
func gameTitle(name string) string {
	if g, err := games.ByName(name); err == nil {
		return g.Title
	}
	return name
}

// message is what the service worker gets.
type message struct {
	Title string `json:"title"`
	Body  string `json:"body"`
	Path  string `json:"path"`
	Tag   string `json:"tag"`
}

const (
	recordSize = 1024         // bytes of every message, so that its length says nothing
	maxName    = 200          // bytes of a name in it
	lifetime   = 24 * 60 * 60 // seconds for which a push service keeps a message for a browser that is off
)

// work delivers the letters of a lane until the context ends.
func (s *Sender) work(ctx context.Context, lane int) {
	for {
		l, full, err := s.outbox.pop(ctx, lane)
		switch {
		case err != nil:
			return
		case full:
			s.flying.Release(l.account)
			s.again(l.notice)
		default:
			s.send(ctx, l)
		}
	}
}

// send delivers a letter. It is tried again only if the push service has refused it: after a timeout it may have been delivered.
func (s *Sender) send(ctx context.Context, l letter) {
	defer s.flying.Release(l.account)
	began := s.Now()
	status, err := s.request(ctx, l)
	s.outbox.took(l, s.Now().Sub(began))
	switch {
	case err != nil || status < 300:
	case status == http.StatusNotFound || status == http.StatusGone:
		_, err = s.People.Update(ctx, l.account, func(a *people.Account) error {
			if !a.RemovePush(l.to.Endpoint) {
				return people.ErrMissing
			}
			return nil
		})
	case status == http.StatusTooManyRequests || status >= 500:
		s.again(l.notice)
		err = fmt.Errorf("status %d", status)
	default:
		err = fmt.Errorf("status %d", status)
	}
	if err != nil && !errors.Is(err, people.ErrMissing) && ctx.Err() == nil {
		s.Failed.Add(1)
		s.Log.Debug("a message was not delivered to a push service", "error", err)
	}
}

// request sends a letter and returns the status of the answer.
func (s *Sender) request(ctx context.Context, l letter) (status int, err error) {
	own := s.languages()[lang.Match(l.to.Language)]
	name := strings.ToValidUTF8(l.text.name[:min(len(l.text.name), maxName)], "")
	data, err := json.Marshal(message{own.Sentence(l.text.title), own.Say(l.text.body, name), l.text.path, l.text.tag})
	if err != nil {
		return 0, fmt.Errorf("writing a message: %w", err)
	}
	site := l.to.Site // who is responsible; push services refuse other schemes
	if !strings.HasPrefix(site, "https://") {
		site = "https://localhost"
	}
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	answer, err := webpush.SendNotificationWithContext(ctx, data, &webpush.Subscription{Endpoint: l.to.Endpoint, Keys: webpush.Keys{Auth: l.to.Auth, P256dh: l.to.Key}}, &webpush.Options{
		HTTPClient: s.Client, RecordSize: recordSize, Subscriber: site, Topic: l.text.tag, TTL: lifetime, Urgency: webpush.UrgencyHigh,
		VAPIDPublicKey: s.Key.public, VAPIDPrivateKey: s.Key.private,
	})
	if err != nil {
		return 0, fmt.Errorf("sending a message: %w", err)
	}
	return answer.StatusCode, answer.Body.Close() //nolint:wrapcheck // nothing of it was read
}
