package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// NodesConfig is three machines on this one, each with a NATS server and a server
// of Quintet, to which bad things happen while games are played.
type NodesConfig struct {
	Program string // that serves
	NATS    string // the NATS server, a program
	Dir     string // folder for everything; it must be empty or missing
	Times   int    // how often each fault happens
	Faults  []string
	Games   int
	Rate    float64       // moves a second, in all
	Pause   time.Duration // how long a process stands still, at least
	Stand   time.Duration // how long clocks stand after the start of a server
	Seed    uint64

	Report func(line string) // told how it goes; nil for nobody
}

// NodesResult is what came of it.
type NodesResult struct {
	Acknowledged int64 // moves
	Rivals       int64 // moves that were sent together with another for the same ply, to another server
	Events       int   // in the log at the end, each with its hash, number and ply checked
	Tried        []Tried
	Outages      Spread // times of more than a second in which nothing was acknowledged
	Charged      Spread // what clocks ran in those
	Refusals     int    // by servers that were cut off, in words
	Rejoined     Spread // until such a server took moves again, when it was not cut off any more

	Lost    []string // acknowledged moves that were not there
	Twice   []string // plies with two moves
	Wrong   []string // clocks that ran too long
	Differ  []string // what servers or spectators were told differently
	Refused []string // moves that were taken, and refused when they were repeated
	Failed  []string // what did not go on
	Slow    []string // what took longer than it may: 10 s until writes are back, 1 s between moves when something is restarted
}

// Tried is a fault, and what it did.
type Tried struct {
	Fault string
	Times int
	Back  Spread // from the fault until every player had had a new move taken
	Gap   Spread // the longest time between two moves of one player
}

// Faults returns everything that was found wrong.
func (r NodesResult) Faults() []string {
	return slices.Concat(r.Lost, r.Twice, r.Wrong, r.Differ, r.Refused, r.Failed, r.Slow)
}

// Nodes starts the machines, plays, lets every fault happen, and holds what is in
// the log, on every server and with every spectator against what was acknowledged.
func Nodes(ctx context.Context, c NodesConfig) (r NodesResult, err error) {
	list, err := c.check()
	if err != nil {
		return r, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	n := &nodes{config: c, tried: map[string]*tried{}, told: map[string]bool{}}
	if n.machines, err = newMachines(ctx, c); n.machines != nil {
		defer n.machines.end()
	}
	if err == nil {
		err = n.machines.start(ctx)
	}
	if err != nil {
		return r, err
	}
	if n.truth, err = newTruth(ctx, n.machines.all()); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, n.truth.log.Close()) }()
	n.crowd = newCrowd(n.machines.urls(), c)
	defer n.crowd.all.Wait()
	defer cancel()
	if err := n.crowd.start(ctx); err != nil {
		return r, err
	}
	err = n.run(ctx, list)
	return n.result(), err
}

// Check returns an error that says what would be right, if there is no such run.
func (c NodesConfig) Check() error {
	_, err := c.check()
	return err
}

// check returns the faults that are asked for.
func (c *NodesConfig) check() (list []fault, err error) {
	if c.Times < 1 || c.Games < 1 || c.Rate <= 0 || c.Pause < time.Second {
		return nil, fmt.Errorf("%d times, %d games, %g moves a second, pauses of %s: want 1 or more of each, and a second", c.Times, c.Games, c.Rate, c.Pause)
	}
	if c.Report == nil {
		c.Report = func(string) {}
	}
	if found, err := os.ReadDir(c.Dir); err == nil && len(found) > 0 {
		return nil, fmt.Errorf("folder %s has files: want one that is empty or missing", c.Dir)
	}
	if c.Dir, err = filepath.Abs(c.Dir); err != nil {
		return nil, err
	}
	all := faults()
	for _, want := range c.Faults {
		n := len(list)
		for _, f := range all {
			if f.name() == want || f.kind == want || string(f.role) == want {
				list = append(list, f)
			}
		}
		if n == len(list) {
			return nil, fmt.Errorf("fault %q: want some of %s", want, strings.Join(names(all), ", "))
		}
	}
	if len(c.Faults) == 0 {
		list = all
	}
	return list, nil
}

func names(list []fault) (names []string) {
	for _, f := range list {
		names = append(names, f.name())
	}
	return names
}

// nodes is a run of Nodes.
type nodes struct {
	config   NodesConfig
	machines *machines
	truth    *truth
	crowd    *crowd
	order    []string
	tried    map[string]*tried
	held     time.Time       // when games were last held against the log
	charged  []time.Duration // what clocks ran in outages
	told     map[string]bool // faults that were reported
	refusals int
	rejoined []time.Duration
}

type tried struct{ back, gap []time.Duration }

// tooLong is how long it is waited for writes to be back; the bar is 10 s, and what
// is worse is to be seen.
const tooLong = 60 * time.Second

func (n *nodes) run(ctx context.Context, list []fault) error {
	if err := n.compare(ctx); err != nil {
		return err
	}
	for i := range n.config.Times {
		for _, f := range list {
			if err := n.try(ctx, f, i); err != nil {
				return fmt.Errorf("%s, time %d: %w", f.name(), i+1, err)
			}
		}
		n.config.Report(fmt.Sprintf("%d of %d: %d moves acknowledged, %d events in the log, %d faults", i+1, n.config.Times, n.crowd.moves(), n.truth.events, len(n.result().Faults())))
	}
	return nil
}

// try lets a fault happen, waits until all is whole again, and compares.
func (n *nodes) try(ctx context.Context, f fault, turn int) error {
	settle(ctx, 300*time.Millisecond)
	began := time.Now()
	n.crowd.mark(began)
	heal, err := f.begin(ctx, n, turn)
	if err != nil {
		return err
	}
	n.crowd.back(ctx, tooLong)
	if err := heal(); err != nil {
		return err
	}
	if err := n.machines.whole(ctx); err != nil {
		return err
	}
	n.keep(f, turn)
	if err := n.compare(ctx); err != nil {
		return err
	}
	n.tell()
	return ctx.Err()
}

// tell reports faults that have not been reported.
func (n *nodes) tell() {
	for _, text := range n.result().Faults() {
		if !n.told[text] {
			n.told[text] = true
			n.config.Report("    " + text)
		}
	}
}

func settle(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// keep keeps how long it took, until all was whole again.
func (n *nodes) keep(f fault, turn int) {
	back, gap, ok := n.crowd.since()
	if !ok {
		n.crowd.note(&n.crowd.failed, fmt.Sprintf("%s, time %d: some players had no move taken for %s", f.name(), turn+1, tooLong))
		return
	}
	if n.tried[f.name()] == nil {
		n.tried[f.name()] = &tried{}
		n.order = append(n.order, f.name())
	}
	t := n.tried[f.name()]
	t.back, t.gap = append(t.back, back), append(t.gap, gap)
	n.config.Report(fmt.Sprintf("  %s: back after %.2f s, longest gap %.2f s", f.name(), back.Seconds(), gap.Seconds()))
	if back > f.bar.back || gap > f.bar.gap {
		n.crowd.note(&n.crowd.slow, fmt.Sprintf("%s, time %d: back after %.2f s, longest gap %.2f s", f.name(), turn+1, back.Seconds(), gap.Seconds()))
	}
}

// compare lets everybody rest, and holds the log, all servers and all spectators
// against what was acknowledged.
func (n *nodes) compare(ctx context.Context) error {
	return n.crowd.rest(func() error {
		if err := n.truth.read(ctx); err != nil {
			return err
		}
		for _, text := range n.truth.broken {
			n.crowd.note(&n.crowd.twice, text)
		}
		n.truth.broken = nil
		for _, p := range n.crowd.players {
			n.hold(p.id, ended{p.acknowledged, p.follower, p.turns})
			n.alike(ctx, p)
		}
		for id, g := range n.crowd.games {
			n.hold(id, g)
			delete(n.crowd.games, id)
		}
		n.held = time.Now()
		return nil
	})
}

// hold holds a game against the log.
func (n *nodes) hold(id string, g ended) {
	for _, text := range n.truth.compare(id, g.moves, g.follower) {
		n.crowd.note(&n.crowd.lost, text)
	}
	run, wrong := n.crowd.clocks(id, g.turns, n.truth.clocks[id], n.held)
	n.charged = append(n.charged, run...)
	for _, text := range wrong {
		n.crowd.note(&n.crowd.wrong, text)
	}
}

// alikeTime is how long a server or a spectator may be behind.
const alikeTime = 10 * time.Second

// alike wants every server to show what was acknowledged of a game, and the
// spectator to have been told of it.
func (n *nodes) alike(ctx context.Context, p *player) {
	for _, url := range n.crowd.urls {
		var moves []string
		var err error
		is := until(ctx, alikeTime, func() bool {
			moves, err = p.seen(ctx, url)
			return err == nil && slices.Equal(moves, p.acknowledged)
		})
		if !is {
			n.crowd.note(&n.crowd.differ, fmt.Sprintf("game %s: %s has %d moves, %d were acknowledged (%v)", p.id, url, len(moves), len(p.acknowledged), err))
		}
	}
	if !until(ctx, alikeTime, func() bool { return p.follower.saw(p.acknowledged) }) {
		n.crowd.note(&n.crowd.differ, fmt.Sprintf("game %s: its spectator has not been told of all %d moves", p.id, len(p.acknowledged)))
	}
}

// until waits until something is so, and reports whether it is.
func until(ctx context.Context, within time.Duration, is func() bool) bool {
	for began := time.Now(); ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		if is() {
			return true
		}
		if time.Since(began) > within {
			break
		}
	}
	return false
}

func (n *nodes) result() NodesResult {
	c := n.crowd
	c.mu.Lock()
	defer c.mu.Unlock()
	r := NodesResult{
		Acknowledged: c.moves(), Rivals: c.rivals.Load(), Events: n.truth.events, Charged: Spreads(slices.Clone(n.charged)),
		Lost: c.lost, Twice: c.twice, Wrong: c.wrong, Differ: c.differ, Refused: c.refused, Failed: c.failed, Slow: c.slow,
		Refusals: n.refusals, Rejoined: Spreads(slices.Clone(n.rejoined)),
	}
	var out []time.Duration
	for _, o := range c.outages {
		out = append(out, o.to.Sub(o.from))
	}
	r.Outages = Spreads(out)
	for _, name := range n.order {
		t := n.tried[name]
		r.Tried = append(r.Tried, Tried{name, len(t.back), Spreads(slices.Clone(t.back)), Spreads(slices.Clone(t.gap))})
	}
	return r
}
