package offload_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quintet/farm"
	"quintet/farm/natsrpc"
	"quintet/farm/offload"
	"quintet/farm/scheduler"
	"quintet/farm/think"
	"quintet/game"
	"quintet/games/loa"
	"quintet/live"
	"quintet/serve"
	"quintet/serve/analysis"
)

// serving is a server whose analyses the workers of a site do, if some are there.
type serving struct {
	*site

	url string
}

func newServing(t *testing.T) *serving {
	t.Helper()
	s := newSite(t)
	server, err := serve.New(t.Context(), live.NewMemory(), serve.Config{Hold: -1, Analyses: s.searches})
	if err != nil {
		t.Fatal(err)
	}
	server.Start(t.Context())
	h := httptest.NewServer(server.Handler())
	t.Cleanup(func() {
		h.CloseClientConnections()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		h.Close()
	})
	return &serving{s, h.URL}
}

// metric returns a line of the server's metrics.
func (s *serving) metric(name string) string {
	s.t.Helper()
	ask, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+"/metrics", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := http.DefaultClient.Do(ask)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	_, value, _ := strings.Cut(string(text), "\n"+name+" ")
	value, _, _ = strings.Cut(value, "\n")
	return value
}

// seen is what a stream of lines has sent.
type seen struct {
	Depth  int
	Nodes  uint64
	Time   int64
	Lines  []struct{ Text string }
	Reason string
}

// stream asks for the lines of a position and calls each with every line of the stream until
// its end. A server that starts, or has too many analyses, is asked again.
func (s *serving) stream(ctx context.Context, ask string, each func(seen)) {
	s.t.Helper()
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/api/analysis/lines", strings.NewReader(ask))
		if err != nil {
			s.t.Fatal(err)
		}
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			s.t.Fatal(err)
		}
		if got.StatusCode != http.StatusOK {
			_ = got.Body.Close()
			time.Sleep(50 * time.Millisecond)
			continue
		}
		defer func() { _ = got.Body.Close() }()
		for in := bufio.NewScanner(got.Body); in.Scan(); {
			var l seen
			if err := json.Unmarshal(in.Bytes(), &l); err != nil {
				s.t.Fatalf("%q: %v", in.Bytes(), err)
			}
			each(l)
		}
		return
	}
}

// TestWorkerKilled checks that a stream of lines continues when the worker that analyzes is
// killed, that its lines never go back, and that it comes to its end.
func TestWorkerKilled(t *testing.T) {
	s := newServing(t)
	thinker, began := think.New(build().Program), make(chan struct{}, 1)
	kill, _ := s.live(natsrpc.RoleLive, natsrpc.Live{
		Moves: 2, Analyses: 1,
		Analyze: func(ctx context.Context, r farm.AnalysisRequest, report func(farm.AnalysisResult)) (string, error) {
			return thinker.Analyze(ctx, r, func(found farm.AnalysisResult) {
				found.Depth, found.Nodes = 1, 1_000_000 // the server has to continue, and its lines are told apart
				for i := range found.Lines {
					found.Lines[i].Depth = 1
				}
				report(found)
				select {
				case began <- struct{}{}:
				default:
				}
				<-ctx.Done() // it hangs
			})
		},
	})
	// On a slow machine the worker may be too late for some streams.
	for n := 1; ; n++ {
		remote, last := false, seen{}
		s.stream(t.Context(), `{"game":"chess","position":"1k6/8/2K5/8/8/8/8/7R w","lines":1}`, func(l seen) {
			if l.Depth > 0 {
				if l.Depth <= last.Depth || l.Nodes < last.Nodes || l.Time < last.Time {
					t.Errorf("after %+v comes %+v", last, l)
				}
				remote = remote || l.Nodes >= 1_000_000
				last = l
			}
			if l.Reason != "" && l.Reason != "exact" {
				t.Errorf("the stream ends for %q", l.Reason)
			}
			select {
			case <-began:
				kill()
			default:
			}
		})
		if !strings.HasPrefix(last.Lines[0].Text, "wins in ") { // the server has gone on to the end
			t.Errorf("the last lines are %+v, want a win", last)
		}
		if remote {
			break
		}
		if n == 600 {
			t.Fatal("no worker has analyzed")
		}
		time.Sleep(100 * time.Millisecond)
	}
	if lost := s.metric("quintet_analyses_taken_over_total"); lost == "0" || lost == "" {
		t.Errorf("%q analyses were taken over", lost)
	}
	if now := s.metric("quintet_analyses_remote"); now != "0" {
		t.Errorf("%q analyses are at workers", now)
	}
}

// TestNobodyLooks checks that a worker stops when the client of a stream leaves.
func TestNobodyLooks(t *testing.T) {
	s := newServing(t)
	thinker, stopped := think.New(build().Program), make(chan error, 100)
	s.live(natsrpc.RoleLive, natsrpc.Live{
		Moves: 2, Analyses: 1,
		Analyze: func(ctx context.Context, r farm.AnalysisRequest, report func(farm.AnalysisResult)) (string, error) {
			reason, err := thinker.Analyze(ctx, r, report)
			stopped <- context.Cause(ctx)
			return reason, err
		},
	})
	for range 600 {
		ctx, leave := context.WithCancel(t.Context())
		s.stream(ctx, `{"game":"chess","lines":5}`, func(l seen) {
			if l.Depth > 1 {
				leave()
			}
		})
		leave()
		select {
		case why := <-stopped:
			if why == nil {
				t.Error("the worker has found everything about chess")
			}
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
	t.Fatal("no worker has analyzed")
}

// TestNoAnalyses checks that a server does its own analyses if the workers for live games take
// none, and says so once.
func TestNoAnalyses(t *testing.T) {
	said := &lines{}
	s := offload.New(offload.Config{Log: slog.New(slog.NewTextHandler(said, nil))})
	for _, workers := range [][]scheduler.WorkerView{nil, {{Slots: 4}}, {{Live: 1}}, {{Live: 1}, {Live: 8}}} {
		s.Found(workers)
		if _, ok := s.Analyze(game.NewMatch(loa.Game, loa.Start()), analysis.Options{Lines: 1}); ok {
			t.Errorf("%+v: an analysis is at a worker", workers)
		}
	}
	if n := said.count("take no analyses"); n != 1 || said.count("\n") != 1 {
		t.Errorf("%d lines in the log, want one", n)
	}
}
