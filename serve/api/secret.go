package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"
)

// MAC returns a MAC of a value, such as an idempotency key, with the servers' secret. Proxies and logs
// may know the value, but cannot compute the MAC.
func (b *Base) MAC(what, key string) []byte {
	mac := hmac.New(sha256.New, b.Secret)
	_, _ = fmt.Fprintf(mac, "%d %s %s", len(what), what, key) // never fails
	return mac.Sum(nil)
}

// NewSecret returns a new secret. With an idempotency key it is derived from the key, so that
// a repeated request gets the same one.
func (b *Base) NewSecret(key, what string) (string, error) {
	var secret [24]byte
	if key != "" {
		copy(secret[:], b.MAC("secret "+what, key))
	} else if _, err := io.ReadFull(b.Random, secret[:]); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(secret[:]), nil
}

// alphabet has no characters that are easily confused.
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz"

// NewID returns the identifier of a new game or study, derived from the idempotency key if
// there is one.
func (b *Base) NewID(key string) (string, error) {
	var id [12]byte
	if key != "" {
		copy(id[:], b.MAC("game", key))
	} else if _, err := io.ReadFull(b.Random, id[:]); err != nil {
		return "", err
	}
	return IDOf(id[:]), nil
}

// IDOf returns the identifier that bytes make, with a letter for each.
func IDOf(data []byte) string {
	id := make([]byte, len(data))
	for i, b := range data {
		id[i] = alphabet[int(b)%len(alphabet)]
	}
	return string(id)
}

// IsID reports whether a text could be an identifier of NewID.
func IsID(text string) bool {
	return len(text) == 12 && strings.Trim(text, alphabet) == ""
}

// Key returns the idempotency key of a request.
func Key(r *http.Request) (string, error) {
	k := r.Header.Get("Idempotency-Key")
	return k, CheckKey(k)
}

// maxKey is the maximum length of an idempotency key, in characters.
const maxKey = 200

// CheckKey returns an error for an idempotency key that is too short or too long.
func CheckKey(k string) error {
	if n := utf8.RuneCountInString(k); n > 0 && (n < 16 || n > maxKey) {
		return Invalid("key", "an Idempotency-Key of %d characters: expected 16 to %d that cannot be guessed", n, maxKey)
	}
	return nil
}

// HashKey returns the hash of an idempotency key and its context; "" without a key.
func HashKey(key string, rest ...string) string {
	if key == "" {
		return ""
	}
	sum := sha256.Sum256([]byte("quintet key " + strings.Join(append([]string{key}, rest...), "\x00")))
	return hex.EncodeToString(sum[:12])
}
