package chaos

import (
	"context"
	"errors"
)

// clusterStatus is the status of the cluster as one NATS server sees it (/jsz), the
// fields that are needed here.
type clusterStatus struct {
	Meta     raftGroup `json:"meta_cluster"`
	Accounts []struct {
		Streams []struct {
			Name    string    `json:"name"`
			Cluster raftGroup `json:"cluster"`
		} `json:"stream_detail"`
	} `json:"account_details"`
}

// raftGroup is the servers that replicate one stream, or the cluster's metadata.
type raftGroup struct {
	Leader   string `json:"leader"`
	Replicas []struct {
		Name    string `json:"name"`
		Current bool   `json:"current"`
		Offline bool   `json:"offline"`
	} `json:"replicas"`
}

// inSync reports whether all replicas have what the leader has.
func (r raftGroup) inSync() bool {
	n := 0
	for _, other := range r.Replicas {
		if other.Current && !other.Offline {
			n++
		}
	}
	return r.Leader != "" && n == clusterSize-1
}

func (c *cluster) status(ctx context.Context, one *machine) (t clusterStatus, err error) {
	err = c.client.Get(ctx, "http://"+one.monitor+"/jsz?accounts=true&streams=true", &t)
	return t, err
}

// groups returns the groups of the streams by name.
func (t clusterStatus) groups() map[string]raftGroup {
	all := map[string]raftGroup{}
	for _, a := range t.Accounts {
		for _, s := range a.Streams {
			all[s.Name] = s.Cluster
		}
	}
	return all
}

// formed reports whether the cluster has a leader that sees all servers.
func (c *cluster) formed(ctx context.Context) bool {
	for _, one := range c.list {
		if t, err := c.status(ctx, one); err == nil && t.Meta.Leader == one.name() && t.Meta.inSync() {
			return true
		}
	}
	return false
}

// replicated reports whether every NATS server is healthy, and every replica of both
// streams in sync.
func (c *cluster) replicated(ctx context.Context) bool {
	pending := map[string]bool{"QUINTET": true, "QUINTET_BEAT": true}
	for _, one := range c.list {
		if c.client.Get(ctx, "http://"+one.monitor+"/healthz", &struct{}{}) != nil {
			return false
		}
		t, err := c.status(ctx, one)
		if err != nil {
			return false
		}
		for name, group := range t.groups() {
			if group.Leader == one.name() && group.inSync() {
				delete(pending, name)
			}
		}
	}
	return len(pending) == 0 && c.formed(ctx)
}

// name is the name of the machine's NATS server.
func (one *machine) name() string { return "n" + string(rune('0'+one.number)) }

// Role is what a fault hits.
type Role string

// The roles.
const (
	Leader   Role = "leader"   // the NATS server that leads the log
	Follower Role = "follower" // a NATS server that follows
	Beat     Role = "beat"     // the NATS server that leads the stream of heartbeats
	Meta     Role = "meta"     // the NATS server that leads the cluster's metadata
	Server   Role = "server"   // a server of Quintet
)

// find returns a machine that has a role now. Where several have it, turn selects.
func (c *cluster) find(ctx context.Context, r Role, turn int) (*machine, error) {
	if r == Server {
		return c.list[turn%clusterSize], nil
	}
	for _, one := range c.list {
		t, err := c.status(ctx, one)
		if err != nil {
			continue
		}
		log := t.groups()["QUINTET"].Leader
		for i := range c.list {
			candidate := c.list[(turn+i)%clusterSize]
			holds := map[Role]bool{Leader: candidate.name() == log, Follower: log != "" && candidate.name() != log, Meta: candidate.name() == t.Meta.Leader, Beat: candidate.name() == t.groups()["QUINTET_BEAT"].Leader}
			if holds[r] {
				return candidate, nil
			}
		}
	}
	return nil, errors.New("finding a role: no NATS server reports a leader")
}
