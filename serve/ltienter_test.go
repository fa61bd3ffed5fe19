package serve_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
)

// entry says as whom the launch of a student would sign a browser in, and who would be signed out.
func (p *person) entry(sub string) string {
	p.t.Helper()
	q := p.login(p.id)
	if to := p.posted(p.id, p.sign(p.claims(sub, q.Get("nonce"))), q.Get("state")); to != "/class?enter="+p.id {
		p.t.Fatalf("the launch leads to %q", to)
	}
	v := p.do("GET", "/lti/"+p.id+"/enter", "", 200)
	return fmt.Sprintf("%s in %s, not %s", v["student"], v["class"], v["you"])
}

// TestLTISwitch checks that no launch signs a browser in as somebody else: the page asks first, and then does so.
func TestLTISwitch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCourse(t, live.NewMemory())
		defer c.end()
		victim := c.person()
		victim.do("POST", "/api/accounts", `{"name":"Victim",`+password+`}`, 201)
		if got := victim.entry("eve"); got != "Name of eve in Algorithms, not Victim" {
			t.Errorf("the page asks: %s", got)
		}
		if you := victim.do("GET", "/api/account", "", 200)["name"]; you != "Victim" {
			t.Errorf("before the answer, the browser is signed in as %v", you)
		}
		victim.do("POST", "/lti/"+c.class()+"/enter", "", 404)
		path := "/lti/" + c.id + "/enter"
		const agreed = `{"student":"Name of eve","you":"Victim"}`
		if a := victim.send("POST", path, "", "", "Origin", moodle, "Sec-Fetch-Site", "cross-site"); a.Code != 403 {
			t.Errorf("a page of the platform signs in: %d", a.Code)
		}
		at := &url.URL{Scheme: "https", Host: "quintet.example", Path: path}
		ticket := func() string {
			for _, k := range victim.jar.Cookies(at) {
				if k.Name == "quintet_ticket" {
					return k.Value
				}
			}
			t.Fatal("there is no ticket")
			return ""
		}
		refuse := func(ticket string) {
			t.Helper()
			eve := c.person()
			eve.jar.SetCookies(at, []*http.Cookie{{Name: "quintet_ticket", Value: ticket, Path: path}})
			eve.do("GET", path, "", 404)
			eve.do("POST", path, "", 404)
		}
		refuse("")
		refuse("a.b.c")
		refuse(strings.Replace(ticket(), ".", "x.", 1))
		for _, other := range []string{"", `{"student":"Name of eve","you":""}`, `{"student":"Name of ann","you":"Victim"}`} {
			victim.do("POST", path, other, 409) // not what the page has asked
		}
		victim.do("DELETE", path, "", 200)
		victim.do("POST", path, agreed, 404)
		victim.entry("eve")
		victim.do("POST", path, agreed, 200)
		victim.do("POST", path, agreed, 404)
		if got := victim.do("GET", c.path(""), "", 200)["you"]; got != "Name of eve" {
			t.Errorf("signed in as %v", got)
		}
		for sub, want := range map[string]string{"eve": "", "ann": "Name of eve"} {
			if got := victim.entry(sub); got != "Name of "+sub+" in Algorithms, not "+want {
				t.Errorf("the student's page asks: %s", got)
			}
		}
		if got := c.person().entry("ann"); got != "Name of ann in Algorithms, not " {
			t.Errorf("a guest is asked: %s", got)
		}
		old := ticket()
		time.Sleep(5*time.Minute + time.Second)
		refuse(old)
	})
}
