package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"quintet/lab/load"
	"quintet/live"
	"quintet/live/jet"
)

// memberCorrupter damages copies of the log of one NATS server of three, or of two.
type memberCorrupter struct {
	corrupter
	cluster jet.Cluster
	client  *load.Client
	monitor [clusterSize]string // addresses of /healthz
	files   [clusterSize]string
	cancel  [clusterSize]context.CancelFunc
	done    [clusterSize]chan error // what Run returned
	events  uint64
}

// folder returns the store_dir of a server, or a copy of it.
func (k *memberCorrupter) folder(kind string, i int) string {
	return filepath.Join(k.path(kind), fmt.Sprint("n", i))
}

// CorruptMembers fills the log of three NATS servers. Again and again it restores their files, damages those of one
// server (of two in every eighth run), and starts all. Every copy must be intact again, or its server refuse to
// start, and everything that was acknowledged must be there.
func CorruptMembers(ctx context.Context, c Config) (r CorruptResult, err error) {
	k := &memberCorrupter{corrupter: corrupter{config: c, want: map[string][][]byte{}}, client: load.NewClient(clusterSize, 2*time.Second)}
	if err := k.configure(ctx); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, k.end()) }()
	if err := k.fill(func(part int) error { return k.write(ctx, part) }); err != nil {
		return r, err
	}
	if err := k.restore("intact"); err != nil {
		return r, err
	}
	if err := k.read(ctx, func(*jet.Log) error { return nil }); err != nil {
		return r, err
	}
	return k.repeat(ctx, func(number int, random *rand.Rand) (what, outcome string, err error) {
		what, outcome, err = k.try(ctx, number, random)
		c.Report(fmt.Sprintf("%d of %d: %s: %s %v", number+1, c.Times, what, outcome, err))
		return what, outcome, err
	})
}

// configure writes the configurations of the servers.
func (k *memberCorrupter) configure(ctx context.Context) error {
	free, err := lowAddresses(ctx, 3*clusterSize, k.config.Seed)
	if err != nil {
		return err
	}
	var urls, systems []string
	for i := range clusterSize {
		a := free[3*i:]
		routes := []string{"nats://" + free[(3*i+4)%len(free)], "nats://" + free[(3*i+7)%len(free)]}
		text := fmt.Sprintf(natsConfig, i, a[0], a[2], a[1], strings.Join(routes, ", "), k.folder("run", i))
		k.monitor[i] = a[2]
		text = strings.Replace(text, "lame_duck_grace_period: 2s", "lame_duck_grace_period: 10ms", 1)
		k.files[i] = filepath.Join(k.config.Dir, fmt.Sprint("n", i, ".conf"))
		if err := errors.Join(os.MkdirAll(k.config.Dir, 0o750), os.WriteFile(k.files[i], []byte(text), 0o600)); err != nil {
			return err
		}
		urls, systems = append(urls, "nats://app:app@"+a[0]), append(systems, "nats://sys:sys@"+a[0])
	}
	k.cluster = jet.Cluster{URL: strings.Join(urls, ","), System: strings.Join(systems, ",")}
	return nil
}

// start starts a server.
func (k *memberCorrupter) start(i int) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	k.cancel[i], k.done[i] = cancel, done
	m := jet.Member{Config: k.files[i], Cluster: k.cluster, Logger: slog.New(slog.DiscardHandler), Verify: 2 * time.Second}
	go func() { done <- m.Run(ctx) }()
}

// end stops servers, or all.
func (k *memberCorrupter) end(list ...int) (err error) {
	if len(list) == 0 {
		list = []int{0, 1, 2}
	}
	for _, i := range list {
		if k.cancel[i] != nil {
			k.cancel[i]()
		}
	}
	for _, i := range list {
		if k.done[i] != nil {
			err = errors.Join(err, <-k.done[i])
			k.done[i] = nil
		}
	}
	return err
}

// write fills the log up to so many events.
func (k *memberCorrupter) write(ctx context.Context, part int) error {
	return k.read(ctx, func(l *jet.Log) (err error) {
		poll(ctx, startupTimeout, func() bool { err = putSmall(ctx, l, part); return err == nil }) // the streams may have no leaders yet
		if err == nil && part < k.config.Events {
			err = smallBlocks(ctx, k.cluster.URL)
		}
		if err == nil {
			_, err = Fill(ctx, l, part, k.config.Seed)
		}
		return err
	})
}

// read starts all servers, calls write, records the contents of the log, and stops all.
func (k *memberCorrupter) read(ctx context.Context, write func(*jet.Log) error) error {
	for i := range clusterSize {
		k.start(i)
	}
	l, err := jet.Join(ctx, k.cluster, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	if err = write(l); err == nil {
		k.events, err = l.Last(ctx)
	}
	if err = errors.Join(err, k.note(ctx, l), l.Close()); err != nil {
		return err
	}
	if !poll(ctx, startupTimeout, func() bool { return k.intactBut(0, true) }) {
		return errors.New("reading the log: a server lacks events")
	}
	return k.end()
}

// putSmall writes a record and a heartbeat, unless they are there.
func putSmall(ctx context.Context, l *jet.Log, part int) error {
	_, err := l.PutRecord(ctx, fmt.Sprint("abcdefgh", part), 0, []byte(`{"name":"Anna"}`))
	if err != nil && !errors.Is(err, live.ErrStale) {
		return err
	}
	h, err := l.LastHeartbeat(ctx)
	if err == nil && h.Service < int64(part) {
		_, err = l.WriteHeartbeat(ctx, h.Seq, live.Heartbeat{Service: int64(part), By: "chaos"})
	}
	return err
}

// intact reports whether a copy has all events.
func (k *memberCorrupter) intact(i int) bool {
	v, err := jet.VerifyMember(k.folder("run", i))
	return err == nil && v.Problem == "" && len(v.Damaged) == 0 && v.Events >= k.events
}

// intactBut reports whether all copies are intact. If member is false, server other may lack a copy.
func (k *memberCorrupter) intactBut(other int, member bool) bool {
	for i := range clusterSize {
		blocks, _ := filepath.Glob(filepath.Join(k.folder("run", i), "jetstream", "*", "streams", "QUINTET", "msgs", "*.blk"))
		if (member || i != other || len(blocks) > 0) && !k.intact(i) {
			return false
		}
	}
	return true
}

// healthy reports whether all servers have caught up with their Raft groups.
func (k *memberCorrupter) healthy(ctx context.Context) bool {
	for _, address := range k.monitor {
		if k.client.Get(ctx, "http://"+address+"/healthz", &struct{}{}) != nil {
			return false
		}
	}
	return true
}

// try damages a copy, or two, and starts all servers.
func (k *memberCorrupter) try(ctx context.Context, number int, random *rand.Rand) (what, outcome string, err error) {
	if err := k.restore("intact"); err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, ignoreRefused(k.end())) }()
	bad := []int{random.IntN(clusterSize)}
	switch number % 8 {
	case 3:
		what = "removed: peer"
		err = k.remove(ctx, bad[0])
	case 7:
		bad = append(bad, (bad[0]+1)%clusterSize)
		fallthrough
	default:
		for _, i := range bad {
			var one string
			one, err = damage(k.folder("run", i), k.folder("old", i), random)
			what = strings.TrimPrefix(what+", "+one, ", ")
		}
		if len(bad) > 1 {
			what = "two: " + what
		}
	}
	if err != nil {
		return what, "", err
	}
	outcome, err = k.recover(ctx, bad, !strings.HasPrefix(what, "removed"))
	return what, outcome, err
}

// healTimeout is how long servers of the lowest priority on a busy machine may take until all copies are intact. NATS does
// not readmit a removed server for five minutes.
const healTimeout = 10 * time.Minute

// refused is the text of the error of a server that does not start with a damaged copy.
const refused = "repairing the copy of the log"

// ignoreRefused returns nil for the error of a server that refused to start.
func ignoreRefused(err error) error {
	if err != nil && strings.Contains(err.Error(), refused) {
		return nil
	}
	return err
}

// recover starts all servers that do not run, and waits until all copies are intact, or a server has refused to start.
// A server that was removed from the cluster may delete its copy when it starts, and may not rejoin before recover returns.
func (k *memberCorrupter) recover(ctx context.Context, bad []int, member bool) (outcome string, err error) {
	for i := range clusterSize {
		if k.done[i] == nil {
			k.start(i)
		}
	}
	ended := false
	fine := poll(ctx, healTimeout, func() bool {
		ended = len(k.done[bad[0]]) > 0
		time.Sleep(100 * time.Millisecond)
		return ended || (!member || k.healthy(ctx)) && k.intactBut(bad[0], member) // which is slower
	})
	aside := 0
	for i := range clusterSize {
		list, _ := filepath.Glob(filepath.Join(k.folder("run", i), "damaged", "*"))
		aside += len(list)
	}
	switch {
	case ended && aside > 0 && len(bad) > 1:
		return "refused", errors.New("a copy was set aside, although two are damaged")
	case ended && len(bad) > 1:
		return "refused", nil
	case ended:
		return "refused", fmt.Errorf("with one damaged copy: %w", <-k.done[bad[0]])
	case !fine:
		return "", k.explain()
	}
	if member {
		err = k.end((bad[0] + 1) % clusterSize) // so that the repaired one is needed
	}
	if err = errors.Join(err, k.check(ctx)); err != nil {
		return "", err
	}
	if !member && !poll(ctx, healTimeout, func() bool { return k.intactBut(bad[0], false) }) {
		return "", k.explain()
	}
	if aside > 0 {
		return "repaired", nil
	}
	return "harmless", nil
}

// explain says which copies are not intact.
func (k *memberCorrupter) explain() error {
	text := fmt.Sprintf("after %s:", healTimeout)
	for i := range clusterSize {
		v, err := jet.VerifyMember(k.folder("run", i))
		text += fmt.Sprintf(" n%d has %d of %d events, %d damaged streams %s %v;", i, v.Events, k.events, len(v.Damaged), v.Problem, err)
	}
	return errors.New(text)
}

// check compares everything with what was acknowledged.
func (k *memberCorrupter) check(ctx context.Context) error {
	var l *jet.Log
	var err error
	if !poll(ctx, healTimeout, func() bool { l, err = jet.Join(ctx, k.cluster, slog.New(slog.DiscardHandler)); return err == nil }) {
		return err
	}
	defer func() { _ = l.Close() }()
	outcome := ""
	poll(ctx, healTimeout, func() bool { // the streams may have no leaders yet
		if outcome, err = k.compare(ctx, l); err == nil {
			err = k.checkSmall(ctx, l)
		}
		return err == nil || outcome == "wrong"
	})
	if err != nil {
		return fmt.Errorf("%s: %w", outcome, err)
	}
	return nil
}

// checkSmall checks the service time and the records.
func (k *memberCorrupter) checkSmall(ctx context.Context, l *jet.Log) error {
	h, err := l.LastHeartbeat(ctx)
	if err == nil && h.Service < int64(k.config.Events) {
		err = fmt.Errorf("the service time went back to %d ms, want %d", h.Service, k.config.Events)
	}
	for _, part := range []int{k.config.Events * 3 / 4, k.config.Events} {
		r, bad := l.GetRecord(ctx, fmt.Sprint("abcdefgh", part))
		if err = errors.Join(err, bad); err == nil && len(r.Data) == 0 {
			err = errors.New("a record is lost")
		}
	}
	return err
}

// remove removes a server from the cluster while it is down, and writes what it lacks.
func (k *memberCorrupter) remove(ctx context.Context, gone int) error {
	for i := range clusterSize {
		k.start(i)
	}
	poll(ctx, startupTimeout, func() bool { return k.joins(ctx) == nil }) // all know the server by its name now
	if err := k.end(gone); err != nil {
		return err
	}
	return removePeer(ctx, k.cluster.System, fmt.Sprint("n", gone))
}

// removePeer removes a NATS server that does not answer from the cluster.
func removePeer(ctx context.Context, system, name string) error {
	conn, err := nats.Connect(system, nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1))
	if err != nil {
		return err
	}
	defer conn.Close()
	var answer struct {
		Success bool `json:"success"`
	}
	removed := poll(ctx, startupTimeout, func() bool {
		m, err := conn.Request("$JS.API.SERVER.REMOVE", fmt.Appendf(nil, `{"peer":%q}`, name), time.Second)
		return err == nil && json.Unmarshal(m.Data, &answer) == nil && answer.Success
	})
	if !removed {
		return fmt.Errorf("removing %s from the cluster failed", name)
	}
	return nil
}

// joins joins the cluster and leaves it.
func (k *memberCorrupter) joins(ctx context.Context) error {
	l, err := jet.Join(ctx, k.cluster, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return l.Close()
}
