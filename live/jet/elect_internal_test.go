package jet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"quintet/lab/await"
	"quintet/live"
)

// TestWithoutLeader lists what two of three servers, or all, report of a group.
func TestWithoutLeader(t *testing.T) {
	for _, k := range []struct {
		name   string
		a, b   raftGroup
		first  bool // an election is requested at once
		second bool // and again after a time without a change
	}{
		{"one leads", raftGroup{ID: "a", Leader: "a", Term: 5}, raftGroup{ID: "b", Leader: "a", Term: 5}, false, false},
		{"one was elected a moment ago", raftGroup{ID: "a", Leader: "a", Term: 6}, raftGroup{ID: "b", Leader: "c", Term: 5}, false, false},
		{"the third led", raftGroup{ID: "a", Leader: "c", Term: 5}, raftGroup{ID: "b", Leader: "c", Term: 5}, true, true},
		{"it was restarted, and leads no longer", raftGroup{ID: "a", Term: 5}, raftGroup{ID: "b", Leader: "a", Term: 5}, false, true},
		{"an election has begun", raftGroup{ID: "a", Term: 6}, raftGroup{ID: "b", Term: 6}, false, true},
		{"it is split", raftGroup{ID: "a", Term: 6, Vote: "a"}, raftGroup{ID: "b", Term: 6, Vote: "b"}, true, true},
		{"it is not", raftGroup{ID: "a", Term: 6, Vote: "a"}, raftGroup{ID: "b", Term: 6, Vote: "a"}, false, true},
	} {
		k.a.Needed, k.b.Needed = majority, majority
		report := func(list ...raftGroup) (all []raftReport) {
			for _, g := range list {
				all = append(all, raftReport{"APP": {"group": g}})
			}
			return all
		}
		seen, now := map[string]election{}, time.Unix(1, 0)
		dead := withoutLeader(report(k.a, k.b))
		first := len(due(dead, seen, now)) > 0
		second := len(due(dead, seen, now.Add(stalledTimeout))) > 0
		if first != k.first || second != k.second {
			t.Errorf("%s: %+v: elections %t and %t, want %t and %t", k.name, dead, first, second, k.first, k.second)
		}
		if dead := withoutLeader(report(k.a)); len(dead) > 0 {
			t.Errorf("%s: one server of three reports it: %+v, want no election", k.name, dead)
		}
		k.a.Term, k.b.Term = 7, 7
		if list := due(withoutLeader(report(k.a, k.b)), seen, now.Add(2*stalledTimeout)); k.first != (len(list) > 0) {
			t.Errorf("%s: a change of the term: elections %q, want one: %t", k.name, list, k.first)
		}
	}
}

// TestIsland lists connections of servers.
func TestIsland(t *testing.T) {
	for _, k := range []struct {
		name   string
		routes map[string][]string
		want   bool
	}{
		{"all", map[string][]string{"a": {"b", "b", "c"}, "b": {"a", "c"}, "c": {"a", "b"}}, true},
		{"two without the third", map[string][]string{"a": {"b"}, "b": {"a", "a"}}, true},
		{"one has lost the third", map[string][]string{"a": {"b"}, "b": {"a", "c"}}, false},
		{"the third has not answered", map[string][]string{"a": {"b", "c"}, "b": {"a", "c"}}, false},
		{"two without a connection", map[string][]string{"a": {}, "b": {}}, false},
	} {
		reports := map[string]routeReport{}
		for name, list := range k.routes {
			var r routeReport
			for _, other := range list {
				r.Routes = append(r.Routes, struct {
					Name string `json:"remote_name"`
				}{other})
			}
			reports[name] = r
		}
		if got := isolated(reports); got != k.want {
			t.Errorf("%s: %t, want %t", k.name, got, k.want)
		}
	}
}

// lines is a channel of what is written.
type lines chan string

// Write implements io.Writer. It drops what nobody takes.
func (l lines) Write(p []byte) (int, error) {
	select {
	case l <- string(p):
	default:
	}
	return len(p), nil
}

// TestLooksAgain asks for an election although a NATS server first believes that it is still connected to the killed one.
func TestLooksAgain(t *testing.T) {
	looks := 0
	l, _ := fakeCluster(t, func(m *nats.Msg) {
		report := func(server, data string) {
			_ = m.Respond(fmt.Appendf(nil, `{"server":{"name":%q},"data":%s}`, server, data))
		}
		switch m.Subject {
		case "$SYS.REQ.SERVER.PING.ROUTEZ":
			report("a", `{"routes":[{"remote_name":"b"}]}`)
			if looks++; looks == 1 {
				report("b", `{"routes":[{"remote_name":"a"},{"remote_name":"c"}]}`)
				return
			}
			report("b", `{"routes":[{"remote_name":"a"}]}`)
		case "$SYS.REQ.SERVER.PING.RAFTZ":
			for _, id := range []string{"a", "b"} {
				report(id, fmt.Sprintf(`{"APP":{"group":{"id":%q,"leader":"c","term":5,"quorum_needed":2}}}`, id))
			}
		}
	})
	asked := make(lines, 1)
	l.fsync.logger = slog.New(slog.NewTextHandler(asked, nil))
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	all.Go(func() { l.fsync.replaceLeaders(ctx) })
	l.fsync.suspect()
	if line := await.Receive(t, "the request for an election", asked); !strings.Contains(line, "group=group term=5") {
		t.Errorf("%q, want an election of the group after term 5", line)
	}
}

// TestNobodyAnswers asks servers that may not be asked once, and those that do not know seldom after the first polls.
func TestNobodyAnswers(t *testing.T) {
	var looks atomic.Int32
	l, _ := fakeCluster(t, func(m *nats.Msg) {
		if m.Subject == "$SYS.REQ.SERVER.PING.ROUTEZ" {
			looks.Add(1)
			_ = m.RespondMsg(&nats.Msg{Header: nats.Header{"Status": {"503"}}}) // as NATS does if nobody may take the question
		}
	})
	unknown := 0
	if l.fsync.replaceDead(t.Context(), &unknown) || looks.Load() != 1 {
		t.Errorf("servers that may not be asked are asked %d times, want once", looks.Load())
	}
	for unknown, want := range map[int]time.Duration{0: pollInterval, fastPolls: pollInterval, fastPolls + 1: 2 * pollInterval, fastPolls + 4: slowInterval, 1 << 40: slowInterval} {
		if got := pollPause(unknown); got != want {
			t.Errorf("%s after %d polls, want %s", got, unknown, want)
		}
	}
}

// TestSuspects lists what makes a server look for a dead leader at once.
func TestSuspects(t *testing.T) {
	l, url := fakeCluster(t, func(m *nats.Msg) {
		if strings.HasPrefix(m.Subject, getMessage) {
			_ = m.Respond([]byte(noMessage))
		}
	})
	suspects := func(what string) {
		t.Helper()
		await.Receive(t, "a look after "+what, l.fsync.suspected)
	}
	drain := func() { // a slow request, too, leaves one
		select {
		case <-l.fsync.suspected:
		default:
		}
	}
	_ = l.unanswered(errors.New("no answer"))
	suspects("a heartbeat without an answer")
	drain()
	if d := l.find(&write{subject: subjects + ".game"}, nats.ErrNoResponders); !errors.Is(d.err, live.ErrUnknown) {
		t.Errorf("a write without an answer: %v, want its outcome unknown", d.err)
	}
	suspects("a write without an answer")
	joined := &Log{fsync: l.fsync}
	await.Until(t, "a connection", func() bool { return joined.connect(url, Auth{}) == nil })
	defer joined.conn.Close()
	drain()
	if err := joined.conn.ForceReconnect(); err != nil {
		t.Fatal(err)
	}
	suspects("a connection that is back")
}

// TestElectionHasBegun requests no election in a term that one member has not heard of yet: each request would restart
// the election.
func TestElectionHasBegun(t *testing.T) {
	late := raftReport{"APP": {"group": {ID: "b", Leader: "c", Term: 5, Needed: majority}}}
	seen, now := map[string]election{}, time.Unix(1, 0)
	dead := withoutLeader([]raftReport{{"APP": {"group": {ID: "a", Term: 6, Needed: majority}}}, late})
	if list := due(dead, seen, now); len(dead) != 1 || len(list) > 0 {
		t.Errorf("%d groups without a leader, elections %q, want one and none", len(dead), list)
	}
	if list := due(dead, seen, now.Add(stalledTimeout)); len(list) != 1 {
		t.Errorf("elections %q after a time without a change, want one", list)
	}
}
