// Package jet is a farm.Store on NATS JetStream.
//
// Start with [Open]. Jobs and workers are in one stream, with one message for each
// spec, state and worker. Results are in another, with one subject for each unit: the
// server accepts a result only if its subject is empty, so that the first writer wins.
package jet

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"quintet/farm"
)

// The streams, and the subjects of their messages.
const (
	jobsStream    = "FARM_JOBS"
	resultsStream = "FARM_RESULTS"
	jobSubject    = "farm.job"    // .ID.spec and .ID.state
	workerSubject = "farm.worker" // .KEY
	resultSubject = "farm.result" // .ID.UNIT
)

// Headers of a result.
const (
	workerHeader = "Farm-Worker"
	digestHeader = "Farm-Digest"
)

// timeout is how long the disk may take until the outcome of a write counts as
// unknown.
const timeout = 10 * time.Second

// Store is a farm.Store on JetStream.
type Store struct {
	js      jetstream.JetStream
	jobs    jetstream.Stream
	results jetstream.Stream
	space   func() error
	limit   int64
	epoch   atomic.Uint64 // the sequence of the message that began this coordinator's lead; 0 without a lease
	size    atomic.Int64  // of the streams, about: writes add to it, and deletions read it again
}

var _ farm.Store = (*Store)(nil)

// Limits bound what a store takes.
type Limits struct {
	Space func() error // returns an error while the disk is full; nil if the server is on another machine
	Bytes int64        // of jobs and results; 0 for no limit
}

// Open opens the streams on a connection, and creates those that are missing with so
// many replicas.
func Open(ctx context.Context, conn *nats.Conn, replicas int, limits Limits) (*Store, error) {
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(timeout))
	if err != nil {
		return nil, fmt.Errorf("opening the farm's streams: %w", err)
	}
	s := &Store{js: js, space: limits.Space, limit: limits.Bytes}
	s.jobs, err = s.stream(ctx, jetstream.StreamConfig{
		Name: jobsStream, Description: "jobs and workers of a farm of Quintet", Subjects: []string{jobSubject + ".*.*", workerSubject + ".*", leaseSubject, epochSubject},
		Storage: jetstream.FileStorage, MaxMsgsPerSubject: 1, Replicas: replicas, AllowDirect: true, Duplicates: time.Second,
	})
	if err != nil {
		return nil, err
	}
	s.results, err = s.stream(ctx, jetstream.StreamConfig{
		Name: resultsStream, Description: "results of a farm of Quintet", Subjects: []string{resultSubject + ".*.*"},
		Storage: jetstream.FileStorage, MaxMsgsPerSubject: 1, Replicas: replicas, AllowDirect: true, Duplicates: time.Second,
		Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgSize: farm.MaxPayloadBytes + 4096,
	})
	if err != nil {
		return nil, err
	}
	return s, s.measure(ctx)
}

// measure reads how much the streams take.
func (s *Store) measure(ctx context.Context) error {
	var size int64
	for _, stream := range []jetstream.Stream{s.jobs, s.results} {
		info, err := stream.Info(ctx)
		if err != nil {
			return fmt.Errorf("reading the size of the streams: %w", err)
		}
		size += int64(info.State.Bytes)
	}
	s.size.Store(size)
	return nil
}

// Bytes implements farm.Store.
func (s *Store) Bytes() int64 { return s.size.Load() }

// messageOverhead is about what a message takes besides its content, in bytes.
const messageOverhead = 200

// room returns an error if a write of bytes more would exceed the limit.
func (s *Store) room(bytes int) error {
	if size := s.size.Load(); s.limit > 0 && size+int64(bytes)+messageOverhead > s.limit {
		return fmt.Errorf("%w: jobs and results take %.0f MB of at most %.0f MB, and quintet jobs remove makes room", farm.ErrFull, float64(size)/1e6, float64(s.limit)/1e6)
	}
	return nil
}

// stream opens a stream and creates it if it is missing. It refuses one that would
// accept two results of a unit.
func (s *Store) stream(ctx context.Context, c jetstream.StreamConfig) (jetstream.Stream, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout) // a cluster without a leader does not answer
	defer cancel()
	stream, err := s.js.CreateStream(ctx, c)
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		stream, err = s.js.Stream(ctx, c.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("opening stream %s: %w", c.Name, err)
	}
	if got := stream.CachedInfo().Config; !slices.Equal(got.Subjects, c.Subjects) || got.MaxMsgsPerSubject != 1 || !got.AllowDirect || got.DiscardNewPerSubject != c.DiscardNewPerSubject || got.Storage != c.Storage {
		return nil, fmt.Errorf("stream %s has other settings than this program gives it: delete it, or use another NATS account", c.Name)
	}
	return stream, nil
}

func specOf(id string) string  { return jobSubject + "." + id + ".spec" }
func stateOf(id string) string { return jobSubject + "." + id + ".state" }

func subjectOf(job string, unit int) string {
	return resultSubject + "." + job + "." + strconv.Itoa(unit)
}

// put publishes a message. With first it fails with farm.ErrExists if the subject has
// one; otherwise it fails with ErrFenced if another coordinator leads.
func (s *Store) put(ctx context.Context, m *nats.Msg, first bool) error {
	if s.space != nil {
		if err := s.space(); err != nil {
			return fmt.Errorf("%w: %w", farm.ErrFull, err)
		}
	}
	var o []jetstream.PublishOpt
	if epoch := s.epoch.Load(); first {
		o = append(o, jetstream.WithExpectLastSequencePerSubject(0))
	} else if epoch > 0 {
		o = append(o, jetstream.WithExpectLastSequenceForSubject(epoch, epochSubject))
	}
	_, err := s.js.PublishMsg(ctx, m, o...)
	if !first && wrongSequence(err) {
		return fmt.Errorf("writing %s: %w", m.Subject, ErrFenced)
	}
	var api *jetstream.APIError
	if errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == errMaxPerSubject) {
		return farm.ErrExists
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", m.Subject, err)
	}
	s.size.Add(int64(len(m.Subject) + len(m.Data) + messageOverhead))
	return nil
}

// errMaxPerSubject is what the server answers if a subject of a stream that discards
// new messages is full.
const errMaxPerSubject jetstream.ErrorCode = 10077

func (s *Store) putJSON(ctx context.Context, subject string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("writing %s: %w", subject, err)
	}
	return s.put(ctx, &nats.Msg{Subject: subject, Data: text}, false)
}

// get reads the message of a subject.
func get(ctx context.Context, from jetstream.Stream, subject string) (*jetstream.RawStreamMsg, error) {
	m, err := from.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, fmt.Errorf("%s: %w", subject, farm.ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", subject, err)
	}
	return m, nil
}

// PutJob implements farm.Store. The state is written first: a job without a spec is
// none.
func (s *Store) PutJob(ctx context.Context, id string, spec []byte, state farm.JobState) error {
	if err := s.room(len(spec)); err != nil {
		return err
	}
	_, err := get(ctx, s.jobs, specOf(id))
	if err == nil {
		return fmt.Errorf("job %s: %w", id, farm.ErrExists)
	}
	if !errors.Is(err, farm.ErrNotFound) {
		return err
	}
	if err := s.putJSON(ctx, stateOf(id), state); err != nil {
		return err
	}
	return s.put(ctx, &nats.Msg{Subject: specOf(id), Data: spec}, true)
}

// SetJobState implements farm.Store.
func (s *Store) SetJobState(ctx context.Context, id string, state farm.JobState) error {
	if _, err := get(ctx, s.jobs, specOf(id)); err != nil {
		return err
	}
	return s.putJSON(ctx, stateOf(id), state)
}

// DeleteJob implements farm.Store. The results go first: a job without some of them is
// done again, but results without a job would stay for ever.
func (s *Store) DeleteJob(ctx context.Context, id string) error {
	if err := s.lead(ctx); err != nil {
		return err
	}
	err := s.results.Purge(ctx, jetstream.WithPurgeSubject(resultSubject+"."+id+".*"))
	if err == nil {
		err = s.jobs.Purge(ctx, jetstream.WithPurgeSubject(jobSubject+"."+id+".*"))
	}
	if err != nil {
		return fmt.Errorf("deleting job %s: %w", id, err)
	}
	return s.measure(ctx)
}

// lead returns an error if another coordinator leads: deletions have no condition.
func (s *Store) lead(ctx context.Context) error {
	epoch := s.epoch.Load()
	if epoch == 0 {
		return nil
	}
	m, err := s.jobs.GetMsg(ctx, epoch)
	if errors.Is(err, jetstream.ErrMsgNotFound) || err == nil && m.Subject != epochSubject {
		return ErrFenced
	}
	if err != nil {
		return fmt.Errorf("reading the epoch: %w", err)
	}
	return nil
}

// Jobs implements farm.Store.
func (s *Store) Jobs(ctx context.Context, each func(string, []byte, farm.JobState) error) error {
	return s.scan(ctx, jobsStream, jobSubject+".*.spec", false, func(m jetstream.Msg) error {
		id := strings.Split(m.Subject(), ".")[2]
		raw, err := get(ctx, s.jobs, stateOf(id))
		if err != nil {
			return err
		}
		var state farm.JobState
		if err := json.Unmarshal(raw.Data, &state); err != nil {
			return fmt.Errorf("the state of job %s: %w", id, err)
		}
		return each(id, m.Data(), state)
	})
}

// scan calls each with the messages of a stream that are there now.
func (s *Store) scan(ctx context.Context, stream, filter string, headersOnly bool, each func(jetstream.Msg) error) error {
	c, err := s.js.OrderedConsumer(ctx, stream, jetstream.OrderedConsumerConfig{FilterSubjects: []string{filter}, HeadersOnly: headersOnly})
	if err != nil {
		return fmt.Errorf("reading stream %s: %w", stream, err)
	}
	if info := c.CachedInfo(); info != nil && info.NumPending == 0 {
		return nil
	}
	messages, err := c.Messages(jetstream.PullMaxMessages(5000))
	if err != nil {
		return fmt.Errorf("reading stream %s: %w", stream, err)
	}
	defer messages.Stop()
	for {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return fmt.Errorf("reading stream %s: %w", stream, err)
		}
		if err := each(m); err != nil {
			return err
		}
		meta, err := m.Metadata()
		if err != nil {
			return fmt.Errorf("reading stream %s: %w", stream, err)
		}
		if meta.NumPending == 0 {
			return nil
		}
	}
}

// PutResult implements farm.Store.
func (s *Store) PutResult(ctx context.Context, job string, r farm.Stored, payload []byte) error {
	if err := s.room(len(payload)); err != nil {
		return err
	}
	m := &nats.Msg{Subject: subjectOf(job, r.Unit), Data: payload, Header: nats.Header{
		workerHeader: {r.Worker}, digestHeader: {hex.EncodeToString([]byte(r.Digest))},
	}}
	return s.put(ctx, m, true)
}

// storedOf returns what the subject and the header of a result say.
func storedOf(subject string, h nats.Header) (job string, r farm.Stored, err error) {
	parts := strings.Split(subject, ".")
	unit, err := strconv.Atoi(parts[len(parts)-1])
	digest, err2 := hex.DecodeString(h.Get(digestHeader))
	if err := errors.Join(err, err2); err != nil {
		return "", r, fmt.Errorf("result %s: %w", subject, err)
	}
	return parts[2], farm.Stored{Unit: unit, Worker: h.Get(workerHeader), Digest: farm.Digest(digest)}, nil
}

// Result implements farm.Store.
func (s *Store) Result(ctx context.Context, job string, unit int) (farm.Stored, []byte, error) {
	m, err := get(ctx, s.results, subjectOf(job, unit))
	if err != nil {
		return farm.Stored{}, nil, err
	}
	_, r, err := storedOf(m.Subject, m.Header)
	return r, m.Data, err
}

// DeleteResult implements farm.Store.
func (s *Store) DeleteResult(ctx context.Context, job string, unit int) error {
	if err := s.lead(ctx); err != nil {
		return err
	}
	if err := s.results.Purge(ctx, jetstream.WithPurgeSubject(subjectOf(job, unit))); err != nil {
		return fmt.Errorf("deleting %s: %w", subjectOf(job, unit), err)
	}
	return nil
}

// Results implements farm.Store. It reads headers alone: 100,000 results take a second.
func (s *Store) Results(ctx context.Context, each func(string, farm.Stored) error) error {
	return s.scan(ctx, resultsStream, resultSubject+".*.*", true, func(m jetstream.Msg) error {
		job, r, err := storedOf(m.Subject(), m.Headers())
		if err != nil {
			return err
		}
		return each(job, r)
	})
}

// SetWorker implements farm.Store.
func (s *Store) SetWorker(ctx context.Context, key string, state farm.WorkerState) error {
	return s.putJSON(ctx, workerSubject+"."+key, state)
}

// Workers implements farm.Store.
func (s *Store) Workers(ctx context.Context) (map[string]farm.WorkerState, error) {
	list := map[string]farm.WorkerState{}
	err := s.scan(ctx, jobsStream, workerSubject+".*", false, func(m jetstream.Msg) error {
		var state farm.WorkerState
		if err := json.Unmarshal(m.Data(), &state); err != nil {
			return fmt.Errorf("%s: %w", m.Subject(), err)
		}
		list[strings.TrimPrefix(m.Subject(), workerSubject+".")] = state
		return nil
	})
	return list, err
}
