package fair

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quintet/internal/platform"
	"quintet/lab/await"
	"quintet/lab/load"
	"quintet/live"
	"quintet/serve"
)

// server starts a server in this process, and returns its URL.
func server(t *testing.T, c serve.Config) string {
	t.Helper()
	t.Setenv(platform.KeepPriority, "1") // the tests wait for engine work
	c.Hold, c.Drain, c.EngineTime = -1, -1, 10*time.Millisecond
	s, err := serve.New(t.Context(), live.NewMemory(), c)
	if err != nil {
		t.Fatal(err)
	}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var all sync.WaitGroup
	all.Go(func() { _ = s.Run(ctx, l) }) // it cuts off what the attacker has begun
	t.Cleanup(func() { stop(); all.Wait() })
	await.Until(t, "the server to be ready", func() bool {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/readyz", nil))
		return w.Code == http.StatusOK
	})
	return "http://" + l.Addr().String()
}

// run measures briefly, and returns what it reports.
func run(t *testing.T, c Config) (text string, err error) {
	t.Helper()
	c.Rounds, c.Phase, c.most = 1, 100*time.Millisecond, 2
	c.Report = func(line string) { text += line + "\n" }
	err = Run(t.Context(), c)
	return text, err
}

// TestAttacks runs each attack briefly against a server.
func TestAttacks(t *testing.T) {
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.66:0")
	if err != nil {
		t.Fatal("all addresses of 127.0.0.0/8 are needed, as Linux has them; elsewhere, add 127.0.0.66, 127.0.66.0 and 127.0.1.0 to 127.0.1.30 to the loopback interface: ", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := run(t, Config{URL: server(t, serve.Config{CreateRate: serve.Rate{Burst: 100, Second: 100}})})
	if err != nil {
		t.Error(err)
	}
	if n := strings.Count(text, "answers to the attacker: "); n != len(names()) {
		t.Errorf("%d attacks are measured, want %d", n, len(names()))
	}
	if !strings.Contains(text, "| moves |") || !strings.Contains(text, "| lists |") || strings.Contains(text, "failed:") {
		t.Errorf("nobody moves or reads lists, or an attack fails:\n%s", text)
	}
}

// TestRefused checks that a measurement fails if others are refused.
func TestRefused(t *testing.T) {
	_, err := run(t, Config{URL: server(t, serve.Config{RequestRate: serve.Rate{Burst: 1, Second: 1}}), Attacks: []string{"unwatched"}})
	if err == nil || !strings.Contains(err.Error(), "unwatched: others were refused") || !strings.Contains(err.Error(), "429") {
		t.Errorf("%v, want what others were refused", err)
	}
}

// TestRunRefuses lists invalid measurements.
func TestRunRefuses(t *testing.T) {
	for _, c := range []Config{{Phase: 1}, {Rounds: 1}, {Rounds: 1, Phase: 1, Attacks: []string{"nothing"}}} {
		c.Report = func(string) {}
		if err := Run(t.Context(), c); err == nil {
			t.Errorf("%+v is not refused", c)
		}
	}
}

func TestRow(t *testing.T) {
	spreads := func(p99 ...time.Duration) (list []load.Spread) {
		for _, d := range p99 {
			list = append(list, load.Spread{N: 10, P50: time.Millisecond, P99: d * time.Millisecond})
		}
		return list
	}
	got := row("a", "b", [2][]load.Spread{spreads(1, 2, 9), spreads(3, 3, 90)})
	if want := "| a | b | 30, 1.0 / 2.0 ms | 30, 1.0 / 3.0 ms | 1.50 |"; got != want {
		t.Errorf("the row is %q, want %q", got, want)
	}
}

// TestRandomLine checks that a line begins as it should and is playable.
func TestRandomLine(t *testing.T) {
	begin := reviewed()
	got := randomLine("chess", nil, begin, 10, 5)
	if len(begin) != 7 || len(got) != 10 || !slices.Equal(got[:7], begin) {
		t.Errorf("the line %v, want 10 moves that begin with %v", got, begin)
	}
}
