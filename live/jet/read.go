package jet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"quintet/live"
)

// NATS disconnects a client for which 64 MB wait; everything that waits is lost. So a request
// returns at most page events and about pageBytes, there are at most maxReads requests at a time,
// and a follower is sent at most followBytes ahead. A limit of events would not do: the client
// drops what exceeds it, also the messages with which NATS ends a request.
const (
	page        = 1000
	pageBytes   = 2 << 20
	maxReads    = 16
	followBytes = 4 << 20
)

// Read implements live.Log.
func (l *Log) Read(ctx context.Context, stream string) (list []live.Entry, err error) {
	if err := l.damaged.check(stream); err != nil {
		return nil, fmt.Errorf("reading %s: %w", stream, err)
	}
	subject := subjects + "." + stream
	for from := uint64(1); ; {
		got, more, err := l.direct(ctx, subject, from)
		if errors.Is(err, errSilent) {
			break // the leader has the rest
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", stream, err)
		}
		list = append(list, got...)
		if len(list) > 0 {
			from = list[len(list)-1].Seq + 1
		}
		if !more {
			break
		}
	}
	if l.embedded != nil {
		list, err = l.embedded.onDisk(list)
	} else {
		list, err = l.appendFromLeader(ctx, subject, list)
	}
	if err != nil {
		return nil, err
	}
	return l.withoutErased(ctx, stream, list)
}

// silentTime is how long to wait for a replica before asking the leader instead: NATS also
// routes requests to replicas that are frozen.
const silentTime = 500 * time.Millisecond

var errSilent = errors.New("a server does not answer")

// direct asks for a page of the events of a subject from a sequence number on; more is true
// if others follow. In a cluster, any replica may answer, and may lag a little. It returns
// errSilent if the replica does not answer.
func (l *Log) direct(ctx context.Context, subject string, from uint64) (list []live.Entry, more bool, err error) {
	select {
	case l.reads <- struct{}{}:
		defer func() { <-l.reads }()
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	request, err := json.Marshal(map[string]any{"seq": from, "next_by_subj": subject, "batch": page, "max_bytes": pageBytes})
	if err != nil {
		return nil, false, err
	}
	inbox := l.conn.NewInbox()
	sub, err := l.conn.ChanSubscribe(inbox, make(chan *nats.Msg, page+1)) // a page and its end; SubscribeSync would reserve 65,536
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = sub.Unsubscribe() }() // the inbox is used once
	if err := l.conn.PublishRequest("$JS.API.DIRECT.GET."+streamName, inbox, request); err != nil {
		return nil, false, err
	}
	timeout := ackTimeout
	if l.embedded == nil {
		timeout = silentTime
	}
	all, cancel := l.withTimeout(ctx, ackTimeout)
	defer cancel()
	for {
		m, err := next(all, sub, timeout)
		switch {
		case err != nil && l.embedded == nil && ctx.Err() == nil:
			return nil, false, errSilent
		case err != nil:
			return nil, false, requestError(all, err)
		}
		switch status := m.Header.Get("Status"); status {
		case "":
			e, err := entry(m)
			if err != nil {
				return nil, false, err
			}
			list = append(list, e)
		case "204": // the end of the page
			return list, len(list) > 0 && m.Header.Get("Nats-Num-Pending") != "0", nil
		case "404": // nothing at all
			return nil, false, nil
		default:
			return nil, false, fmt.Errorf("status %s %s", status, m.Header.Get("Description"))
		}
	}
}

func entry(m *nats.Msg) (live.Entry, error) {
	seq, err := strconv.ParseUint(m.Header.Get("Nats-Sequence"), 10, 64)
	if err != nil {
		return live.Entry{}, fmt.Errorf("an event without a number: %w", err)
	}
	return live.Entry{Stream: strings.TrimPrefix(m.Header.Get("Nats-Subject"), subjects+"."), Seq: seq, Data: m.Data}, nil
}

// appendFromLeader adds the events that the leader has beyond a list.
func (l *Log) appendFromLeader(ctx context.Context, subject string, list []live.Entry) ([]live.Entry, error) {
	from := uint64(1)
	if len(list) > 0 {
		from = list[len(list)-1].Seq + 1
	}
	for {
		e, ok, err := l.ask(ctx, streamName, map[string]any{"seq": from, "next_by_subj": subject})
		if err != nil {
			return nil, fmt.Errorf("reading the log: %w", err)
		}
		if !ok {
			return list, nil
		}
		list = append(list, e)
		from = e.Seq + 1
	}
}

// notFound is JetStream's error code for a missing message.
const notFound = 10037

// ask asks the leader of a stream for one message; ok is false if there is none.
func (l *Log) ask(ctx context.Context, stream string, what map[string]any) (e live.Entry, ok bool, err error) {
	request, err := json.Marshal(what)
	if err != nil {
		return e, false, err
	}
	ctx, cancel := l.withTimeout(ctx, l.timeout)
	defer cancel()
	answer, err := l.conn.RequestWithContext(ctx, "$JS.API.STREAM.MSG.GET."+stream, request)
	if err != nil {
		return e, false, requestError(ctx, err)
	}
	var got struct {
		Error   *jetstream.APIError `json:"error"`
		Message struct {
			Subject string `json:"subject"`
			Seq     uint64 `json:"seq"`
			Data    []byte `json:"data"`
		} `json:"message"`
	}
	if err := json.Unmarshal(answer.Data, &got); err != nil {
		return e, false, fmt.Errorf("reading an event: %w", err)
	}
	switch {
	case got.Error != nil && got.Error.ErrorCode == notFound:
		return e, false, nil
	case got.Error != nil:
		return e, false, got.Error
	}
	return live.Entry{Stream: strings.TrimPrefix(got.Message.Subject, subjects+"."), Seq: got.Message.Seq, Data: got.Message.Data}, true, nil
}
