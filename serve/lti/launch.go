package lti

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"quintet/people/class"
)

// leeway is the tolerated clock skew, and tokenAge is how old a token may be.
const (
	leeway   = time.Minute
	tokenAge = 5 * time.Minute
)

// claims are the claims of a launch that we read.
type claims struct {
	jwt.RegisteredClaims

	Authorized string         `json:"azp"`
	Nonce      string         `json:"nonce"`
	Name       string         `json:"name"`
	Message    string         `json:"https://purl.imsglobal.org/spec/lti/claim/message_type"`
	Version    string         `json:"https://purl.imsglobal.org/spec/lti/claim/version"`
	Deployment string         `json:"https://purl.imsglobal.org/spec/lti/claim/deployment_id"`
	Target     string         `json:"https://purl.imsglobal.org/spec/lti/claim/target_link_uri"`
	Roles      []string       `json:"https://purl.imsglobal.org/spec/lti/claim/roles"`
	Custom     map[string]any `json:"https://purl.imsglobal.org/spec/lti/claim/custom"`
	Grades     struct {
		Scope []string `json:"scope"`
		Line  string   `json:"lineitem"`
	} `json:"https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"`
}

// Verify verifies the token of a launch, and returns the launch. An error that wraps ErrUnavailable is temporary;
// one that wraps ErrUnsigned tells nothing of the platform.
func (t *Tool) Verify(ctx context.Context, p class.Platform, token, nonce string) (class.Launch, error) {
	var c claims
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{"RS256", "ES256"}), jwt.WithIssuer(p.Issuer), jwt.WithAudience(p.Client), jwt.WithStrictDecoding(),
		jwt.WithExpirationRequired(), jwt.WithIssuedAt(), jwt.WithLeeway(leeway), jwt.WithTimeFunc(t.now),
	)
	_, err := parser.ParseWithClaims(token, &c, func(token *jwt.Token) (any, error) {
		id, _ := token.Header["kid"].(string)
		if _, ok := token.Header["crit"]; ok || id == "" {
			return nil, errors.New("the header of the token has no kid, or has crit")
		}
		k, err := t.publicKey(ctx, p.Keys, id)
		if _, ok := k.(*rsa.PublicKey); err == nil && ok != (token.Method == jwt.SigningMethodRS256) {
			err = errors.New("the public key is for another algorithm")
		}
		return k, err
	})
	switch {
	case err == nil:
		err = c.check(p, nonce, t.now())
	case !errors.Is(err, jwt.ErrTokenInvalidClaims) && !errors.Is(err, errKeys): // claims are read after the signature
		err = fmt.Errorf("%w: %w", ErrUnsigned, err)
	}
	if err != nil {
		return class.Launch{}, fmt.Errorf("verifying a launch: %w", err)
	}
	return c.launch(p), nil
}

// check checks what the parser does not.
func (c claims) check(p class.Platform, nonce string, now time.Time) error {
	switch {
	case len(c.Audience) != 1 || c.Authorized != "" && c.Authorized != p.Client:
		return errors.New("the token is not for this tool alone (aud, azp)")
	case c.Nonce != nonce:
		return errors.New("the token's nonce does not match the launch")
	case c.IssuedAt == nil || now.Sub(c.IssuedAt.Time) > tokenAge+leeway:
		return errors.New("the token is too old (iat)")
	case c.Deployment != p.Deployment:
		return errors.New("the token is from another deployment")
	case c.Message != "LtiResourceLinkRequest" || c.Version != "1.3.0":
		return errors.New("the token is for another kind of message, or another version of LTI")
	case c.Subject == "" || len(c.Subject) > 255:
		return errors.New("the token's sub is missing or longer than 255 bytes: let the platform send a user ID")
	}
	return nil
}

const learner = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"

// launch returns what the claims say.
func (c claims) launch(p class.Platform) class.Launch {
	l := class.Launch{Platform: p.ID, Subject: c.Subject, Name: c.Name, Student: slices.Contains(c.Roles, learner) || slices.Contains(c.Roles, "Learner")}
	if l.Assignment, _ = c.Custom["assignment"].(string); l.Assignment == "" {
		if target, err := url.Parse(c.Target); err == nil {
			l.Assignment = target.Query().Get("assignment")
		}
	}
	if slices.Contains(c.Grades.Scope, scoreScope) && class.CheckURL(c.Grades.Line) == nil {
		l.Line = c.Grades.Line
	}
	return l
}
