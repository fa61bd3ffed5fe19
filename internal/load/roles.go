package load

import (
	"context"
	"errors"
)

// told is what a NATS server tells of the cluster, as far as it matters here.
type told struct {
	Meta     raft `json:"meta_cluster"`
	Accounts []struct {
		Streams []struct {
			Name    string `json:"name"`
			Cluster raft   `json:"cluster"`
		} `json:"stream_detail"`
	} `json:"account_details"`
}

// raft is a group of servers that keep one thing together.
type raft struct {
	Leader   string `json:"leader"`
	Replicas []struct {
		Name    string `json:"name"`
		Current bool   `json:"current"`
		Offline bool   `json:"offline"`
	} `json:"replicas"`
}

// complete reports whether all others have what the leader has.
func (r raft) complete() bool {
	n := 0
	for _, other := range r.Replicas {
		if other.Current && !other.Offline {
			n++
		}
	}
	return r.Leader != "" && n == size-1
}

func (m *machines) ask(ctx context.Context, one *machine) (t told, err error) {
	err = get(ctx, m.client, "http://"+one.monitor+"/jsz?accounts=true&streams=true", &t)
	return t, err
}

// groups returns the groups of the streams, by name.
func (t told) groups() map[string]raft {
	all := map[string]raft{}
	for _, a := range t.Accounts {
		for _, s := range a.Streams {
			all[s.Name] = s.Cluster
		}
	}
	return all
}

// formed reports whether there is a leader of the cluster who knows all.
func (m *machines) formed(ctx context.Context) bool {
	for _, one := range m.list {
		if t, err := m.ask(ctx, one); err == nil && t.Meta.Leader == one.name() && t.Meta.complete() {
			return true
		}
	}
	return false
}

// complete reports whether every NATS server says that it is well, and the leaders
// of both streams that all copies are complete.
func (m *machines) complete(ctx context.Context) bool {
	left := map[string]bool{"QUINTET": true, "QUINTET_BEAT": true}
	for _, one := range m.list {
		if get(ctx, m.client, "http://"+one.monitor+"/healthz", &struct{}{}) != nil {
			return false
		}
		t, err := m.ask(ctx, one)
		if err != nil {
			return false
		}
		for name, group := range t.groups() {
			if group.Leader == one.name() && group.complete() {
				delete(left, name)
			}
		}
	}
	return len(left) == 0 && m.formed(ctx)
}

// name is the name of the machine's NATS server.
func (one *machine) name() string { return "n" + string(rune('0'+one.number)) }

// Role is what is killed, paused or cut off.
type Role string

// The roles.
const (
	Leader   Role = "leader"   // the NATS server that leads the log
	Follower Role = "follower" // one that does not
	Meta     Role = "meta"     // the one that leads the cluster
	Front    Role = "server"   // a server of Quintet
)

// find returns the machine that has a role now. Where several have, turn says
// which.
func (m *machines) find(ctx context.Context, r Role, turn int) (*machine, error) {
	if r == Front {
		return m.list[turn%size], nil
	}
	for _, one := range m.list {
		t, err := m.ask(ctx, one)
		if err != nil {
			continue
		}
		log := t.groups()["QUINTET"].Leader
		for i := range m.list {
			has := m.list[(turn+i)%size]
			is := map[Role]bool{Leader: has.name() == log, Follower: log != "" && has.name() != log, Meta: has.name() == t.Meta.Leader}
			if is[r] {
				return has, nil
			}
		}
	}
	return nil, errors.New("no NATS server says who leads")
}
