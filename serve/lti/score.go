package lti

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"quintet/people/class"
)

const scoreScope = "https://purl.imsglobal.org/spec/lti-ags/scope/score"

// score is a score as platforms read it.
type score struct {
	User     string  `json:"userId"`
	Given    float64 `json:"scoreGiven"`
	Maximum  float64 `json:"scoreMaximum"`
	Time     string  `json:"timestamp"`
	Activity string  `json:"activityProgress"`
	Grading  string  `json:"gradingProgress"`
}

// A mark that a platform refuses is sent again after refusedWait. After a conflict (409), when the platform already has a
// later score, it is sent again after conflictWait: our clock was behind, or the record of a sent mark was lost.
const (
	refusedWait  = 24 * time.Hour
	conflictWait = time.Minute
)

// Sender sends some marks, with one access token for each platform while it counts. It is not safe for concurrent use.
type Sender struct {
	tool *Tool
	key  *rsa.PrivateKey
	held map[string]accessToken // by identifier of a platform
}

type accessToken struct {
	text string
	end  time.Time
}

// NewSender returns a Sender. Platforms recognize the tool by the key.
func (t *Tool) NewSender(key *rsa.PrivateKey) *Sender {
	return &Sender{t, key, map[string]accessToken{}}
}

// Send sends a mark to a line item, where it replaces the one before. If wait is not 0, the platform refuses only this mark,
// which can be sent again after that time.
func (s *Sender) Send(ctx context.Context, line string, m class.Report) (wait time.Duration, err error) {
	t := s.tool
	access, used := s.held[m.Platform.ID]
	if used = used && t.now().Before(access.end); !used {
		if access, err = t.access(ctx, s.key, m.Platform); err != nil {
			return 0, fmt.Errorf("getting an access token: %w", err)
		}
		s.held[m.Platform.ID] = access
	}
	to, err := url.Parse(line)
	if err != nil {
		return refusedWait, fmt.Errorf("reading the address of a line item: %w", err)
	}
	to = to.JoinPath("scores") // before the query
	body, err := json.Marshal(score{m.Subject, m.Mark, m.Of, m.At.UTC().Format("2006-01-02T15:04:05.000Z07:00"), "Completed", "FullyGraded"})
	if err != nil {
		return refusedWait, fmt.Errorf("writing a mark: %w", err)
	}
	status, err := t.exchange(ctx, http.MethodPost, to.String(), "application/vnd.ims.lis.v1.score+json", access.text, string(body), nil)
	if status == http.StatusUnauthorized {
		delete(s.held, m.Platform.ID)
	}
	switch {
	case err == nil:
		return 0, nil
	case status == http.StatusUnauthorized && used: // the token counts no longer
		return s.Send(ctx, line, m)
	case status == http.StatusConflict:
		wait = conflictWait
	case status >= 400 && status < 500 && status != http.StatusTooManyRequests:
		wait = refusedWait
	}
	return wait, fmt.Errorf("sending a mark: %w", err)
}

// access gets an access token for sending marks, by a token that the tool signs (RFC 7523).
func (t *Tool) access(ctx context.Context, key *rsa.PrivateKey, p class.Platform) (a accessToken, err error) {
	now := t.now()
	own := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.MapClaims{
		"iss": p.Client, "sub": p.Client, "aud": p.Token, "jti": rand.Text(), "iat": now.Unix(), "exp": now.Add(leeway).Unix(),
	})
	own.Header["kid"] = Public(&key.PublicKey).ID
	assertion, err := own.SignedString(key)
	if err != nil {
		return a, fmt.Errorf("signing: %w", err)
	}
	form := url.Values{
		"grant_type": {"client_credentials"}, "client_assertion_type": {"urn:ietf:params:oauth:client-assertion-type:jwt-bearer"},
		"client_assertion": {assertion}, "scope": {scoreScope},
	}
	var answer struct {
		Token   string      `json:"access_token"`
		Scope   string      `json:"scope"`
		Seconds json.Number `json:"expires_in"`
	}
	if _, err := t.exchange(ctx, http.MethodPost, p.Token, "application/x-www-form-urlencoded", "", form.Encode(), &answer); err != nil {
		return a, err
	}
	if answer.Token == "" || answer.Scope != "" && !slices.Contains(strings.Fields(answer.Scope), scoreScope) {
		return a, errors.New("the platform gives none for sending marks")
	}
	seconds, _ := answer.Seconds.Int64() // 0 if the platform does not say it: then the token is used once
	return accessToken{answer.Token, now.Add(time.Duration(min(max(seconds, 0), 3600))*time.Second - requestTime)}, nil
}
