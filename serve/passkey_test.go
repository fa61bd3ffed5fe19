package serve_test

import (
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/descope/virtualwebauthn"

	"quintet/live"
	"quintet/people"
	"quintet/serve"
)

// device is an authenticator with a passkey, and the site as the browser names it.
type device struct {
	testing.TB
	party virtualwebauthn.RelyingParty
	auth  virtualwebauthn.Authenticator
	key   virtualwebauthn.Credential
}

// localhost returns a server under the name localhost, and its clock.
func localhost(t *testing.T) (*site, *clock) {
	t.Helper()
	c := newClock()
	s := start(t, live.NewMemory(), serve.Config{Now: c.Now})
	s.url = strings.Replace(s.url, "127.0.0.1", "localhost", 1)
	return s, c
}

func (s *site) device(user string) device {
	return device{
		s.t, virtualwebauthn.RelyingParty{ID: "localhost", Name: "Quintet", Origin: s.url},
		virtualwebauthn.NewAuthenticatorWithOptions(virtualwebauthn.AuthenticatorOptions{UserHandle: []byte(user)}),
		credential(s.t),
	}
}

// credential returns a new credential. virtualwebauthn sends coordinates without leading zeros, which go-webauthn refuses.
func credential(t testing.TB) virtualwebauthn.Credential {
	t.Helper()
	for {
		c := virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2)
		key, err := x509.ParsePKCS8PrivateKey(c.Key.Data)
		if err != nil {
			t.Fatal(err)
		}
		k, _ := key.(*ecdsa.PrivateKey) // by its type
		point, err := k.PublicKey.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if point[1] != 0 && point[33] != 0 { // after 4: X, Y
			return c
		}
	}
}

// options returns what the server asked for, as JSON.
func options(a answer) string {
	data, _ := json.Marshal(a.body)
	return string(data)
}

// create answers a challenge for a new passkey.
func (d device) create(a answer) string {
	d.Helper()
	o, err := virtualwebauthn.ParseAttestationOptions(options(a))
	if err != nil {
		d.Fatal(err)
	}
	return fmt.Sprintf(`{"credential":%s}`, virtualwebauthn.CreateAttestationResponse(d.party, d.auth, d.key, *o))
}

// sign answers a challenge for signing in.
func (d device) sign(a answer) string {
	d.Helper()
	o, err := virtualwebauthn.ParseAssertionOptions(options(a))
	if err != nil {
		d.Fatal(err)
	}
	return fmt.Sprintf(`{"credential":%s}`, virtualwebauthn.CreateAssertionResponse(d.party, d.auth, d.key, *o))
}

const challenge, withPasskey, passkeys = "/api/sessions/passkey/challenge", "/api/sessions/passkey", "/api/account/passkeys"

// TestPasskey adds two passkeys, signs in with one, and removes it.
func TestPasskey(t *testing.T) {
	s, clock := localhost(t)
	anna := s.visitor()
	anna.do("POST", passkeys+"/challenge", `{`+password+`}`, 401, "token")
	guest := s.guestID(anna)
	anna.do("POST", "/api/accounts", `{"name":"Anna",`+password+`}`, 201, "")
	anna.do("POST", passkeys+"/challenge", `{"password":"wrong horse"}`, 403, "password")
	phone, laptop := s.device(guest), s.device(guest)
	asked := anna.do("POST", passkeys+"/challenge", `{`+password+`}`, 200, "")
	if o := asked.body["publicKey"].(map[string]any)["authenticatorSelection"].(map[string]any); o["userVerification"] != "required" || o["residentKey"] != "required" {
		t.Errorf("the authenticator is asked for %v", o)
	}
	id := anna.do("POST", passkeys, phone.create(asked), 201, "").text("id")
	anna.do("POST", passkeys, laptop.create(anna.do("POST", passkeys+"/challenge", `{`+password+`}`, 200, "")), 201, "")
	if list := anna.do("GET", passkeys, "", 200, "").body["passkeys"].([]any); len(list) != 2 {
		t.Errorf("%d passkeys, want 2", len(list))
	}

	other := s.visitor()
	asked = other.do("POST", challenge, "", 200, "")
	body := phone.sign(asked)
	clock.add(time.Minute)
	if got := other.do("POST", withPasskey, body, 200, ""); got.text("name") != "Anna" {
		t.Errorf("signed in as %v", got.body)
	}
	s.visitor().do("POST", withPasskey, body, 403, "password") // a second time
	other.do("DELETE", passkeys+"/"+id, "", 200, "")
	other.do("DELETE", passkeys+"/"+id, "", 404, "missing")
	s.visitor().do("POST", withPasskey, phone.sign(other.do("POST", challenge, "", 200, "")), 403, "password")
	other.do("POST", withPasskey, laptop.sign(other.do("POST", challenge, "", 200, "")), 200, "")
}

// guestID returns the identifier that a visitor has as a guest, and will have as an account.
func (s *site) guestID(v visitor) string {
	s.t.Helper()
	v.do("GET", "/api/account", "", 200, "")
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return people.GuestID(v.jar.Cookies(r.URL)[0].Value)
}

// TestPasskeyRefused refuses signatures that prove nothing: of another site, without verifying the user, too late, of a
// challenge for something else or that nobody issued, and everything over plain http.
func TestPasskeyRefused(t *testing.T) {
	s, clock := localhost(t)
	anna := s.visitor()
	user := s.guestID(anna)
	anna.do("POST", "/api/accounts", `{"name":"Anna",`+password+`}`, 201, "")
	add := func() answer { return anna.do("POST", passkeys+"/challenge", `{`+password+`}`, 200, "") }
	d := s.device(user)
	adding := add()
	anna.do("POST", passkeys, d.create(adding), 201, "")
	ask := func() answer { return anna.do("POST", challenge, "", 200, "") }
	refuse := func(what, body string) {
		t.Helper()
		if a := s.visitor().do("POST", withPasskey, body, 403, "password"); a.text("reason") != "passkey" {
			t.Errorf("%s: %v", what, a.body)
		}
	}
	evil, careless, stranger := d, d, s.device("nobody")
	evil.party.Origin = "https://evil.example"
	careless.auth.Options.UserNotVerified = true
	stranger.key = d.key
	refuse("another site", evil.sign(ask()))
	refuse("an unverified user", careless.sign(ask()))
	refuse("another account", stranger.sign(ask()))
	refuse("another key", s.device(user).sign(ask()))
	refuse("a challenge for a new passkey", d.sign(adding))
	refuse("nothing", `{"credential":{}}`)
	made := ask()
	made.body["publicKey"].(map[string]any)["challenge"] = strings.Repeat("A", 75)
	refuse("a challenge that nobody issued", d.sign(made))
	late := ask()
	clock.add(5 * time.Minute)
	refuse("too late", d.sign(late))
	anna.do("POST", passkeys, careless.create(add()), 403, "password")
	anna.do("POST", passkeys, evil.create(add()), 403, "password")
	s.url = strings.Replace(s.url, "localhost", "127.0.0.1", 1)
	if a := s.post(challenge, ""); a.status != 403 || a.text("reason") != "passkey.https" {
		t.Errorf("plain http: %v", a.body)
	}
}

// created asks for an account with a passkey, and returns the authenticator and its answer.
func (s *site) created(v visitor, name string) (device, string) {
	s.t.Helper()
	asked := v.do("POST", "/api/accounts/passkey/challenge", fmt.Sprintf(`{"name":%q}`, name), 200, "")
	user := asked.body["publicKey"].(map[string]any)["user"].(map[string]any)
	id, err := base64.RawURLEncoding.DecodeString(user["id"].(string))
	if err != nil || user["name"] != name {
		s.t.Fatalf("the user is %v, %v", user, err)
	}
	d := s.device(string(id))
	return d, d.create(asked)
}

// named adds a name to a body.
func named(name, body string) string { return fmt.Sprintf(`{"name":%q,%s`, name, body[1:]) }

// TestPasskeyOnly creates an account without a password. Its passkey then stands for the password everywhere.
func TestPasskeyOnly(t *testing.T) {
	s, clock := localhost(t)
	grace, anna := s.visitor(), s.visitor()
	anna.do("POST", "/api/accounts", `{"name":"Anna",`+password+`}`, 201, "")
	grace.do("POST", "/api/games", `{"game":"loa","as":"first"}`, 201, "")
	grace.do("POST", "/api/accounts/passkey/challenge", `{"name":"Anna"}`, 409, "taken")
	grace.do("POST", "/api/accounts/passkey/challenge", `{"name":"admin"}`, 400, "invalid")
	key, body := s.created(grace, "Grace")
	grace.do("POST", "/api/accounts", named("Gracie", body), 403, "password") // the challenge is for another name
	grace.do("POST", "/api/accounts", `{"name":"Grace"}`, 400, "invalid")     // neither
	code := grace.do("POST", "/api/accounts", named("Grace", body), 201, "").text("recovery")
	s.visitor().do("POST", "/api/accounts", named("Grace", body), 409, "taken")
	if a := grace.do("GET", "/api/account", "", 200, ""); a.body["keyed"] != true || a.text("name") != "Grace" {
		t.Errorf("the account is %v", a.body)
	}
	grace.eventually(func() string {
		return fmt.Sprint(len(grace.do("GET", "/api/people/Grace/games", "", 200, "").body["games"].([]any)))
	}, "1", "the guest's game")
	sign := func(d device, change string) string {
		clock.add(time.Second)
		return d.sign(grace.do("POST", challenge, `{"do":"`+change+`"}`, 200, ""))
	}
	for _, empty := range []string{`{"name":"Grace"}`, `{"name":"Grace","password":""}`, `{"name":"Grace",` + password + `}`} {
		s.visitor().do("POST", "/api/sessions", empty, 403, "password")
	}
	grace.do("DELETE", "/api/account", `{"password":""}`, 403, "password")
	grace.do("POST", "/api/account/password", `{"new":"battery staple"}`, 403, "password")
	id := grace.do("GET", passkeys, "", 200, "").body["passkeys"].([]any)[0].(map[string]any)["id"].(string)
	if a := grace.do("DELETE", passkeys+"/"+id, "", 409, "taken"); a.text("reason") != "passkey.last" {
		t.Errorf("the only passkey: %v", a.body)
	}
	anna.do("DELETE", "/api/account", sign(key, "erase"), 403, "password") // somebody else's passkey

	proof := sign(key, "passkey")
	second := s.device(string(key.auth.Options.UserHandle))
	grace.do("POST", passkeys, second.create(grace.do("POST", passkeys+"/challenge", proof, 200, "")), 201, "")
	grace.do("POST", passkeys+"/challenge", proof, 403, "password") // a second time
	grace.do("DELETE", passkeys+"/"+id, "", 200, "")
	grace.do("DELETE", "/api/account", sign(key, "erase"), 403, "password")
	grace.do("POST", "/api/account/password", `{"new":"battery staple",`+sign(second, "password")[1:], 200, "")
	if a := grace.do("GET", "/api/account", "", 200, ""); a.body["keyed"] != nil {
		t.Errorf("with a password the account is %v", a.body)
	}
	s.visitor().do("POST", "/api/sessions", `{"name":"Grace","password":"battery staple"}`, 200, "")
	again := grace.do("POST", "/api/account/recover", `{"name":"Grace","code":"`+code+`","new":"correct staple"}`, 200, "").text("recovery")
	if again == "" || again == code {
		t.Errorf("the new recovery code is %q", again)
	}
}

// TestPasskeyOnlyLost recovers one account whose only passkey is lost, and erases another with its passkey.
func TestPasskeyOnlyLost(t *testing.T) {
	s, clock := localhost(t)
	v := s.visitor()
	key, body := s.created(v, "Grace")
	code := v.do("POST", "/api/accounts", named("Grace", body), 201, "").text("recovery")
	v.do("DELETE", "/api/sessions/current", "", 200, "")
	v.do("POST", "/api/account/recover", `{"name":"Grace","code":"`+code+`","new":"battery staple"}`, 200, "")
	clock.add(time.Second)
	s.visitor().do("POST", withPasskey, key.sign(v.do("POST", challenge, "", 200, "")), 403, "password") // it may be a thief's

	v = s.visitor()
	key, body = s.created(v, "Ada")
	v.do("POST", "/api/accounts", named("Ada", body), 201, "")
	clock.add(time.Second)
	v.do("DELETE", "/api/account", key.sign(v.do("POST", challenge, `{"do":"erase"}`, 200, "")), 200, "")
	v.do("GET", "/api/people/Ada", "", 404, "missing")
}

// TestPasskeyPurposes checks that the answer to a challenge is good for one purpose, in one session: a page that got
// somebody to sign in, or to confirm one change, can do nothing else with it.
func TestPasskeyPurposes(t *testing.T) {
	s, clock := localhost(t)
	ada := s.visitor()
	key, body := s.created(ada, "Ada")
	ada.do("POST", "/api/accounts", named("Ada", body), 201, "")
	s.visitor().do("POST", challenge, `{"do":"erase"}`, 401, "token")
	ada.do("POST", challenge, `{"do":"play"}`, 400, "invalid")
	sign := func(v visitor, change string) string {
		clock.add(time.Second)
		return key.sign(v.do("POST", challenge, `{"do":"`+change+`"}`, 200, ""))
	}
	other := s.visitor()
	other.do("POST", withPasskey, sign(other, ""), 200, "")
	use := map[string]func(body string, status int, code string){
		"":        func(body string, status int, code string) { s.visitor().do("POST", withPasskey, body, status, code) },
		"passkey": func(body string, status int, code string) { ada.do("POST", passkeys+"/challenge", body, status, code) },
		"password": func(body string, status int, code string) {
			ada.do("POST", "/api/account/password", `{"new":"battery staple",`+body[1:], status, code)
		},
		"erase": func(body string, status int, code string) { ada.do("DELETE", "/api/account", body, status, code) },
	}
	for change, send := range use {
		for given := range use {
			if given != change {
				send(sign(ada, given), 403, "password")
			}
		}
		if change != "" {
			send(sign(other, change), 403, "password") // of another session
		}
	}
	for _, change := range []string{"", "passkey", "password", "erase"} {
		use[change](sign(ada, change), 200, "")
	}
}
