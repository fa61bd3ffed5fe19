package serve_test

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"quintet/lab/await"
	"quintet/live"
	"quintet/serve"
	"quintet/serve/lti"
)

// course is a class, its teacher, and the platform from which its students come.
type course struct {
	*platform
	t       *testing.T
	server  *serve.Server
	client  *http.Client // of the server; nil for its own
	log     live.Log
	judge   *stub
	said    *logged // the server's log
	teacher *person
	id, to  string
}

// logged is a log in memory.
type logged struct {
	mu   sync.Mutex // guards text
	text strings.Builder
}

func (l *logged) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(data)
}

// String returns what was logged since the last call.
func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.text.Reset()
	return l.text.String()
}

// person is a browser.
type person struct {
	*course
	jar http.CookieJar
}

const here = "https://quintet.example"

// newCourse makes a class with an assignment and a platform.
func newCourse(t *testing.T, l live.Log) *course {
	t.Helper()
	c := &course{platform: newPlatform(t), t: t, log: l, judge: &stub{}, said: &logged{}}
	c.client = &http.Client{Transport: c.platform}
	c.begin()
	c.teacher = c.person()
	c.teacher.do("POST", "/api/accounts", `{"name":"Teach",`+password+`}`, 201)
	c.id = c.class()
	c.to = c.teacher.do("POST", c.path("/assignments"), `{"title":"Lines of Action","game":"loa"}`, 200)["id"].(string)
	c.register(c.id)
	return c
}

// begin starts a server on the log.
func (c *course) begin() {
	c.t.Helper()
	s, err := serve.New(c.t.Context(), c.log, serve.Config{
		Hold: -1, Judge: c.judge, AnyTeacher: true, PlatformClient: c.client, Log: slog.New(slog.NewTextHandler(c.said, nil)),
	}.SharePages())
	if err != nil {
		c.t.Fatal(err)
	}
	c.keysOf = func(string) []lti.JWK {
		var d struct{ Keys []lti.JWK }
		a := httptest.NewRecorder()
		s.Handler().ServeHTTP(a, httptest.NewRequestWithContext(context.Background(), http.MethodGet, here+"/lti/"+c.id+"/keys", nil))
		if err := json.Unmarshal(a.Body.Bytes(), &d); err != nil {
			c.t.Error(err)
		}
		return d.Keys
	}
	s.Start(context.Background()) // which may send marks at once
	c.server = s
}

// end stops the server.
func (c *course) end() {
	c.t.Helper()
	if err := c.server.Close(); err != nil {
		c.t.Error(err)
	}
}

func (c *course) path(rest string) string { return "/api/classes/" + c.id + rest }

// class makes a class.
func (c *course) class() string {
	c.t.Helper()
	return c.teacher.do("POST", "/api/classes", `{"title":"Algorithms"}`, 201)["id"].(string)
}

// register registers the platform with a class.
func (c *course) register(id string) {
	c.t.Helper()
	c.teacher.do("POST", "/api/classes/"+id+"/platforms", fmt.Sprintf(`{"issuer":%q,"client":"tool","deployment":"7","auth":"%s/auth?x=1","token":"%s/token","keys":"%s/keys"}`, moodle, moodle, moodle, moodle), 200)
}

func (c *course) person() *person {
	jar, err := cookiejar.New(nil)
	if err != nil {
		c.t.Fatal(err)
	}
	return &person{c, jar}
}

// send sends a request with the cookies that a browser sends with it.
func (p *person) send(method, path, kind, body string, headers ...string) *httptest.ResponseRecorder {
	p.t.Helper()
	r := httptest.NewRequestWithContext(p.t.Context(), method, here+path, strings.NewReader(body))
	r.Header.Set("Content-Type", kind)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	for _, c := range p.jar.Cookies(r.URL) {
		r.AddCookie(c)
	}
	a := httptest.NewRecorder()
	p.server.Handler().ServeHTTP(a, r)
	p.jar.SetCookies(r.URL, a.Result().Cookies())
	return a
}

func (p *person) do(method, path, body string, status int) map[string]any {
	p.t.Helper()
	a, v := p.send(method, path, "application/json", body), map[string]any{}
	if err := json.Unmarshal(a.Body.Bytes(), &v); err != nil || a.Code != status {
		p.t.Fatalf("%s %s: %d %s, want %d", method, path, a.Code, a.Body, status)
	}
	described(p.t, method, path, a.Code, a.Body.Bytes())
	return v
}

// login begins a launch in a class, and returns what the platform is asked for.
func (p *person) login(id string) url.Values {
	p.t.Helper()
	a := p.send("GET", "/lti/"+id+"/login?"+url.Values{"iss": {moodle}, "login_hint": {"h"}, "lti_message_hint": {"m"}, "target_link_uri": {here}, "client_id": {"tool"}, "lti_deployment_id": {"7"}}.Encode(), "", "")
	to, err := url.Parse(a.Header().Get("Location"))
	if err != nil || a.Code != 303 || to.Host != "moodle.example" || to.Path != "/auth" {
		p.t.Fatalf("the login: %d %s, %v", a.Code, a.Header(), err)
	}
	q := to.Query()
	for name, want := range map[string]string{"x": "1", "scope": "openid", "response_type": "id_token", "response_mode": "form_post", "prompt": "none", "client_id": "tool", "redirect_uri": here + "/lti/" + id + "/launch", "login_hint": "h", "lti_message_hint": "m"} {
		if q.Get(name) != want {
			p.t.Errorf("the platform is asked for %s %q, want %q", name, q.Get(name), want)
		}
	}
	return q
}

// claims returns the claims of a launch by a student.
func (c *course) claims(sub, nonce string) jwt.MapClaims {
	return jwt.MapClaims{
		"iss": moodle, "aud": "tool", "sub": sub, "nonce": nonce, "iat": time.Now().Unix(), "exp": time.Now().Add(time.Minute).Unix(), "name": "Name of " + sub,
		claim + "message_type": "LtiResourceLinkRequest", claim + "version": "1.3.0", claim + "deployment_id": "7", claim + "target_link_uri": here,
		claim + "roles": []string{"http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"}, claim + "custom": map[string]string{"assignment": c.to},
		endpoint: map[string]any{"scope": []string{scope}, "lineitem": moodle + "/line/5?type=3"},
	}
}

// sign signs a token with the key of the platform.
func (c *course) sign(claims jwt.MapClaims) string {
	c.t.Helper()
	method := jwt.SigningMethod(jwt.SigningMethodES256)
	if _, ok := c.signing.(*rsa.PrivateKey); ok {
		method = jwt.SigningMethodRS256
	}
	return c.signWith(method, c.kid, c.signing, claims)
}

func (c *course) signWith(m jwt.SigningMethod, kid string, key any, claims jwt.MapClaims) string {
	c.t.Helper()
	token := jwt.NewWithClaims(m, claims)
	if token.Header["kid"] = kid; kid == "" {
		delete(token.Header, "kid")
	}
	text, err := token.SignedString(key)
	if err != nil {
		c.t.Fatal(err)
	}
	return text
}

// post posts a token as the platform's page does, lets the page of classes sign the student in, and returns where the
// browser is then.
func (p *person) post(id, token, state string) string {
	p.t.Helper()
	to := p.posted(id, token, state)
	if to != "/class?enter="+id {
		return to
	}
	v := p.do("GET", "/lti/"+id+"/enter", "", 200)
	return p.do("POST", "/lti/"+id+"/enter", fmt.Sprintf(`{"student":%q,"you":%q}`, v["student"], v["you"]), 200)["url"].(string)
}

// posted posts a token as the platform's page does, and returns where the browser is sent.
func (p *person) posted(id, token, state string) string {
	p.t.Helper()
	a := p.send("POST", "/lti/"+id+"/launch", "application/x-www-form-urlencoded", url.Values{"id_token": {token}, "state": {state}}.Encode(), "Origin", moodle, "Sec-Fetch-Site", "cross-site")
	if a.Code != 303 {
		p.t.Fatalf("the launch: %d %s", a.Code, a.Body)
	}
	return a.Header().Get("Location")
}

// launch launches the class, with claims that a function may change.
func (p *person) launch(sub string, change func(jwt.MapClaims)) string {
	p.t.Helper()
	q := p.login(p.id)
	c := p.claims(sub, q.Get("nonce"))
	if change != nil {
		change(c)
	}
	return p.post(p.id, p.sign(c), q.Get("state"))
}

// handIn hands in a program, and waits until the verdict is there and all marks were sent that can be.
func (p *person) handIn(word string) string {
	p.t.Helper()
	id := p.do("POST", p.path("/submissions"), fmt.Sprintf(`{"assignment":%q,"files":[{"name":"a.cpp","text":"// %s"}]}`, p.to, word), 201)["id"].(string)
	synctest.Wait()
	return id
}

// want checks what was posted to the platform since the last call, and what it has for the student at line item 5.
func (c *course) want(sub, posted, has string) {
	c.t.Helper()
	synctest.Wait()
	if scores, got := c.grades(); got != posted || scores["5 "+sub] != has {
		c.t.Errorf("posted: %q, want %q; the platform has %q, want %q", got, posted, scores["5 "+sub], has)
	}
}

// TestLTI leads a student from a course to a mark there.
func TestLTI(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCourse(t, live.NewMemory())
		defer func() { c.end() }()
		ann := c.person()
		if to := ann.launch("ann", nil); to != "/class/"+c.id+"#"+c.to {
			t.Fatalf("the launch leads to %q\n%s", to, c.said)
		}
		if you := ann.do("GET", c.path(""), "", 200)["you"]; you != "Name of ann" {
			t.Errorf("signed in as %v", you)
		}
		c.want("ann", "", "")
		ann.handIn("wrong")
		c.want("ann", "5 ann 40/100", "40/100")
		ann.handIn("wrong") // in the same second; the mark is the same
		n := ann.handIn("right")
		c.want("ann", "5 ann 100/100", "100/100")
		c.teacher.do("POST", c.path("/submissions/"+n+"/mark"), `{"mark":55.5,"reason":"why"}`, 200)
		c.want("ann", "5 ann 55.5/100", "55.5/100")

		// The same student on another device, without a name, and from another link to the assignment.
		again := c.person()
		again.launch("ann", func(c jwt.MapClaims) {
			delete(c, "name")
			delete(c, claim+"custom")
			c[claim+"target_link_uri"] = here + "/?assignment=" + ann.to
			c[endpoint].(map[string]any)["lineitem"] = moodle + "/line/6?type=3"
		})
		if you := again.do("GET", c.path(""), "", 200)["you"]; you != "Name of ann" {
			t.Errorf("signed in as %v", you)
		}
		c.want("ann", "6 ann 55.5/100", "55.5/100")

		// Without a name, without a place for marks, and a teacher.
		bob := c.person()
		bob.launch("bob", func(c jwt.MapClaims) { c["name"], c[endpoint].(map[string]any)["scope"] = "", []string{} })
		bob.handIn("right")
		c.want("bob", "", "")
		if you := bob.do("GET", c.path(""), "", 200)["you"]; you == "" || you == "Name of bob" {
			t.Errorf("signed in as %q", you)
		}
		teacher := c.person()
		if to := teacher.launch("boss", func(c jwt.MapClaims) {
			c[claim+"roles"] = []string{"http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"}
		}); to != "/class/"+c.id {
			t.Errorf("a teacher is led to %q", to)
		}
		teacher.do("GET", c.path(""), "", 404)
		if n := len(c.teacher.do("GET", c.path(""), "", 200)["students"].([]any)); n != 2 {
			t.Errorf("the class has %d students, want 2", n)
		}

		// Without the platform, its students cannot come; with it, they are the same.
		id := c.teacher.do("GET", c.path("/platforms"), "", 200)["platforms"].([]any)[0].(map[string]any)["id"].(string)
		c.teacher.do("DELETE", c.path("/platforms/"+id), "", 200)
		if a := ann.send("GET", "/lti/"+c.id+"/login?iss="+moodle, "", ""); a.Header().Get("Location") != "/class?lti=refused" {
			t.Errorf("after removal: %d %v", a.Code, a.Header())
		}
		c.register(c.id)
		ann.launch("ann", nil)
		if n := len(c.teacher.do("GET", c.path(""), "", 200)["students"].([]any)); n != 2 {
			t.Errorf("the class has %d students after the platform came back, want 2", n)
		}
	})
}

// TestLTIErase erases a class: the log keeps nothing that identifies its students on the platform.
func TestLTIErase(t *testing.T) {
	c := newCourse(t, live.NewMemory())
	defer c.end()
	c.person().launch("ann", nil)
	left := func() (text string) {
		list, err := live.ReadRecords(t.Context(), c.log)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			text += string(r.Data)
		}
		return text
	}
	has := func() bool {
		text := left()
		return strings.Contains(text, "Name of") || strings.Contains(text, `"subject"`) || strings.Contains(text, "moodle.example")
	}
	if !has() {
		t.Error("the records have no student")
	}
	c.teacher.do("DELETE", c.path(""), "", 200)
	if !await.Holds(func() bool { return !has() }) {
		t.Errorf("the erased class leaves %s", left())
	}
}
