package jet

import (
	"testing"
	"time"
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
