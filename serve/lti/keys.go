package lti

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"time"
)

// How long the public keys of a platform count, the least time between two requests for them, and their number.
const (
	keysAge   = time.Hour
	keysPause = time.Minute
	maxKeys   = 20
)

// keySet is the public keys at an address.
type keySet struct {
	read  time.Time // when they were read
	tried time.Time // when that was last tried
	keys  map[string]crypto.PublicKey
}

// JWK is a public key in JSON (RFC 7517).
type JWK struct {
	Type      string `json:"kty"`
	ID        string `json:"kid"`
	Use       string `json:"use,omitempty"`
	Algorithm string `json:"alg,omitempty"`
	N         string `json:"n,omitempty"`
	E         string `json:"e,omitempty"`
	Curve     string `json:"crv,omitempty"`
	X         string `json:"x,omitempty"`
	Y         string `json:"y,omitempty"`
}

// publicKey returns the key with an identifier at an address. It reads the address if the keys are too old, and at most
// once a minute if it does not know the key.
func (t *Tool) publicKey(ctx context.Context, address, id string) (crypto.PublicKey, error) {
	if k, known, _ := t.known(address, id); known {
		return k, nil
	}
	if err := t.reading.Enter(ctx, address); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	defer t.reading.Leave(address)
	k, known, wait := t.known(address, id) // another request may have read it
	switch {
	case known:
		return k, nil
	case wait:
		return nil, fmt.Errorf("%w: the platform's public keys do not include the one that signed the token: they are read again after a minute", ErrUnavailable)
	}
	if err := t.read(ctx, address); err != nil {
		return nil, fmt.Errorf("%w: %w", errKeys, err)
	}
	if k, known, _ = t.known(address, id); !known {
		return nil, errors.New("the platform has no such public key")
	}
	return k, nil
}

// known returns a key that is in memory. wait reports that it is too early to read the address again.
func (t *Tool) known(address, id string) (k crypto.PublicKey, known, wait bool) {
	now := t.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	set := t.sets[address]
	k, known = set.keys[id]
	return k, known && now.Sub(set.read) < keysAge, now.Sub(set.tried) < keysPause
}

// read reads the keys at an address.
func (t *Tool) read(ctx context.Context, address string) error {
	var d struct {
		Keys []JWK `json:"keys"`
	}
	_, err := t.exchange(context.WithoutCancel(ctx), http.MethodGet, address, "", "", "", &d) // others wait for it, too
	now := t.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.sets, func(_ string, s keySet) bool { return now.Sub(s.tried) >= keysAge })
	set := t.sets[address]
	if set.tried = now; err == nil {
		set.read, set.keys = now, map[string]crypto.PublicKey{}
		for _, k := range d.Keys[:min(len(d.Keys), maxKeys)] {
			if public := k.public(); public != nil {
				set.keys[k.ID] = public
			}
		}
	}
	t.sets[address] = set
	return err
}

// public returns the key, or nil if it is not one for signatures by RS256 or ES256.
func (k JWK) public() crypto.PublicKey {
	n, e, x, y := decode(k.N), decode(k.E), decode(k.X), decode(k.Y)
	may := func(algorithm string) bool { return k.Algorithm == "" || k.Algorithm == algorithm }
	switch {
	case k.ID == "" || k.Use != "" && k.Use != "sig":
	case k.Type == "RSA" && may("RS256") && len(n) >= 256 && len(n) <= 1024 && len(e) > 0 && len(e) < 4:
		return &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(new(big.Int).SetBytes(e).Int64())}
	case k.Type == "EC" && may("ES256") && k.Curve == "P-256" && len(x) == 32 && len(y) == 32:
		if key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), append(append([]byte{4}, x...), y...)); err == nil {
			return key
		}
	}
	return nil
}

// decode decodes base64url; nil if the text is something else.
func decode(text string) []byte {
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	return data
}

// Public returns a public key of ours as platforms read it.
func Public(key *rsa.PublicKey) JWK {
	encode := base64.RawURLEncoding.EncodeToString
	sum := sha256.Sum256(key.N.Bytes())
	return JWK{Type: "RSA", ID: encode(sum[:12]), Use: "sig", Algorithm: "RS256", N: encode(key.N.Bytes()), E: encode(big.NewInt(int64(key.E)).Bytes())}
}
