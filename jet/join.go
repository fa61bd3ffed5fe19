package jet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// Cluster is a NATS cluster that is there already.
type Cluster struct {
	URL    string // of its servers, separated by commas, for the account in which the games are kept
	System string // the same for the system account, by which the servers are asked how they write
}

// replicas is on how many servers everything is written in a cluster.
const replicas = 3

// Join opens the log in a cluster. It is refused unless at least three servers of
// the cluster say that they force every write to the disk before they acknowledge
// it (sync_interval: always), and none says otherwise.
func Join(ctx context.Context, c Cluster) (*Log, error) {
	if err := prove(ctx, c); err != nil {
		return nil, fmt.Errorf("joining the cluster: %w", err)
	}
	l := &Log{replicas: replicas, patience: elsewhere}
	if err := l.connect(c.URL); err != nil {
		return nil, fmt.Errorf("joining the cluster: %w", err)
	}
	if err := l.settle(ctx); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// settle prepares the log as soon as the cluster lets it: servers that start
// together find streams that are being made, and have no leader yet.
func (l *Log) settle(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for {
		err := l.readable(ctx)
		var refused *unfitError
		if err == nil || errors.As(err, &refused) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("joining the cluster, for %s: %w", startTime, err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// readable prepares the log and reads what every server reads first.
func (l *Log) readable(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*l.patience) // an answer may be lost
	defer cancel()
	if err := l.prepare(ctx); err != nil {
		return err
	}
	_, err := l.Time(ctx)
	if err != nil {
		return err
	}
	_, err = l.Last(ctx)
	return err
}

// told is what a server says of how it writes, as far as it matters here.
type told struct {
	Server struct {
		Name string `json:"name"`
	} `json:"server"`
	Data struct {
		Disabled bool `json:"disabled"`
		Config   struct {
			Always bool `json:"sync_always"`
		} `json:"config"`
	} `json:"data"`
}

// How long answers of servers are waited for: the first ones, and further ones
// when enough have come.
const (
	proveTime   = 5 * time.Second
	silenceTime = 300 * time.Millisecond
)

// prove asks all servers of the cluster how they write.
func prove(ctx context.Context, c Cluster) error {
	if c.System == "" {
		return errors.New("its servers cannot be asked whether they force writes to the disk: want --nats-system, an address with the rights of the system account")
	}
	conn, err := nats.Connect(c.System, nats.Name("quintet asks how servers write"))
	if err != nil {
		return fmt.Errorf("as the system account: %w", err)
	}
	defer conn.Close()
	inbox := conn.NewInbox()
	sub, err := conn.SubscribeSync(inbox)
	if err != nil {
		return err
	}
	if err := conn.PublishRequest("$SYS.REQ.SERVER.PING.JSZ", inbox, []byte(`{"config":true}`)); err != nil {
		return err
	}
	safe := 0
	for ctx.Err() == nil {
		wait := proveTime
		if safe >= replicas {
			wait = silenceTime
		}
		m, err := sub.NextMsg(wait)
		if err != nil || m.Header.Get("Status") != "" {
			break
		}
		var t told
		if err := json.Unmarshal(m.Data, &t); err != nil || t.Data.Disabled {
			continue
		}
		if !t.Data.Config.Always {
			return fmt.Errorf("server %s acknowledges writes before they are on the disk: want sync_interval: always in its jetstream section", t.Server.Name)
		}
		safe++
	}
	if safe < replicas {
		return fmt.Errorf("%d servers say that they force writes to the disk: want %d or more, and the rights to ask them", safe, replicas)
	}
	return nil
}
