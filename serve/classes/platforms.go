package classes

import (
	"bytes"
	"cmp"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"fmt"
	"net/http"
	"slices"

	"quintet/live"
	"quintet/people/class"
	"quintet/serve/api"
	"quintet/serve/lti"
)

// This file registers learning platforms with a class. Launches are in launch.go, marks in reports.go.

// platformsView is the platforms of a class, and the URLs to enter there.
type platformsView struct {
	Login     string           `json:"login"` // addresses of the class
	Launch    string           `json:"launch"`
	Keys      string           `json:"keys"`
	Platforms []class.Platform `json:"platforms"`
	Waiting   int              `json:"waiting"` // marks to be sent
	Trouble   string           `json:"trouble"` // the last one with a launch or a mark
}

// showPlatforms shows the platforms of a class.
func (s *Service) showPlatforms(w http.ResponseWriter, r *http.Request, from visit) error {
	at := s.Origin(r) + "/lti/" + from.ID
	v := platformsView{Login: at + "/login", Launch: at + "/launch", Keys: at + "/keys", Platforms: orEmpty(from.Platforms)}
	s.reports.change(from.ID, func(r *reporting) { v.Trouble = r.trouble })
	from.d.view(func(st *class.State) { v.Waiting = len(st.Unreported(from.Class, s.Now())) })
	return s.OK(w, v)
}

// setPlatform adds a platform, or changes the one with its issuer and client. It gives the class a key first.
func (s *Service) setPlatform(w http.ResponseWriter, r *http.Request, v visit) error {
	var p class.Platform
	if err := api.Read(w, r, 4*api.SmallBody, &p, "issuer", "client", "deployment", "auth", "token", "keys"); err != nil {
		return err
	}
	if err := p.Check(); err != nil {
		return invalidField("platform", "%v", err)
	}
	if err := s.LimitCreates(s.Address(r)); err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(p.Issuer + "\n" + p.Client))
	p.ID = api.IDOf(sum[:12]) // the same when it is removed and added again: its students stay
	read, sealed, set := v.Key, v.Key, v.KeySet
	if _, err := s.key(v.Class); err != nil {
		if sealed, set, err = s.newKey(v.ID); err != nil {
			return err
		}
	}
	err := s.directory.Update(r.Context(), v.ID, func(c *class.Class) error {
		i := slices.IndexFunc(c.Platforms, func(o class.Platform) bool { return o.ID == p.ID })
		switch {
		case i >= 0:
			c.Platforms[i] = p
		case len(c.Platforms) >= class.MaxPlatforms:
			return api.Problemf(http.StatusConflict, string(live.CodeMany), "a class has at most %d platforms", class.MaxPlatforms).WithReason("class.state")
		default:
			c.Platforms = append(c.Platforms, p)
		}
		if bytes.Equal(c.Key, read) { // or another request has made a key meanwhile
			c.Key, c.KeySet = sealed, set
		}
		return nil
	})
	s.reports.change(v.ID, func(r *reporting) { r.retry(""); r.trouble = "" })
	s.report(v.ID)
	return s.done(w, err)
}

// removePlatform removes a platform. Its students stay in the class.
func (s *Service) removePlatform(w http.ResponseWriter, r *http.Request, v visit) error {
	return s.done(w, s.directory.Update(r.Context(), v.ID, func(c *class.Class) error {
		c.Platforms = slices.DeleteFunc(c.Platforms, func(p class.Platform) bool { return p.ID == r.PathValue("platform") })
		return nil
	}))
}

// Each class has a key of its own. With one key for all, a teacher could register the platform of another class with other
// public keys, and send marks there.

// newKey makes the key of a class. It returns the private key, encrypted, and the public key for platforms.
func (s *Service) newKey(id string) (sealed, set []byte, err error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048) // for RS256, which all platforms accept
	if err != nil {
		return nil, nil, fmt.Errorf("making a key: %w", err)
	}
	box, err := s.cipher(id)
	if err != nil {
		return nil, nil, err
	}
	set = api.Encode(map[string]any{"keys": []lti.JWK{lti.Public(&key.PublicKey)}})
	return box.Seal(nil, nil, x509.MarshalPKCS1PrivateKey(key), nil), set, nil //nolint:gosec // the nonce is random: see cipher
}

// key returns the private key of a class.
func (s *Service) key(c class.Class) (*rsa.PrivateKey, error) {
	box, err := s.cipher(c.ID)
	if err != nil {
		return nil, err
	}
	data, err := box.Open(nil, nil, c.Key, nil)
	if err != nil {
		return nil, fmt.Errorf("the class's key cannot be decrypted: save a platform again to create a new one: %w", err)
	}
	return x509.ParsePKCS1PrivateKey(data) //nolint:wrapcheck // it says what is wrong
}

// cipher returns the AEAD that encrypts a class's private key under the server's secret: backups contain the records.
func (s *Service) cipher(id string) (cipher.AEAD, error) {
	block, err := aes.NewCipher(s.MAC("class key", id))
	if err != nil {
		return nil, fmt.Errorf("encrypting the key of a class: %w", err)
	}
	return cipher.NewGCMWithRandomNonce(block) //nolint:wrapcheck // never fails
}

// keySet sends the public key of a class to platforms.
func (s *Service) keySet(w http.ResponseWriter, r *http.Request) error {
	c, _ := s.directory.Class(r.PathValue("id"))
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write([]byte(cmp.Or(string(c.KeySet), `{"keys":[]}`))) // the platform may have left
	return nil
}
