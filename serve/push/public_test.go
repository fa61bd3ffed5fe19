package push_test

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"testing"

	"quintet/lab/await"
	"quintet/serve/push"
)

// TestPublic checks which addresses the client connects to.
func TestPublic(t *testing.T) {
	for text, want := range map[string]bool{
		"8.8.8.8": true, "2606:4700::1111": true, "127.0.0.1": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false, "100.64.0.1": false, "0.0.0.0": false,
		"224.0.0.1": false, "255.255.255.255": false, "::1": false, "::": false, "fe80::1": false, "fd00::1": false, "ff02::1": false, "::ffff:127.0.0.1": false, "::ffff:8.8.8.8": true,
		"64:ff9b::7f00:1": false, "2002:7f00:1::": false, "2001:0:1::": false, "::127.0.0.1": false, "198.18.0.1": false, "240.0.0.1": false, "fec0::1": false,
	} {
		if got := push.Public(netip.MustParseAddr(text)); got != want {
			t.Errorf("Public(%s) = %t", text, got)
		}
	}
}

// service is a push service that counts connections.
func service(t *testing.T, h http.HandlerFunc) (s *httptest.Server, connections *atomic.Int64) {
	t.Helper()
	connections = &atomic.Int64{}
	s = httptest.NewUnstartedServer(h)
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s, connections
}

// TestInward checks that the client connects neither to this machine, by number or name, nor to where a service redirects.
func TestInward(t *testing.T) {
	s, connections := service(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusCreated) })
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433"} {
		if status, err := post(t, push.PublicClient(), "https://"+host+":"+port); err == nil {
			t.Errorf("%s answers %d", host, status)
		}
	}
	outside, _ := service(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, s.URL, http.StatusTemporaryRedirect) })
	status, err := post(t, reach(outside), outside.URL)
	if err != nil || status != http.StatusTemporaryRedirect || connections.Load() != 0 {
		t.Errorf("the redirect came to %d, %v; %d connections inward", status, err, connections.Load())
	}
}

// post sends an empty request and returns the status of the answer.
func post(t *testing.T, c *http.Client, to string) (status int, err error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, to, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := c.Do(r)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}

// reach returns a client that may connect to a test's service.
func reach(s *httptest.Server) *http.Client {
	c := push.PublicClient()
	transport := c.Transport.(*http.Transport)
	transport.DialContext = (&net.Dialer{}).DialContext
	transport.TLSClientConfig = &tls.Config{RootCAs: s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	return c
}

// TestHang checks that a push service that hangs delays nobody else, and that the server stops all the same.
func TestHang(t *testing.T) {
	came := make(chan string, 100)
	s, _ := service(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // then the server notices that the client has left
		if came <- r.URL.Path; r.URL.Path != "/ben" {
			<-r.Context().Done()
		}
	})
	w := newWorld(t, 1, reach(s))
	defer w.close()
	ann, ben := w.player("Ann"), w.player("Ben")
	for _, end := range []string{"1", "2", "3", "4", "5"} {
		ann.subscribe(s.URL+"/"+end, "en")
	}
	ben.subscribe(s.URL+"/ben", "en")
	for range 5 {
		ben.do(0, "POST", "/api/challenges", `{"to":"Ann","game":"loa"}`, 201)
	}
	hang := map[string]bool{}
	for range 5 {
		hang[await.Receive(t, "a message to Ann", came)] = true
	}
	ann.do(0, "POST", "/api/challenges", `{"to":"Ben","game":"loa"}`, 201)
	if path := await.Receive(t, "Ben's message", came); path != "/ben" || len(hang) != 5 {
		t.Errorf("%s came after %v, want /ben after one to each browser of Ann", path, hang)
	}
}
