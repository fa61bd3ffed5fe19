package jet

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
)

// NATS servers notice at once that another one was killed, because their connections to it end. But each Raft group
// waits 4 to 9 seconds for its leader before it elects another one, even if that server is back and leads no longer. So
// a server of Quintet that waits for the log asks all NATS servers for their connections and their Raft groups. If
// those that are connected to each other, and to nobody else, are a majority of a group, and none of them leads it, it
// asks them to elect a leader. A leader elsewhere could not write anything, so no working one is ever deposed.

// Times and limits of elections.
const (
	suspectAfter   = 300 * time.Millisecond // a request slower than this raises a suspicion
	pollInterval   = 100 * time.Millisecond // between two polls while there is no leader, or that is unknown
	fastPolls      = 10                     // that leave it unknown, until the interval is doubled with each
	slowInterval   = time.Second            // the longest interval
	maxPolls       = 100
	idleInterval   = 250 * time.Millisecond // after polls that found all leaders
	stalledTimeout = 750 * time.Millisecond // that an election may stall before it is requested again; a member waits 0.1 to 0.8 s
)

// suspect starts looking for dead leaders: after a request that was late or not answered, and when a connection is
// back. It does not block.
func (f *fsyncChecker) suspect() {
	if f != nil {
		select {
		case f.suspected <- struct{}{}:
		default: // it has started
		}
	}
}

// replaceLeaders replaces dead leaders whenever one is suspected, until the context ends.
func (f *fsyncChecker) replaceLeaders(ctx context.Context) {
	for unknown := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-f.suspected:
		}
		if f.replaceDead(ctx, &unknown) {
			pause(ctx, idleInterval)
		} else {
			pause(ctx, checkInterval)
		}
	}
}

// replaceDead polls until all groups have leaders, and asks those without one to elect it. It counts the polls in a row
// that left this unknown. It returns false if the servers may not be asked.
func (f *fsyncChecker) replaceDead(ctx context.Context, unknown *int) (may bool) {
	seen := map[string]election{}
	for range maxPolls {
		dead, known, err := f.leaderless(ctx)
		if permanent(err) {
			return false
		}
		if *unknown++; known {
			*unknown = 0
		}
		for _, group := range due(dead, seen, time.Now()) {
			f.logger.Warn("a group of NATS servers has no leader: asking it to elect one", "group", group, "term", dead[group].term)
			f.requestElection(group, dead[group].term)
		}
		if known && len(dead) == 0 || !pause(ctx, pollPause(*unknown)) {
			break
		}
	}
	return true
}

// pollPause returns how long to wait after a number of polls in a row that left it unknown which groups have no leader.
func pollPause(unknown int) time.Duration {
	const doublings = 4 // beyond slowInterval
	return min(pollInterval<<min(max(unknown-fastPolls, 0), doublings), slowInterval)
}

// election is the state of a Raft group whose leader is dead.
type election struct {
	term  uint64
	begun bool      // an election is under way: no member still follows the dead leader, or one has started a later term
	split bool      // each member has voted for itself
	since time.Time // when the term was first seen
}

// due returns the groups to ask for an election: those that wait for a server that is gone, or whose members cannot agree. A request in
// a term that is still changing would only delay its election. It updates the elections seen before.
func due(dead, seen map[string]election, now time.Time) (list []string) {
	for group, e := range dead {
		before, there := seen[group]
		if e.since = before.since; !there || before.term != e.term {
			e.since = now
		}
		if seen[group] = e; !e.begun || e.split || now.Sub(e.since) >= stalledTimeout {
			list = append(list, group)
		}
	}
	return list
}

// requestElection makes the members of a Raft group elect a leader. It sends a request for votes, in a later term, of
// a candidate that has nothing: they refuse it, and become candidates within 0.8 seconds. A NATS server that does
// not know the format ignores it.
func (f *fsyncChecker) requestElection(group string, term uint64) {
	var request [32]byte // term, last term, last index, candidate
	binary.LittleEndian.PutUint64(request[:], term+1)
	copy(request[24:], "quintet.")
	_ = f.conn.PublishRequest("$NRG.V."+group, f.conn.NewInbox(), request[:]) // we look again
}

// routeReport is the part of a server's ROUTEZ answer that matters here.
type routeReport struct {
	Routes []struct {
		Name string `json:"remote_name"`
	} `json:"routes"`
}

// isolated reports whether servers are connected to each other, and to nobody else.
func isolated(reports map[string]routeReport) bool {
	for name, r := range reports {
		near := map[string]bool{name: true}
		for _, route := range r.Routes {
			near[route.Name] = true
		}
		if !maps.EqualFunc(near, reports, func(bool, routeReport) bool { return true }) {
			return false
		}
	}
	return true
}

// raftReport is the part of a RAFTZ answer that matters here: Raft groups by account and name.
type raftReport map[string]map[string]raftGroup

type raftGroup struct {
	ID     string `json:"id"` // of the server that reports it
	Leader string `json:"leader"`
	Vote   string `json:"voted_for"`
	Term   uint64 `json:"term"`
	Needed int    `json:"quorum_needed"`
}

// leaderless returns the Raft groups without a leader. known is false while servers do not answer, or still report a
// route to a dead one. The error is permanent if they may not be asked.
func (f *fsyncChecker) leaderless(ctx context.Context) (dead map[string]election, known bool, err error) {
	routes := map[string]routeReport{}
	err = f.ping(ctx, "ROUTEZ", "", func(name string, data []byte) (wait time.Duration, err error) {
		var r routeReport
		err = json.Unmarshal(data, &r)
		routes[name] = r
		switch {
		case len(routes) < majority:
			return queryTimeout, err
		case isolated(routes):
			return 0, err
		}
		return pollInterval, err
	})
	if err != nil || len(routes) < majority || !isolated(routes) {
		return nil, false, err
	}
	var groups []raftReport
	for _, account := range slices.Compact([]string{"", f.account}) { // the system account has the group of the cluster
		list, ok, err := f.groups(ctx, account, routes)
		if !ok {
			return nil, false, err
		}
		groups = append(groups, list...)
	}
	return withoutLeader(groups), true, nil
}

// groups asks servers for the Raft groups of an account. It is not ok if one does not answer.
func (f *fsyncChecker) groups(ctx context.Context, account string, servers map[string]routeReport) (list []raftReport, ok bool, err error) {
	request, err := json.Marshal(map[string]string{"account": account})
	if err != nil {
		return nil, false, err
	}
	missing := maps.Clone(servers)
	err = f.ping(ctx, "RAFTZ", string(request), func(name string, data []byte) (wait time.Duration, err error) {
		if _, ok := missing[name]; !ok {
			return queryTimeout, nil // a server that has come back meanwhile
		}
		delete(missing, name)
		var r raftReport
		err = json.Unmarshal(data, &r)
		list = append(list, r)
		switch {
		case len(missing) == 0:
			return 0, err
		case len(list) >= majority: // the rest may have been killed a moment ago
			return quietTime, err
		}
		return queryTimeout, err
	})
	return list, err == nil && len(missing) == 0, err
}

// accountOf returns the name of a connection's account; "" if it is not known.
func accountOf(ctx context.Context, conn *nats.Conn) string {
	ctx, cancel := context.WithTimeout(ctx, clusterTimeout)
	defer cancel()
	var user struct {
		Data struct {
			Account string `json:"account"`
		} `json:"data"`
	}
	m, err := conn.RequestWithContext(ctx, "$SYS.REQ.USER.INFO", nil)
	if err != nil || json.Unmarshal(m.Data, &user) != nil {
		return ""
	}
	return user.Data.Account
}

// withoutLeader returns the groups that are led by none of the servers that report them, a majority of the group.
func withoutLeader(reports []raftReport) (dead map[string]election) {
	members := map[string][]raftGroup{}
	for _, r := range reports {
		for _, groups := range r {
			for name, g := range groups {
				members[name] = append(members[name], g)
			}
		}
	}
	dead = map[string]election{}
	for name, list := range members {
		e, led, lowest := election{term: list[0].Term, begun: true, split: true}, false, list[0].Term
		for _, g := range list {
			led = led || g.Leader == g.ID
			lowest = min(lowest, g.Term)
			e.begun = e.begun && (g.Leader == "" || slices.ContainsFunc(list, func(m raftGroup) bool { return m.ID == g.Leader }))
			e.split = e.split && g.Vote == g.ID && g.Term == list[0].Term
			e.term = max(e.term, g.Term)
		}
		e.begun = e.begun || e.term > lowest
		if !led && len(list) >= list[0].Needed {
			dead[name] = e
		}
	}
	return dead
}
