package chaos

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quintet/lab/load"
	"quintet/serve/clock"
)

// NodesResult is what players noticed of the faults.
type NodesResult struct {
	Acknowledged int64 // moves
	Rivals       int64 // moves sent at the same time as another for the same ply, to another server
	Events       int   // in the log at the end, each with its hash, number and ply checked
	Tried        []Tried
	Outages      load.Spread // times of over a second in which nothing was acknowledged
	Charged      load.Spread // how long clocks ran in outages
	Refusals     int         // by servers that were cut off
	Rejoined     load.Spread // from the end of a partition until such a server took moves again

	Findings
}

// Findings are what should not be.
type Findings struct {
	Lost    []string // acknowledged moves that are missing
	Twice   []string // plies with two moves
	Wrong   []string // clocks that ran too long
	Differ  []string // disagreements between servers, spectators and the log
	Refused []string // played moves that were refused when repeated, and valid ones that an up-to-date server refused
	Failed  []string // players and servers that did not recover
	Slow    []string // recoveries that missed their objective
}

// Tried is a fault and how the players recovered from it.
type Tried struct {
	Fault string
	Times int
	Back  load.Spread // from the fault until every player had a new move acknowledged
	Gap   load.Spread // the longest time between two moves of one player
}

// all returns all findings.
func (f Findings) all() []string {
	return slices.Concat(f.Lost, f.Twice, f.Wrong, f.Differ, f.Refused, f.Failed, f.Slow)
}

// open starts the cluster and connects to its log. The caller calls close, also after an error.
func (n *nodesRun) open(ctx context.Context) (err error) {
	if n.cluster, err = newCluster(ctx, n.config); err != nil {
		return err
	}
	if err = n.cluster.start(ctx); err == nil {
		n.reflog, err = openReflog(ctx, n.cluster.direct())
	}
	return err
}

// close ends the cluster.
func (n *nodesRun) close() (err error) {
	if n.reflog != nil {
		err = n.reflog.log.Close()
	}
	if n.cluster != nil {
		n.cluster.end()
	}
	return err
}

// Nodes starts the cluster, plays on it and injects every fault in turn. After each
// fault it compares the log, all servers and all spectators with what was
// acknowledged.
func Nodes(ctx context.Context, c Config) (r NodesResult, err error) {
	list, err := c.faults()
	if err != nil {
		return r, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	n := &nodesRun{config: c, tried: map[string]*tried{}, reported: map[string]bool{}}
	defer func() { err = errors.Join(err, n.close()) }()
	if err := n.open(ctx); err != nil {
		return r, err
	}
	n.clients = newClients(n.cluster.urls(), c)
	defer n.clients.all.Wait()
	defer cancel()
	if err := n.clients.start(ctx); err != nil {
		return r, err
	}
	err = n.run(ctx, list)
	return n.result(), err
}

// faults returns the faults to inject, and checks what Nodes needs.
func (c *Config) faults() (list []fault, err error) {
	if c.Times < 1 || c.Games < 1 || c.Rate <= 0 || c.Pause < time.Second {
		return nil, fmt.Errorf("%d times, %d games, %g moves a second, pauses of %s: expected at least 1 of each, and 1s", c.Times, c.Games, c.Rate, c.Pause)
	}
	if found, err := os.ReadDir(c.Dir); err == nil && len(found) > 0 {
		return nil, fmt.Errorf("folder %s has files: expected an empty or missing one", c.Dir)
	}
	if c.Dir, err = filepath.Abs(c.Dir); err != nil {
		return nil, err
	}
	all := faults()
	if len(c.Faults) == 0 {
		return all, nil
	}
	all = append(all, optionalFaults()...)
	for _, want := range c.Faults {
		n := len(list)
		var names []string
		for _, f := range all {
			names = append(names, f.name())
			if f.name() == want || f.kind == want || string(f.role) == want {
				list = append(list, f)
			}
		}
		if n == len(list) {
			return nil, fmt.Errorf("fault %q: expected some of %s", want, strings.Join(names, ", "))
		}
	}
	return list, nil
}

// nodesRun is a run of Nodes.
type nodesRun struct {
	config   Config
	cluster  *cluster
	reflog   *reflog
	clients  *clients
	order    []string // names of faults
	tried    map[string]*tried
	checked  time.Time       // when the games were last checked
	charged  []time.Duration // how long clocks ran in outages
	reported map[string]bool // findings
	refusals int
	rejoined []time.Duration
}

type tried struct{ back, gap []time.Duration }

// recoveryTimeout is how long a recovery is awaited. It is longer than every
// objective, so that a miss is measured.
const recoveryTimeout = 60 * time.Second

func (n *nodesRun) run(ctx context.Context, list []fault) error {
	if err := n.checkAll(ctx); err != nil {
		return err
	}
	for i := range n.config.Times {
		for _, f := range list {
			if err := n.try(ctx, f, i); err != nil {
				return fmt.Errorf("%s, time %d: %w", f.name(), i+1, err)
			}
		}
		n.config.Report(fmt.Sprintf("%d of %d: %d moves acknowledged, %d events in the log, %d faults", i+1, n.config.Times, n.clients.moves.Load(), n.reflog.events, len(n.result().all())))
	}
	return nil
}

// try injects a fault, waits for the recovery, repairs the fault and checks all
// games.
func (n *nodesRun) try(ctx context.Context, f fault, turn int) error {
	clock.Sleep(ctx, 300*time.Millisecond)
	n.clients.markFault(time.Now())
	repair, err := f.inject(ctx, n, f.role, turn)
	if err != nil {
		return err
	}
	n.clients.awaitRecovery(ctx, recoveryTimeout)
	if err := repair(); err != nil {
		return err
	}
	if err := n.cluster.awaitHealthy(ctx); err != nil {
		return err
	}
	n.recordRecovery(f, turn)
	if err := n.checkAll(ctx); err != nil {
		return err
	}
	n.reportFindings()
	return ctx.Err()
}

// reportFindings reports new findings.
func (n *nodesRun) reportFindings() {
	for _, text := range n.result().all() {
		if !n.reported[text] {
			n.reported[text] = true
			n.config.Report("    " + text)
		}
	}
}

// recordRecovery records how long the players took to recover.
func (n *nodesRun) recordRecovery(f fault, turn int) {
	back, gap, ok := n.clients.recovery()
	if !ok {
		n.clients.report(&n.clients.Failed, fmt.Sprintf("%s, time %d: some players had no move acknowledged for %s", f.name(), turn+1, recoveryTimeout))
		return
	}
	if n.tried[f.name()] == nil {
		n.tried[f.name()] = &tried{}
		n.order = append(n.order, f.name())
	}
	t := n.tried[f.name()]
	t.back, t.gap = append(t.back, back), append(t.gap, gap)
	n.config.Report(fmt.Sprintf("  %s: back after %.2f s, longest gap %.2f s", f.name(), back.Seconds(), gap.Seconds()))
	if back > f.objective.back || gap > f.objective.gap {
		n.clients.report(&n.clients.Slow, fmt.Sprintf("%s, time %d: back after %.2f s, longest gap %.2f s", f.name(), turn+1, back.Seconds(), gap.Seconds()))
	}
}

// checkAll pauses the players and compares the log, all servers and all spectators
// with what was acknowledged.
func (n *nodesRun) checkAll(ctx context.Context) error {
	return n.clients.pausedDuring(func() error {
		if err := n.reflog.catchUp(ctx); err != nil {
			return err
		}
		for _, text := range n.reflog.broken {
			n.clients.report(&n.clients.Twice, text)
		}
		n.reflog.broken = nil
		for _, p := range n.clients.players {
			n.checkGame(p.ID, finishedGame{p.acknowledged, p.spectator, p.turns})
			n.checkConverged(ctx, p)
		}
		for id, g := range n.clients.finished {
			n.checkGame(id, g)
			delete(n.clients.finished, id)
		}
		n.checked = time.Now()
		return nil
	})
}

// checkGame compares a game with the log.
func (n *nodesRun) checkGame(id string, g finishedGame) {
	for _, text := range n.reflog.check(id, g.moves, g.spectator) {
		n.clients.report(&n.clients.Lost, text)
	}
	run, wrong := n.clients.checkClocks(id, g.turns, n.reflog.clocks[id], n.checked)
	n.charged = append(n.charged, run...)
	for _, text := range wrong {
		n.clients.report(&n.clients.Wrong, text)
	}
}

// convergeTimeout is how long a server or a spectator may lag.
const convergeTimeout = 10 * time.Second

// checkConverged expects every server to show exactly the acknowledged moves of a game,
// and the spectator to have received them.
func (n *nodesRun) checkConverged(ctx context.Context, p *player) {
	for _, url := range n.clients.urls {
		var moves []string
		var err error
		converged := poll(ctx, convergeTimeout, func() bool {
			moves, err = p.movesAt(ctx, url)
			return err == nil && slices.Equal(moves, p.acknowledged)
		})
		if !converged {
			n.clients.report(&n.clients.Differ, fmt.Sprintf("game %s: %s has %d moves, %d were acknowledged (%v)", p.ID, url, len(moves), len(p.acknowledged), err))
		}
	}
	if !poll(ctx, convergeTimeout, func() bool { return p.spectator.saw(p.acknowledged) }) {
		n.clients.report(&n.clients.Differ, fmt.Sprintf("game %s: its spectator has not received all %d moves", p.ID, len(p.acknowledged)))
	}
}

// poll waits until a condition holds, and reports whether it does.
func poll(ctx context.Context, within time.Duration, holds func() bool) bool {
	for began := time.Now(); ctx.Err() == nil && time.Since(began) <= within; time.Sleep(5 * time.Millisecond) {
		if holds() {
			return true
		}
	}
	return false
}

// result returns what was found so far.
func (n *nodesRun) result() NodesResult {
	c := n.clients
	c.mu.Lock()
	defer c.mu.Unlock()
	r := NodesResult{
		Acknowledged: c.moves.Load(), Rivals: c.rivals.Load(), Events: n.reflog.events, Charged: load.SpreadOf(n.charged),
		Findings: c.Findings, Refusals: n.refusals, Rejoined: load.SpreadOf(n.rejoined),
	}
	var out []time.Duration
	for _, o := range c.outages {
		out = append(out, o.to.Sub(o.from))
	}
	r.Outages = load.SpreadOf(out)
	for _, name := range n.order {
		t := n.tried[name]
		r.Tried = append(r.Tried, Tried{name, len(t.back), load.SpreadOf(t.back), load.SpreadOf(t.gap)})
	}
	return r
}
