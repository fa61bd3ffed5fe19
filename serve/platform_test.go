package serve_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"quintet/serve/lti"
)

const (
	moodle   = "https://moodle.example"
	scope    = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
	claim    = "https://purl.imsglobal.org/spec/lti/claim/"
	endpoint = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
)

// platform is a learning platform that checks all that it gets. It runs in the process of the test, without a network.
type platform struct {
	t       *testing.T
	keysOf  func(client string) []lti.JWK // public keys of the tool
	signing crypto.Signer
	kid     string

	mu     sync.Mutex // guards the rest
	public map[string]any
	reads  int  // of the public keys
	status int  // of the answers to scores; 0 if the platform works
	issued int  // access tokens
	expire int  // seconds for which they are to count
	once   bool // they count for one score
	spent  int  // the last one that counts no longer
	jtis   map[any]bool
	last   map[string]int64  // seconds of the last score
	scores map[string]string // by line item and user
	posted []string
}

func newPlatform(t *testing.T) *platform {
	t.Helper()
	p := &platform{t: t, public: map[string]any{}, jtis: map[any]bool{}, expire: 3600, last: map[string]int64{}, scores: map[string]string{}}
	p.rotate("one")
	return p
}

// rotate makes a new key (ES256) and publishes it beside the others.
func (p *platform) rotate(kid string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		p.t.Fatal(err)
	}
	raw, err := key.PublicKey.Bytes()
	if err != nil {
		p.t.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	p.publish(kid, lti.JWK{Type: "EC", ID: kid, Curve: "P-256", X: encode(raw[1:33]), Y: encode(raw[33:])})
	p.signing, p.kid = key, kid
}

// publish publishes a key, or withdraws the one with an identifier.
func (p *platform) publish(kid string, key any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.public[kid] = key; key == nil {
		delete(p.public, kid)
	}
}

// answer sets the status of the answers to scores.
func (p *platform) answer(status int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status = status
}

// grades returns what the platform has, and what was posted since the last call.
func (p *platform) grades() (scores map[string]string, posted string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	posted, p.posted = strings.Join(p.posted, ", "), nil
	return maps.Clone(p.scores), posted
}

// RoundTrip implements http.RoundTripper.
func (p *platform) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	status, text := 404, ""
	body, err := io.ReadAll(r.Body)
	switch {
	case err != nil:
		return nil, err
	case r.URL.String() == moodle+"/keys":
		p.reads++
		list := []any{map[string]string{"kty": "oct", "kid": "odd"}}
		for _, k := range p.public {
			list = append(list, k)
		}
		data, _ := json.Marshal(map[string]any{"keys": list})
		status, text = 200, string(data)
	case r.URL.String() == moodle+"/token" && r.Method == http.MethodPost:
		status, text = p.token(r, string(body))
	case strings.HasPrefix(r.URL.Path, "/line/") && r.Method == http.MethodPost:
		status = p.score(r, body)
	default:
		p.t.Errorf("a request for %s %s", r.Method, r.URL)
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(text)), Request: r}, nil
}

// token gives an access token to a tool that signs its request with its own key.
func (p *platform) token(r *http.Request, body string) (status int, text string) {
	form, err := url.ParseQuery(body)
	c := jwt.MapClaims{}
	if err == nil {
		_, err = jwt.NewParser(jwt.WithValidMethods([]string{"RS256"}), jwt.WithAudience(moodle+"/token"), jwt.WithIssuer("tool"), jwt.WithSubject("tool"), jwt.WithExpirationRequired(), jwt.WithIssuedAt()).
			ParseWithClaims(form.Get("client_assertion"), c, func(token *jwt.Token) (any, error) {
				for _, k := range p.keysOf("tool") {
					if k.ID == token.Header["kid"] {
						n, _ := base64.RawURLEncoding.DecodeString(k.N)
						return &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: 65537}, nil
					}
				}
				return nil, errors.New("no such key")
			})
	}
	if err == nil && (p.jtis[c["jti"]] || form.Get("grant_type") != "client_credentials" || form.Get("scope") != scope || form.Get("client_assertion_type") != "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" || r.Header.Get("Content-Type") != "application/x-www-form-urlencoded") {
		err = fmt.Errorf("the form %v", form)
	}
	if err != nil {
		return 400, err.Error()
	}
	p.jtis[c["jti"]] = true
	p.issued++
	return 200, fmt.Sprintf(`{"access_token":"access %d","token_type":"bearer","expires_in":%d,"scope":%q}`, p.issued, p.expire, scope)
}

// score takes a score, as Moodle does: only if it is later than the last one, in whole seconds.
func (p *platform) score(r *http.Request, body []byte) int {
	var s struct {
		UserID, Timestamp, ActivityProgress, GradingProgress string
		ScoreGiven, ScoreMaximum                             float64
	}
	err := json.Unmarshal(body, &s)
	at, bad := time.Parse(time.RFC3339, s.Timestamp)
	if err := errors.Join(err, bad); err != nil || r.Header.Get("Authorization") != fmt.Sprintf("Bearer access %d", p.issued) || r.Header.Get("Content-Type") != "application/vnd.ims.lis.v1.score+json" ||
		s.ActivityProgress != "Completed" || s.GradingProgress != "FullyGraded" || !strings.HasSuffix(r.URL.Path, "/scores") || r.URL.RawQuery != "type=3" {
		p.t.Errorf("the score %s at %s with %v: %v", body, r.URL, r.Header, err)
	}
	if p.once && p.spent == p.issued {
		return http.StatusUnauthorized
	}
	p.spent = p.issued
	key, text := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/line/"), "/scores")+" "+s.UserID, fmt.Sprint(s.ScoreGiven, "/", s.ScoreMaximum)
	p.posted = append(p.posted, key+" "+text)
	switch {
	case p.status != 0:
		return p.status
	case at.Unix() <= p.last[key]:
		return http.StatusConflict
	}
	p.last[key], p.scores[key] = at.Unix(), text
	return 200
}
