package serve_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"quintet/live"
	"quintet/serve/lti"
)

// TestTokens sends every wrong token: none signs anybody in, the student gets a sentence, and the log says why.
func TestTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCourse(t, live.NewMemory())
		defer c.end()
		other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		weak, err := rsa.GenerateKey(rand.Reader, 1024)
		if err != nil {
			t.Fatal(err)
		}
		c.publish("weak", lti.Public(&weak.PublicKey))
		encoding := lti.Public(&weak.PublicKey)
		c.publish("encrypts", lti.JWK{Type: "RSA", ID: "encrypts", Use: "enc", N: encoding.N, E: encoding.E})
		set := func(name string, value any) func(jwt.MapClaims) string {
			return func(m jwt.MapClaims) string {
				if m[name] = value; value == nil {
					delete(m, name)
				}
				return c.sign(m)
			}
		}
		at := func(name string, d time.Duration) func(jwt.MapClaims) string {
			return func(m jwt.MapClaims) string { m[name] = time.Now().Add(d).Unix(); return c.sign(m) }
		}
		with := func(method jwt.SigningMethod, kid string, key any) func(jwt.MapClaims) string {
			return func(m jwt.MapClaims) string { return c.signWith(method, kid, key, m) }
		}
		for name, one := range map[string]struct {
			token func(jwt.MapClaims) string
			said  string // in the log
		}{
			"nothing":               {func(jwt.MapClaims) string { return "" }, "malformed"},
			"another key":           {with(jwt.SigningMethodES256, "one", other), "signature is invalid"},
			"an unknown key":        {with(jwt.SigningMethodES256, "two", other), "no such public key"},
			"no key":                {with(jwt.SigningMethodES256, "", c.signing), "no kid"},
			"none":                  {with(jwt.SigningMethodNone, "one", jwt.UnsafeAllowNoneSignatureType), "signing method none"},
			"a secret":              {with(jwt.SigningMethodHS256, "one", []byte("secret")), "signing method HS256"},
			"an algorithm of RSA":   {with(jwt.SigningMethodPS256, "weak", weak), "signing method PS256"},
			"a short key":           {with(jwt.SigningMethodRS256, "weak", weak), "no such public key"},
			"a key for encryption":  {with(jwt.SigningMethodRS256, "encrypts", weak), "no such public key"},
			"a key of another kind": {with(jwt.SigningMethodRS256, "one", weak), "another algorithm"},
			"another issuer":        {set("iss", "https://canvas.example"), "issuer"},
			"another audience":      {set("aud", "other"), "audience"},
			"two audiences":         {set("aud", []string{"tool", "other"}), "not for this tool alone"},
			"another party":         {set("azp", "other"), "not for this tool alone"},
			"expired":               {at("exp", -61*time.Second), "expired"},
			"without end":           {set("exp", nil), "exp claim is required"},
			"from the future":       {at("iat", 2*time.Minute), "before issued"},
			"not yet valid":         {at("nbf", 2*time.Minute), "not valid yet"},
			"old":                   {at("iat", -7*time.Minute), "too old"},
			"without age":           {set("iat", nil), "too old"},
			"another nonce":         {set("nonce", "x"), "does not match the launch"},
			"without a nonce":       {set("nonce", nil), "does not match the launch"},
			"another deployment":    {set(claim+"deployment_id", "8"), "another deployment"},
			"a deep link":           {set(claim+"message_type", "LtiDeepLinkingRequest"), "another kind of message"},
			"another version":       {set(claim+"version", "1.1"), "another version"},
			"nobody":                {set("sub", nil), "sub is missing"},
			"a long subject":        {set("sub", strings.Repeat("x", 256)), "longer than 255"},
			"another assignment":    {set(claim+"custom", map[string]string{"assignment": "abcdefghjkmn"}), "does not have"},
		} {
			time.Sleep(2 * time.Minute) // the keys may be read again, and the log warns again
			_ = c.said.String()
			eve := c.person()
			q := eve.login(c.id)
			if to := eve.post(c.id, one.token(c.claims("eve", q.Get("nonce"))), q.Get("state")); to != "/class?lti=refused" {
				t.Errorf("%s: to %q, want it refused", name, to)
			}
			if said := c.said.String(); !strings.Contains(said, one.said) {
				t.Errorf("%s: %q, want %q", name, said, one.said)
			}
			eve.do("GET", c.path(""), "", 404)
		}
		if v := c.teacher.do("GET", c.path("/platforms"), "", 200); v["trouble"] == "" {
			t.Error("the teacher does not see why")
		}
		if n := len(c.teacher.do("GET", c.path(""), "", 200)["students"].([]any)); n != 0 {
			t.Errorf("%d students got in", n)
		}
		strong, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			t.Fatal(err)
		}
		key := lti.Public(&strong.PublicKey)
		c.publish(key.ID, key)
		c.signing, c.kid = strong, key.ID
		time.Sleep(time.Minute)
		if to := c.person().launch("ann", func(m jwt.MapClaims) { m["azp"], m["exp"] = "tool", time.Now().Add(-59*time.Second).Unix() }); !strings.HasPrefix(to, "/class/") {
			t.Errorf("a right token leads to %q: %s", to, c.said)
		}
	})
}

// TestStates checks that a launch works once, soon, in the browser and in the class that it was begun for.
func TestStates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCourse(t, live.NewMemory())
		defer func() { c.end() }()
		ann := c.person()
		q := ann.login(c.id)
		token, state := c.sign(c.claims("ann", q.Get("nonce"))), q.Get("state")
		at, _ := url.Parse(here + "/lti/")
		cookies := ann.jar.Cookies(at)
		if to := ann.post(c.id, token, state); !strings.HasPrefix(to, "/class/"+c.id) {
			t.Fatalf("the launch leads to %q: %s", to, c.said)
		}
		if to := ann.post(c.id, token, state); to != "/class?lti=cookie" {
			t.Errorf("the launch again leads to %q", to)
		}
		ann.jar.SetCookies(at, cookies)
		if to := ann.post(c.id, token, state); to != "/class?lti=again" {
			t.Errorf("the launch again, with the cookie, leads to %q", to)
		}

		eve := c.person()
		mine := eve.login(c.id)
		theirs := c.person().login(c.id)
		if to := eve.post(c.id, c.sign(c.claims("ann", theirs.Get("nonce"))), theirs.Get("state")); to != "/class?lti=again" {
			t.Errorf("the launch of another browser leads to %q", to)
		}
		made := strings.Replace(mine.Get("state"), ".", ".9", 1)
		eve.jar.SetCookies(at, []*http.Cookie{{Name: "quintet_lti", Value: made, Path: "/lti/"}})
		if to := eve.post(c.id, c.sign(c.claims("ann", mine.Get("nonce"))), made); to != "/class?lti=again" {
			t.Errorf("a state that we did not make leads to %q", to)
		}

		// Another class, whose teacher has registered the same platform.
		second := c.class()
		c.register(second)
		q = eve.login(c.id)
		if to := eve.post(second, c.sign(c.claims("ann", q.Get("nonce"))), q.Get("state")); to != "/class?lti=again" {
			t.Errorf("the launch of another class leads to %q", to)
		}
		q = eve.login(c.id)
		other := c.person().login(second)
		if to := eve.post(c.id, c.sign(c.claims("ann", other.Get("nonce"))), q.Get("state")); to != "/class?lti=refused" {
			t.Errorf("the token of another class leads to %q", to)
		}
		eve.do("GET", "/api/classes/"+second, "", 404)
		eve.do("GET", c.path(""), "", 404)

		q = eve.login(c.id)
		cookies = eve.jar.Cookies(at)
		time.Sleep(5*time.Minute + time.Second)
		eve.jar.SetCookies(at, cookies)
		if to := eve.post(c.id, c.sign(c.claims("eve", q.Get("nonce"))), q.Get("state")); to != "/class?lti=again" {
			t.Errorf("an old launch leads to %q", to)
		}
		q = eve.login(c.id)
		time.Sleep(time.Second)
		c.end()
		c.begin()
		if to := eve.post(c.id, c.sign(c.claims("eve", q.Get("nonce"))), q.Get("state")); to != "/class?lti=again" {
			t.Errorf("a launch from before the restart leads to %q", to)
		}
		for name, query := range map[string]url.Values{"issuer": {"iss": {"https://x.example"}}, "client": {"iss": {moodle}, "client_id": {"x"}}, "deployment": {"iss": {moodle}, "lti_deployment_id": {"8"}}} {
			if a := eve.send("POST", "/lti/"+c.id+"/login", "application/x-www-form-urlencoded", query.Encode(), "Sec-Fetch-Site", "cross-site"); a.Code != 303 || a.Header().Get("Location") != "/class?lti=refused" {
				t.Errorf("another %s: %d %v", name, a.Code, a.Header())
			}
		}
		q = eve.login(c.id)
		if a := eve.send("POST", "/lti/"+c.id+"/launch", "application/x-www-form-urlencoded", "state="+q.Get("state")+"&id_token="+strings.Repeat("x", 70_000), "Sec-Fetch-Site", "cross-site"); a.Header().Get("Location") != "/class?lti=refused" {
			t.Errorf("a large launch: %d %v", a.Code, a.Header())
		}
	})
}

// TestStrangers checks that the teacher sees no trouble that everybody can cause.
func TestStrangers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCourse(t, live.NewMemory())
		defer c.end()
		trouble := func() string {
			return fmt.Sprint(c.teacher.do("GET", c.path("/platforms"), "", 200)["trouble"])
		}
		eve := c.person()
		eve.send("GET", "/lti/"+c.id+"/login?iss=https://x.example", "", "")
		for _, form := range []url.Values{{"error": {"call me"}}, {"id_token": {"x"}}, {"id_token": {c.signWith(jwt.SigningMethodHS256, "one", []byte("x"), c.claims("eve", ""))}}} {
			form.Set("state", eve.login(c.id).Get("state"))
			if a := eve.send("POST", "/lti/"+c.id+"/launch", "application/x-www-form-urlencoded", form.Encode()); a.Header().Get("Location") != "/class?lti=refused" {
				t.Errorf("%v: %d %v", form, a.Code, a.Header())
			}
		}
		c.kid = "two"
		if to := eve.launch("eve", nil); to != "/class?lti=refused" {
			t.Errorf("an unknown key leads to %q", to)
		}
		if got := trouble(); got != "" {
			t.Errorf("the teacher sees %q", got)
		}
		c.kid = "one"
		eve.launch("eve", func(m jwt.MapClaims) { m["nonce"] = "x" })
		if got := trouble(); !strings.Contains(got, "does not match the launch") {
			t.Errorf("the teacher sees %q, want that the nonce is another one", got)
		}
	})
}

// racing is a log in which something happens before a platform is written.
type racing struct {
	live.Log
	before func()
}

func (l *racing) PutRecord(ctx context.Context, key string, after uint64, data []byte) (uint64, error) {
	if f := l.before; f != nil && bytes.Contains(data, []byte("second")) {
		l.before = nil
		f()
	}
	return l.Log.PutRecord(ctx, key, after, data)
}

// TestPlatformsAtOnce adds two platforms at once: the class keeps the first key.
func TestPlatformsAtOnce(t *testing.T) {
	l := &racing{Log: live.NewMemory()}
	c := newCourse(t, l)
	defer c.end()
	c.id = c.class()
	add := func(client string) {
		c.teacher.do("POST", c.path("/platforms"), fmt.Sprintf(`{"issuer":%q,"client":%q,"deployment":"7","auth":"%s/auth","token":"%s/token","keys":"%s/keys"}`, moodle, client, moodle, moodle, moodle), 200)
	}
	first := ""
	l.before = func() {
		add("first")
		first = c.keysOf("")[0].ID
	}
	add("second")
	if got := c.keysOf("")[0].ID; first == "" || got != first {
		t.Errorf("the key is %q, want the first one, %q", got, first)
	}
}

// TestPlatformKeys rotates the keys of a platform: a new one counts at once, but is looked for at most once a minute, and a withdrawn
// one counts for an hour at most.
func TestPlatformKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCourse(t, live.NewMemory())
		defer c.end()
		launch := func(want string) {
			t.Helper()
			if to := c.person().launch("ann", nil); !strings.HasPrefix(to, want) {
				t.Errorf("the launch leads to %q, want %q: %s", to, want, c.said)
			}
		}
		launch("/class/")
		old, kid := c.signing, c.kid
		c.rotate("two")
		launch("/class?lti=platform") // it was read less than a minute ago
		time.Sleep(time.Minute)
		launch("/class/")
		for range 20 {
			c.kid = "unknown"
			launch("/class?lti=platform")
		}
		if c.reads != 2 {
			t.Errorf("the keys were read %d times, want 2", c.reads)
		}
		c.publish(kid, nil)
		c.signing, c.kid = old, kid
		time.Sleep(59 * time.Minute)
		launch("/class/")
		time.Sleep(time.Minute)
		launch("/class?lti=refused")
	})
}

// TestPlatformAddresses checks which platforms a class can have, and that the server connects to none in its own network.
func TestPlatformAddresses(t *testing.T) {
	c := newCourse(t, live.NewMemory())
	defer func() { c.end() }()
	ann := c.person()
	ann.launch("ann", nil)
	set := func(p *person, field, value string, status int) {
		t.Helper()
		list := map[string]string{"issuer": moodle, "client": "tool", "deployment": "7", "auth": moodle + "/auth?x=1", "token": moodle + "/token", "keys": moodle + "/keys"}
		list[field] = value
		p.do("POST", c.path("/platforms"), string(mustJSON(t, list)), status)
	}
	for _, bad := range []string{"http://moodle.example/", "https://", "https:/x", "https://u:p@moodle.example/", "https://moodle.example/#x", "ftp://moodle.example/", "", "https://moodle.example/" + strings.Repeat("x", 500)} {
		for _, field := range []string{"auth", "token", "keys"} {
			set(c.teacher, field, bad, 400)
		}
	}
	for _, field := range []string{"issuer", "client", "deployment"} {
		set(c.teacher, field, "", 400)
		set(c.teacher, field, strings.Repeat("x", 501), 400)
	}
	set(ann, "client", "tool", 404)
	ann.do("GET", c.path("/platforms"), "", 404)
	for i := range 3 {
		set(c.teacher, "client", fmt.Sprint("tool", i), 200)
	}
	set(c.teacher, "client", "tool5", 409)

	c.end()
	c.client = nil
	c.begin()
	set(c.teacher, "keys", "https://127.0.0.1:1/keys", 200)
	to := ann.launch("ann", nil)
	if why := c.teacher.do("GET", c.path("/platforms"), "", 200)["trouble"]; to != "/class?lti=platform" || !strings.Contains(fmt.Sprint(why), "127.0.0.1:1 is not public") {
		t.Errorf("with keys in the own network, the launch leads to %q because %q", to, why)
	}
}

// TestForeignKeys checks that a class cannot send marks to the platform of another one: each has a key of its own.
func TestForeignKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCourse(t, live.NewMemory())
		defer c.end()
		first := c.keysOf
		mine, ours := c.id, c.keysOf("tool")
		c.id = c.class()
		c.register(c.id)
		theirs := first("tool") // of the other class
		c.keysOf = func(string) []lti.JWK { return ours }
		if ours[0].N == theirs[0].N || ours[0].ID == theirs[0].ID {
			t.Error("two classes have the same key")
		}
		c.to = c.teacher.do("POST", c.path("/assignments"), `{"title":"x","game":"loa"}`, 200)["id"].(string)
		eve := c.person()
		eve.launch("ann", nil) // the teacher of this class could have given other public keys of the platform
		eve.handIn("right")
		c.want("ann", "", "")
		if why := c.teacher.do("GET", c.path("/platforms"), "", 200)["trouble"]; !strings.Contains(fmt.Sprint(why), "access token") {
			t.Errorf("the trouble of the class after %s is %q", mine, why)
		}
	})
}
