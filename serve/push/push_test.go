package push_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// browser is a browser with a subscription, and what its push service got for it.
type browser struct {
	t        *testing.T
	endpoint string
	key      *ecdh.PrivateKey
	auth     []byte
	server   string // public key of the server

	mu   sync.Mutex    // guards the rest
	got  []string      // decrypted
	give int           // status of the answers
	late time.Duration // until they come
}

func newBrowser(t *testing.T, endpoint string) *browser {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t: t, endpoint: endpoint, key: key, auth: []byte("0123456789abcdef"), give: http.StatusCreated}
}

// subscription returns the body of the request to subscribe.
func (b *browser) subscription(language string) string {
	return fmt.Sprintf(`{"endpoint":%q,"keys":{"p256dh":%q,"auth":%q},"language":%q}`, b.endpoint, base64.RawURLEncoding.EncodeToString(b.key.PublicKey().Bytes()), base64.URLEncoding.EncodeToString(b.auth), language)
}

// messages returns what has come, and forgets it.
func (b *browser) messages() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := strings.Join(b.got, "\n")
	b.got = nil
	return list
}

func (b *browser) answer(status int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.give = status
}

// latency returns how long its push service takes.
func (b *browser) latency() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.late
}

func (b *browser) takes(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.late = d
}

// take is the push service: it checks who sends, and decrypts.
func (b *browser) take(r *http.Request) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	data, err := io.ReadAll(r.Body)
	if err == nil {
		err = b.signed(r)
	}
	var text []byte
	if err == nil {
		text, err = b.decrypt(data)
	}
	if err != nil || r.Header.Get("TTL") == "" || r.Header.Get("Content-Encoding") != "aes128gcm" || len(data) != 1024 {
		b.t.Errorf("a message of %d bytes with %v: %v", len(data), r.Header, err)
	}
	b.got = append(b.got, string(text))
	return b.give
}

// signed checks the signature of RFC 8292.
func (b *browser) signed(r *http.Request) error {
	var token, key string
	if n, err := fmt.Sscanf(r.Header.Get("Authorization"), "vapid t=%s k=%s", &token, &key); n != 2 {
		return err
	}
	parts := strings.Split(strings.TrimSuffix(token, ","), ".")
	point, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil || len(parts) != 3 || len(point) != 65 || b.server != key {
		return fmt.Errorf("token %q and key %q, want the key %q", token, key, b.server)
	}
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	body, err := base64.RawURLEncoding.DecodeString(parts[1])
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	signature, bad := base64.RawURLEncoding.DecodeString(parts[2])
	if err := errors.Join(err, bad, json.Unmarshal(body, &claims)); err != nil || len(signature) != 64 {
		return errors.Join(err, errors.New("the token is not signed"))
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return err
	}
	if !ecdsa.Verify(public, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		return errors.New("the signature is wrong")
	}
	left := time.Until(time.Unix(claims.Exp, 0))
	if claims.Aud != "https://"+r.URL.Host || !strings.HasPrefix(claims.Sub, "https:") || left <= 0 || left > 24*time.Hour {
		return fmt.Errorf("the token is for %+v", claims)
	}
	return nil
}

// decrypt is RFC 8291.
func (b *browser) decrypt(data []byte) ([]byte, error) {
	if len(data) < 86 || data[20] != 65 || binary.BigEndian.Uint32(data[16:20]) < uint32(len(data)-86) {
		return nil, errors.New("the header is wrong")
	}
	salt, point, text := data[:16], data[21:86], data[86:]
	sender, err := ecdh.P256().NewPublicKey(point)
	if err != nil {
		return nil, err
	}
	shared, err := b.key.ECDH(sender)
	if err != nil {
		return nil, err
	}
	key := func(secret, salt []byte, info string, n int) []byte {
		out, err := hkdf.Key(sha256.New, secret, salt, info, n)
		if err != nil {
			b.t.Error(err)
		}
		return out
	}
	input := key(shared, b.auth, "WebPush: info\x00"+string(b.key.PublicKey().Bytes())+string(point), 32)
	block, err := aes.NewCipher(key(input, salt, "Content-Encoding: aes128gcm\x00", 16))
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	text, err = gcm.Open(nil, key(input, salt, "Content-Encoding: nonce\x00", 12), text, nil)
	if err != nil {
		return nil, err
	}
	text = []byte(strings.TrimRight(string(text), "\x00"))
	if len(text) == 0 || text[len(text)-1] != 2 {
		return nil, errors.New("the padding is wrong")
	}
	return text[:len(text)-1], nil
}
