package chaos

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"syscall"
	"time"

	"quintet/lab/chaos/proxy"
	"quintet/serve/clock"
)

// fault is a failure that is injected into a machine.
type fault struct {
	kind      string
	role      Role
	objective objective
	inject    injection
}

// injection causes a fault of what has a role, and returns the function that repairs it.
type injection func(ctx context.Context, n *nodesRun, r Role, turn int) (repair func() error, err error)

func (f fault) name() string { return f.kind + " " + string(f.role) }

// objective is the goal of a recovery: how soon all players have moves acknowledged
// again, and the longest time between two moves of a player.
type objective struct{ back, gap time.Duration }

// The objectives. After a kill, moves are taken again within 3 s, and after a pause
// within 10 s; a restart is noticed for a second at most. NATS alone takes 10 to 20 s to replace a
// leader that can send but not receive.
var (
	objectiveKill    = objective{back: 3 * time.Second, gap: 4 * time.Second}
	objectivePause   = objective{back: 10 * time.Second, gap: 10 * time.Second}
	objectiveRestart = objective{back: 10 * time.Second, gap: time.Second}
	objectiveCut     = objective{back: 40 * time.Second, gap: 40 * time.Second}
)

// faults returns all faults.
func faults() (list []fault) {
	for _, r := range []Role{Leader, Follower, Meta, Server} {
		list = append(list, fault{"kill", r, objectiveKill, kill}, fault{"pause", r, objectivePause, pause},
			fault{"stop", r, objectiveRestart, restart(syscall.SIGTERM)})
	}
	list = append(list, fault{"kill", Beat, objectiveKill, kill})
	for _, r := range []Role{Leader, Follower, Meta} {
		list = append(list, fault{"drain", r, objectiveRestart, restart(drainSignal)})
	}
	for _, r := range []Role{Leader, Follower} {
		list = append(list, fault{"cut", r, objectiveCut, cutOff})
	}
	return list
}

// optionalFaults returns the faults that Nodes injects only on request.
func optionalFaults() []fault {
	return []fault{noFault(), {"remove", Leader, objectiveCut, remove}, {"remove", Follower, objectiveCut, remove}}
}

// noFault waits for a while in which moves should be taken at all times.
func noFault() fault {
	return fault{"no", "fault", objective{back: 2 * time.Second, gap: 2 * time.Second}, func(ctx context.Context, n *nodesRun, _ Role, _ int) (repair func() error, err error) {
		return func() error { clock.Sleep(ctx, n.config.Pause); return nil }, nil
	}}
}

// target returns the process that has a role.
func (n *nodesRun) target(ctx context.Context, r Role, turn int) (*process, error) {
	m, err := n.cluster.find(ctx, r, turn)
	if err != nil {
		return nil, err
	}
	if r == Server {
		return m.server, nil
	}
	return m.nats, nil
}

// kill kills a process; the repair starts it again.
func kill(ctx context.Context, n *nodesRun, r Role, turn int) (repair func() error, err error) {
	p, err := n.target(ctx, r, turn)
	if err != nil {
		return nil, err
	}
	return func() error { return p.start(ctx) }, p.kill()
}

// pause pauses a process, for at least the configured time.
func pause(ctx context.Context, n *nodesRun, r Role, turn int) (repair func() error, err error) {
	p, err := n.target(ctx, r, turn)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	return func() error {
		clock.Sleep(ctx, n.config.Pause-time.Since(began))
		return p.send(continueSignal)
	}, p.send(pauseSignal)
}

// restart ends a process by a signal and starts it again.
func restart(end os.Signal) injection {
	return func(ctx context.Context, n *nodesRun, r Role, turn int) (repair func() error, err error) {
		p, err := n.target(ctx, r, turn)
		if err != nil {
			return nil, err
		}
		if err := p.send(end); err != nil {
			return nil, err
		}
		return func() error { return p.start(ctx) }, p.wait(startupTimeout)
	}
}

// partition is how a machine is cut off: the faults of what it sends and of what it
// receives.
type partition struct{ sends, receives proxy.Fault }

func partitions() []partition {
	cut, reset, stall := proxy.Fault{Kind: proxy.Cut}, proxy.Fault{Kind: proxy.Reset}, proxy.Fault{Kind: proxy.Stall}
	delay := proxy.Fault{Kind: proxy.Delay, By: 100 * time.Millisecond}
	return []partition{{cut, cut}, {stall, stall}, {sends: stall}, {receives: stall}, {reset, reset}, {delay, delay}}
}

// cutOff cuts a machine off from the others. Its server must refuse moves while nothing
// comes through, and take them after the repair.
func cutOff(ctx context.Context, n *nodesRun, r Role, turn int) (repair func() error, err error) {
	m, err := n.cluster.find(ctx, r, turn/len(partitions()))
	if err != nil {
		return nil, err
	}
	p := partitions()[turn%len(partitions())]
	isolated := p.sends == p.receives && p.sends.Kind != proxy.Delay
	client, err := n.newIsolatedClient(ctx, m)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	n.cluster.partition(m, p.sends, p.receives)
	return func() error {
		clock.Sleep(ctx, n.config.Pause-time.Since(began))
		if isolated {
			client.expectRefusal(ctx)
		}
		n.cluster.partition(m, proxy.Fault{}, proxy.Fault{})
		return client.expectRecovery(ctx)
	}, nil
}

// remove cuts a machine off, removes its NATS server from the cluster, and connects it again. The others must go on without
// it, and it must become a member again and get what it lacks.
func remove(ctx context.Context, n *nodesRun, r Role, turn int) (repair func() error, err error) {
	m, err := n.cluster.find(ctx, r, turn)
	if err != nil {
		return nil, err
	}
	cut := proxy.Fault{Kind: proxy.Cut}
	began := time.Now()
	n.cluster.partition(m, cut, cut)
	return func() error {
		if err := removePeer(ctx, n.cluster.directWithout(m).System, m.name()); err != nil {
			return err
		}
		clock.Sleep(ctx, n.config.Pause-time.Since(began))
		n.cluster.partition(m, proxy.Fault{}, proxy.Fault{})
		began := time.Now()
		if !poll(ctx, healTimeout, func() bool { time.Sleep(time.Second); return n.cluster.replicated(ctx) }) {
			return cmp.Or(ctx.Err(), fmt.Errorf("%s did not rejoin the cluster within %s", m.name(), healTimeout))
		}
		n.config.Report(fmt.Sprintf("  %s rejoined the cluster %.0f s after the partition ended", m.name(), time.Since(began).Seconds()))
		return nil
	}, nil
}
