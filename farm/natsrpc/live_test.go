package natsrpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"

	"quintet/farm"
)

// leasing returns a worker without a connection.
func leasing(t *testing.T) *liveWorker {
	t.Helper()
	return &liveWorker{name: "W", ctx: t.Context(), leases: map[string]*lease{}}
}

// leaseMessage is a message of a server with the key K about the analysis with an identifier.
func leaseMessage(id string, release bool) *nats.Msg {
	body, _ := json.Marshal(farm.AnalysisLease{ID: id, Release: release})
	return &nats.Msg{Subject: leaseSubject + ".K.W", Data: body}
}

// TestLease checks that an analysis ends when the server releases its lease or renews it no
// more, in simulated time, and that no other message ends it or lets it continue.
func TestLease(t *testing.T) {
	id := "think.S.1"
	foreign := leaseMessage(id, true)
	foreign.Subject = leaseSubject + ".OTHER.W"
	for name, test := range map[string]struct {
		send *nats.Msg // every second
		ends time.Duration
		why  error
	}{
		"nobody wants it":         {nil, farm.AnalysisLeased, errExpired},
		"another lease":           {leaseMessage("think.S.2", false), farm.AnalysisLeased, errExpired},
		"another server":          {foreign, farm.AnalysisLeased, errExpired},
		"malformed":               {&nats.Msg{Subject: leaseSubject + ".K.W", Data: []byte("{")}, farm.AnalysisLeased, errExpired},
		"too long":                {&nats.Msg{Subject: leaseSubject + ".K.W", Data: fmt.Appendf(nil, `{"id":%q%s}`, id, strings.Repeat(" ", maxLease))}, farm.AnalysisLeased, errExpired},
		"renewed":                 {leaseMessage(id, false), farm.MaxAnalysisTime, context.DeadlineExceeded},
		"released":                {leaseMessage(id, true), time.Second, errReleased},
		"a subject too short":     {&nats.Msg{Subject: leaseSubject, Data: []byte("{}")}, farm.AnalysisLeased, errExpired},
		"a subject of a stranger": {&nats.Msg{Subject: "x", Data: []byte("{}")}, farm.AnalysisLeased, errExpired},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, began := leasing(t), time.Now()
				ctx, end := w.lease(inbox("K") + "." + id)
				defer end()
				for ctx.Err() == nil {
					select {
					case <-time.After(time.Second):
						if test.send != nil {
							w.leased(test.send)
						}
					case <-ctx.Done():
					}
				}
				if took := time.Since(began); took != test.ends || !errors.Is(context.Cause(ctx), test.why) {
					t.Errorf("it ends after %v, %v: want %v, %v", took, context.Cause(ctx), test.ends, test.why)
				}
			})
		})
	}
}

// FuzzLease checks that no message of a server panics, and that none of another touches an
// analysis.
func FuzzLease(f *testing.F) {
	f.Add("farm.lease.K.W", []byte(`{"id":"think.S.1","release":true}`))
	f.Add("farm.lease.OTHER.W", []byte(`{"id":"K.think.S.1","release":true}`))
	f.Add("farm.lease..", []byte(`{"id":".think.S.1","release":true}`))
	f.Fuzz(func(t *testing.T, subject string, data []byte) {
		w := leasing(t)
		ctx, end := w.lease(inbox("K") + ".think.S.1")
		defer end()
		w.leased(&nats.Msg{Subject: subject, Data: data})
		if ctx.Err() != nil && !strings.Contains(subject, ".K.") {
			t.Errorf("%q %q ends the analysis of another server", subject, data)
		}
	})
}

// thinking returns the requests of a new server.
func (s *site) thinking() *Thinking {
	s.t.Helper()
	server, err := s.dial(RoleClient).Thinking()
	if err != nil {
		s.t.Fatal(err)
	}
	return server
}

// until returns the next answer that is no heartbeat.
func until(t *testing.T, answers <-chan farm.ThinkAnswer) farm.ThinkAnswer {
	t.Helper()
	for {
		select {
		case a := <-answers:
			if a.State != farm.ThinkAlive {
				return a
			}
		case <-time.After(time.Minute):
			t.Fatal("no answer in a minute")
		}
	}
}

// TestAnalyses checks the answers to requests for analyses: half of what a worker does at a
// time, so that moves find a worker, and none after the lease is released.
func TestAnalyses(t *testing.T) {
	s := newSite(t)
	ended := make(chan error, 8)
	end, err := s.dial(RoleLive).ServeLive(t.Context(), Live{
		Moves: 2, Analyses: 1,
		Think: func(context.Context, farm.ThinkRequest) (string, error) { return "move", nil },
		Analyze: func(ctx context.Context, r farm.AnalysisRequest, report func(farm.AnalysisResult)) (string, error) {
			switch r.Game {
			case "short":
				return "exact", nil
			case "broken":
				return "", errors.New("broken")
			}
			report(farm.AnalysisResult{Depth: 1})
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return "", ctx.Err()
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	server := s.thinking()
	analyze := func(game string) (<-chan farm.ThinkAnswer, string) {
		list, id, _, err := server.Analyze(farm.AnalysisRequest{Game: game})
		if err != nil {
			t.Fatal(err)
		}
		return list, id
	}
	first, id := analyze("long")
	yes, found := until(t, first), until(t, first)
	if yes.State != farm.ThinkAccepted || found.State != farm.ThinkResult || found.Result == nil || found.Result.Depth != 1 {
		t.Fatalf("%+v, %+v", yes, found)
	}
	if second, _ := analyze("long"); until(t, second).State != farm.ThinkNobody {
		t.Error("a second analysis finds a worker")
	}
	move, _, err := server.Think(farm.ThinkRequest{Time: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := until(t, move), until(t, move); a.State != farm.ThinkAccepted || b.Text != "move" {
		t.Errorf("a move beside an analysis: %+v, %+v", a, b)
	}
	for _, name := range []string{"", ".", "a.b", "*", ">", "a b", strings.Repeat("a", 65)} {
		if err := server.Lease(name, farm.AnalysisLease{ID: id, Release: true}); err == nil {
			t.Errorf("a worker called %q", name)
		}
	}
	if err := server.Lease(yes.Text, farm.AnalysisLease{ID: id, Release: true}); err != nil {
		t.Fatal(err)
	}
	if why := <-ended; !errors.Is(why, errReleased) {
		t.Error(why)
	}
	for game, want := range map[string]farm.ThinkAnswer{"short": {State: farm.ThinkDone, Text: "exact"}, "broken": {State: farm.ThinkFailed, Text: "broken"}} {
		for {
			list, _ := analyze(game)
			if a := until(t, list); a.State == farm.ThinkNobody {
				continue // the one before is ending
			}
			if a := until(t, list); a != want {
				t.Errorf("%s: %+v, want %+v", game, a, want)
			}
			break
		}
	}
	for len(first) > 0 {
		if a := <-first; a.State != farm.ThinkAlive {
			t.Errorf("%+v after the release", a)
		}
	}
}

// TestStopping checks that a worker that stops says so, and does not let its server wait.
func TestStopping(t *testing.T) {
	s := newSite(t)
	end, err := s.dial(RoleLive).ServeLive(t.Context(), Live{Moves: 2, Analyses: 1, Analyze: func(ctx context.Context, _ farm.AnalysisRequest, _ func(farm.AnalysisResult)) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}})
	if err != nil {
		t.Fatal(err)
	}
	server := s.thinking()
	list, _, _, err := server.Analyze(farm.AnalysisRequest{})
	if err != nil {
		t.Fatal(err)
	}
	until(t, list)
	end()
	if a := until(t, list); a.State != farm.ThinkFailed || a.Text != errStopping.Error() {
		t.Errorf("%+v, want %q", a, errStopping)
	}
}

// TestFree checks that requests go to workers that are free, by turns, and to none while all
// are busy.
func TestFree(t *testing.T) {
	s := newSite(t)
	stop := make(chan struct{})
	for range 3 {
		end, err := s.dial(RoleLive).ServeLive(t.Context(), Live{Moves: 1, Think: func(ctx context.Context, _ farm.ThinkRequest) (string, error) {
			select {
			case <-stop:
				return "move", nil
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer end()
	}
	server := s.thinking()
	think := func() <-chan farm.ThinkAnswer {
		list, _, err := server.Think(farm.ThinkRequest{Time: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	for range 10 {
		var busy []<-chan farm.ThinkAnswer
		for i := range 3 {
			list := think()
			if a := until(t, list); a.State != farm.ThinkAccepted {
				t.Fatalf("request %d: %+v, want a worker that is free", i+1, a)
			}
			busy = append(busy, list)
		}
		if a := until(t, think()); a.State != farm.ThinkNobody {
			t.Fatalf("%+v, want no worker", a)
		}
		for range busy {
			stop <- struct{}{}
		}
		for _, list := range busy {
			if a := until(t, list); a.State != farm.ThinkMove {
				t.Fatalf("%+v, want a move", a)
			}
		}
	}
}

// TestOldWorker checks that a server learns at once that the workers for live games are of a
// release that takes no analyses.
func TestOldWorker(t *testing.T) {
	s := newSite(t)
	end, err := s.dial(RoleLive).ServeLive(t.Context(), Live{Moves: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	server := s.thinking()
	list, _, _, err := server.Analyze(farm.AnalysisRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if a := until(t, list); a.State != farm.ThinkNobody {
		t.Errorf("%+v, want %s", a, farm.ThinkNobody)
	}
}

// TestLivePermissions checks that no key can ask in the name of another server, or touch its
// leases.
func TestLivePermissions(t *testing.T) {
	s := newSite(t)
	for role, subjects := range map[Role][]string{
		RoleClient: {thinkSubject + ".OTHER", analyzeSubject + ".OTHER", leaseSubject + ".OTHER.W"},
		RoleWorker: {thinkSubject + ".KEY", analyzeSubject + ".KEY", leaseSubject + ".KEY.W"},
		RoleLive:   {thinkSubject + ".KEY", analyzeSubject + ".KEY", leaseSubject + ".KEY.W", "_INBOX_OTHER.think.S.1"},
	} {
		c := s.dial(role)
		for _, subject := range subjects {
			subject = strings.ReplaceAll(subject, "KEY", c.Key())
			if err := c.nats.Publish(subject, []byte("{}")); err != nil {
				t.Fatal(err)
			}
			if err := c.nats.Flush(); err != nil {
				t.Fatal(err)
			}
			if err := c.nats.LastError(); err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(subject)) {
				t.Errorf("%s may publish to %s: %v", role, subject, err)
			}
		}
	}
}
