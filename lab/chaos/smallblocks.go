package chaos

import (
	"context"
	"errors"
	"math"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"quintet/live/jet"
)

// smallBlocks recreates the log of a stopped server with blocks of 32 KB.
func (k *corrupter) smallBlocks(ctx context.Context) error {
	o := &server.Options{ServerName: "quintet", DontListen: true, NoSigs: true, JetStream: true, StoreDir: k.path("run"), JetStreamMaxStore: math.MaxInt64}
	own, err := jet.StartServer(o, nil)
	if err != nil {
		return err
	}
	defer func() { own.Shutdown(); own.WaitForShutdown() }()
	return smallBlocks(ctx, "", nats.InProcessServer(own))
}

// smallBlocks recreates the stream of events with blocks of 32 KB instead of 8 MB, so that a small log has many.
// JetStream derives the size of blocks from MaxBytes when it creates a stream.
func smallBlocks(ctx context.Context, url string, options ...nats.Option) error {
	conn, err := nats.Connect(url, options...)
	if err != nil {
		return err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	s, err := js.Stream(ctx, "QUINTET")
	if err != nil {
		return err
	}
	list := make([]*jetstream.RawStreamMsg, s.CachedInfo().State.LastSeq)
	for i := range list {
		if list[i], err = s.GetMsg(ctx, uint64(i+1)); err != nil {
			return err
		}
	}
	c := s.CachedInfo().Config
	err = js.DeleteStream(ctx, c.Name)
	for _, c.MaxBytes = range []int64{1, -1} {
		if err == nil {
			poll(ctx, startupTimeout, func() bool { _, err = js.CreateOrUpdateStream(ctx, c); return err == nil }) // a server may not know the others yet
			err = errors.Join(err, ctx.Err())
		}
	}
	for _, m := range list {
		if err == nil {
			_, err = js.Publish(ctx, m.Subject, m.Data)
		}
	}
	return err
}
