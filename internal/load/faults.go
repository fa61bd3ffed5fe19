package load

import (
	"context"
	"time"

	"quintet/internal/load/proxy"
)

// fault is something bad that happens to a machine.
type fault struct {
	kind string
	role Role
	bar  bar

	// begin lets it happen and returns what mends it.
	begin func(ctx context.Context, n *nodes, turn int) (heal func() error, err error)
}

func (f fault) name() string { return f.kind + " " + string(f.role) }

// bar is what is asked for: how soon writes are back, and the longest time between
// two moves of a player.
type bar struct{ back, gap time.Duration }

// The bars: writes are back within 10 s when a process is killed or stands still, and
// a restart is not seen for longer than a second. A leader that is heard
// and hears nobody is given up by NATS after 10 to 20 s alone.
var (
	barFault   = bar{back: 10 * time.Second, gap: 10 * time.Second}
	barRestart = bar{back: 10 * time.Second, gap: time.Second}
	barCut     = bar{back: 40 * time.Second, gap: 40 * time.Second}
)

// faults returns everything that can happen.
func faults() (list []fault) {
	for _, r := range []Role{Leader, Follower, Meta, Front} {
		list = append(list,
			fault{"kill", r, barFault, func(ctx context.Context, n *nodes, turn int) (func() error, error) { return n.kill(ctx, r, turn) }},
			fault{"pause", r, barFault, func(ctx context.Context, n *nodes, turn int) (func() error, error) { return n.pause(ctx, r, turn) }},
			fault{"stop", r, barRestart, func(ctx context.Context, n *nodes, turn int) (func() error, error) { return n.halt(ctx, r, turn) }})
	}
	for _, r := range []Role{Leader, Follower, Meta} {
		list = append(list, fault{"drain", r, barRestart, func(ctx context.Context, n *nodes, turn int) (func() error, error) { return n.drain(ctx, r, turn) }})
	}
	for _, r := range []Role{Leader, Follower} {
		list = append(list, fault{"cut", r, barCut, func(ctx context.Context, n *nodes, turn int) (func() error, error) { return n.cut(ctx, r, turn) }})
	}
	return list
}

// victim returns the process that has a role.
func (n *nodes) victim(ctx context.Context, r Role, turn int) (*process, error) {
	one, err := n.machines.find(ctx, r, turn)
	if err != nil {
		return nil, err
	}
	if r == Front {
		return one.server, nil
	}
	return one.nats, nil
}

// kill ends a process by force, and starts it again when all go on without it.
func (n *nodes) kill(ctx context.Context, r Role, turn int) (heal func() error, err error) {
	p, err := n.victim(ctx, r, turn)
	if err != nil {
		return nil, err
	}
	return func() error { return p.start(ctx) }, p.kill()
}

// pause lets a process stand still, at least until all go on without it.
func (n *nodes) pause(ctx context.Context, r Role, turn int) (heal func() error, err error) {
	p, err := n.victim(ctx, r, turn)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	return func() error {
		settle(ctx, n.config.Pause-time.Since(began))
		return p.goOn()
	}, p.pause()
}

// halt asks a process to end by SIGTERM, and starts it again.
func (n *nodes) halt(ctx context.Context, r Role, turn int) (heal func() error, err error) {
	return n.restart(ctx, r, turn, (*process).terminate)
}

// drain asks a NATS server to end when it has handed over what it leads and its clients
// have gone, and starts it again.
func (n *nodes) drain(ctx context.Context, r Role, turn int) (heal func() error, err error) {
	return n.restart(ctx, r, turn, (*process).drain)
}

func (n *nodes) restart(ctx context.Context, r Role, turn int, end func(*process) error) (heal func() error, err error) {
	p, err := n.victim(ctx, r, turn)
	if err != nil {
		return nil, err
	}
	if err := end(p); err != nil {
		return nil, err
	}
	return func() error { return p.start(ctx) }, p.wait(patience)
}

// cuts are the ways in which a machine is cut off from the others: what happens to
// what it sends, and to what it is sent.
func cuts() []struct{ away, home proxy.Fault } {
	cut, reset, stall := proxy.Fault{Kind: proxy.Cut}, proxy.Fault{Kind: proxy.Reset}, proxy.Fault{Kind: proxy.Stall}
	late := proxy.Fault{Kind: proxy.Delay, By: 100 * time.Millisecond}
	return []struct{ away, home proxy.Fault }{{cut, cut}, {stall, stall}, {away: stall}, {home: stall}, {reset, reset}, {late, late}}
}

// cut cuts a machine off from the others, with its NATS server and its server. A
// move that is sent to that one must be refused as long as nothing comes through,
// and taken when all is whole again.
func (n *nodes) cut(ctx context.Context, r Role, turn int) (heal func() error, err error) {
	one, err := n.machines.find(ctx, r, turn/len(cuts()))
	if err != nil {
		return nil, err
	}
	how := cuts()[turn%len(cuts())]
	apart := how.away == how.home && how.away.Kind != proxy.Delay
	s, err := n.newStray(ctx, one)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	n.machines.part(one, how.away, how.home)
	return func() error {
		settle(ctx, n.config.Pause-time.Since(began))
		if apart {
			s.refused(ctx)
		}
		n.machines.part(one, proxy.Fault{}, proxy.Fault{})
		return s.taken(ctx)
	}, nil
}
