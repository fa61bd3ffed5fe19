package natsrpc

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"quintet/farm"
	"quintet/lab/await"
)

// site is a server with keys, and requests that a handler answers.
type site struct {
	t    *testing.T
	keys *Keys
	addr string
	own  *nats.Conn
	live int // workers for live games
}

func newSite(t *testing.T) *site {
	t.Helper()
	dir := t.TempDir()
	keys, err := OpenKeys(filepath.Join(dir, "keys"))
	if err != nil {
		t.Fatal(err)
	}
	server, err := Listen("127.0.0.1:0", filepath.Join(dir, "log"), keys, TLS{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	own, err := server.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(own.Close)
	return &site{t: t, keys: keys, addr: server.Addr().String(), own: own}
}

// dial connects with a key of a role.
func (s *site) dial(role Role) *Conn {
	s.t.Helper()
	path := s.keys.Path(string(role))
	if role == RoleLive {
		var err error
		s.live++
		if path, err = s.keys.Create(fmt.Sprint(role, s.live), role); err != nil {
			s.t.Fatal(err)
		}
	}
	c, err := Dial(role, s.addr, path, "")
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(c.Close)
	return c
}

// counting is a handler that counts requests and answers when it is released.
type counting struct {
	calls   atomic.Int32
	release chan struct{}
}

func (c *counting) Worker(ctx context.Context, _, _ string, _ []byte) ([]byte, error) {
	c.calls.Add(1)
	select {
	case <-c.release:
	case <-ctx.Done():
	}
	return []byte("{}"), nil
}

func (c *counting) Client(ctx context.Context, verb string, body []byte) ([]byte, error) {
	return c.Worker(ctx, "", verb, body)
}

// serve answers requests until the test ends. The handler answers them when it is released.
func (s *site) serve() (*counting, *Requests) {
	s.t.Helper()
	h := &counting{release: make(chan struct{})}
	requests, err := Serve(s.own, h)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(requests.Close)
	return h, requests
}

// TestForeignReply checks that requests whose answers would go to another subject than the
// sender's inbox are ignored: the answer would be sent with the coordinator's rights.
func TestForeignReply(t *testing.T) {
	s := newSite(t)
	h, requests := s.serve()
	close(h.release)
	w := s.dial(RoleWorker)
	subject := "farm.w." + w.Key() + ".hello"
	for _, reply := range []string{"", "farm.job.x.spec", "farm.notice", inbox(w.Key()), inbox(w.Key() + "x.1"), inbox("OTHER") + ".1", "$JS.API.STREAM.DELETE.FARM_JOBS"} {
		if err := w.nats.PublishMsg(&nats.Msg{Subject: subject, Reply: reply, Data: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Ask(t.Context(), "hello", struct{}{}, nil); err != nil {
		t.Fatal(err)
	}
	requests.Close() // it waits for requests that were accepted
	if n := h.calls.Load(); n != 1 {
		t.Errorf("%d requests were answered, want 1", n)
	}
}

// TestWrongKey checks that a program with a key of another role is told so at once, and does not try
// again.
func TestWrongKey(t *testing.T) {
	s := newSite(t)
	h, _ := s.serve()
	close(h.release)
	for _, test := range []struct {
		as, key Role
		want    string
	}{
		{RoleWorker, RoleClient, "client.key is a client's key"},
		{RoleClient, RoleWorker, "worker.key is a worker's key"},
		{RoleWorker, RoleWorker, ""},
		{RoleClient, RoleClient, ""},
	} {
		c, err := Dial(test.as, s.addr, s.keys.Path(string(test.key)), "")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), answerTimeout-5*time.Second)
		err = c.Persist(ctx, "hello", struct{}{}, nil, nil)
		cancel()
		if farm.HasCode(err, farm.CodeKey) != (test.want != "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s with a key of role %s: %v, want %q", test.as, test.key, err, test.want)
		}
		c.Close()
	}
	c := s.dial(RoleLive)
	c.denied("live.key", fmt.Errorf("%w: Permissions Violation for Publish to \"_INBOX_x.1\"", nats.ErrPermissionViolation)) // an answer that comes too late
	if err := c.Ask(t.Context(), "hello", struct{}{}, nil); err != nil {
		t.Errorf("after a late answer: %v", err)
	}
}

// TestRequestLimit checks that a key that asks without end is refused, and others are not.
func TestRequestLimit(t *testing.T) {
	s := newSite(t)
	h, _ := s.serve()
	w := s.dial(RoleWorker)
	for range maxOfKey {
		if err := w.nats.PublishRequest("farm.w."+w.Key()+".take", inbox(w.Key())+".ignored", []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Ask(t.Context(), "take", struct{}{}, nil); !farm.HasCode(err, farm.CodeBusy) || !temporary(err) {
		t.Errorf("request %d: %v, want %s", maxOfKey+1, err, farm.CodeBusy)
	}
	close(h.release)
	if err := s.dial(RoleClient).Ask(t.Context(), "jobs", struct{}{}, nil); err != nil {
		t.Errorf("another key: %v", err)
	}
	if err := w.Persist(t.Context(), "take", struct{}{}, nil, nil); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// TestUnknownKey checks that the server takes nobody with a key that is not authorized, and nobody who
// names an authorized key of which another holds the seed.
func TestUnknownKey(t *testing.T) {
	s := newSite(t)
	foreign, err := OpenKeys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if c, err := Dial(RoleWorker, s.addr, foreign.Path("worker"), ""); err == nil {
		c.Close()
		t.Error("a key that is not authorized is accepted")
	}
	known, err := readKey(s.keys.Path("worker"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := readKey(foreign.Path("worker"))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := nats.Connect("nats://"+s.addr, nats.Nkey(known.public, other.pair.Sign)); err == nil {
		c.Close()
		t.Error("a key is accepted without its seed")
	}
}

// TestAddresses checks which addresses are accepted.
func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"host": "nats://host:7420", "host:1": "nats://host:1", "tls://host": "tls://host:7420", "a,nats://b:2": "nats://a:7420,nats://b:2",
		"[::1]": "nats://[::1]:7420", "": "", "a,": "", "nats://": "", "http://host": "", "nats://host/path": "", "nats://user@host": "", "nats://u:p@host": "", "ho st": "", "host:port": "",
	} {
		if got, err := normalize(address); got != want || (err == nil) != (want != "") || err != nil && strings.Contains(err.Error(), "u:p") {
			t.Errorf("%q: %q, %v, want %q", address, got, err, want)
		}
	}
}

// TestKeyFiles checks that files that are no keys are rejected with one line that does not
// show their content, and that a damaged list authorizes no key.
func TestKeyFiles(t *testing.T) {
	dir := t.TempDir()
	keys, err := OpenKeys(dir)
	if err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(keys.Path("worker"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "test.key")
	for name, text := range map[string]string{
		"nothing": "", "words": "secret words", "half a seed": string(good[:20]), "binary": "\x00\xff", "a public key": "UABC", "many lines": strings.Repeat("secret\n", 1000),
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readKey(file); err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"", ".", "../x", "a/b", "a b", strings.Repeat("a", 65), "a\n"} {
		if _, err := keys.Create(name, RoleWorker); err == nil {
			t.Errorf("a key called %q", name)
		}
	}
	if _, err := keys.Create("x", "boss"); err == nil {
		t.Error("a key of another role")
	}
	public, err := readKey(keys.Path("worker"))
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, authorizedFile)
	for text, want := range map[string]bool{
		"": false, "worker": false, public.public: false, "x " + public.public[:10]: false, "\n\n worker " + public.public + " name\n": true,
		"worker " + public.public + " " + strings.Repeat("x", maxAuthorized): false,
	} {
		if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if role, ok := keys.Role(public.public); ok != want || ok && role != RoleWorker {
			t.Errorf("%.40q: %q, %v", text, role, ok)
		}
	}
}

// TestReconnect checks that a request that waits ends when the connection is lost, and is
// sent again by Persist.
func TestReconnect(t *testing.T) {
	s := newSite(t)
	h, _ := s.serve()
	c := s.dial(RoleClient)
	var all sync.WaitGroup
	all.Go(func() {
		release := sync.OnceFunc(func() { close(h.release) })
		told := func(error) { release() } // a later try succeeds
		if err := c.Persist(t.Context(), "jobs", struct{}{}, nil, told); err != nil {
			t.Error(err)
		}
	})
	await.Until(t, "the first request", func() bool { return h.calls.Load() > 0 })
	if err := c.nats.ForceReconnect(); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	if n := h.calls.Load(); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}
