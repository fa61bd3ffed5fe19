package jet

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"quintet/farm"
)

// openBlobs opens the stream of blobs.
func (s *Store) openBlobs(ctx context.Context, replicas int) (err error) {
	s.blobs, err = s.stream(ctx, jetstream.StreamConfig{
		Name: blobsStream, Description: "weights and positions of jobs of a farm of Quintet", Subjects: []string{blobSubject + ".*.*"},
		Storage: jetstream.FileStorage, MaxMsgsPerSubject: 1, Replicas: replicas, AllowDirect: true, Duplicates: time.Second,
		Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgSize: farm.PartBytes + 4096,
	})
	return err
}

func partOf(blob string, part int) string {
	return blobSubject + "." + blob + "." + strconv.Itoa(part)
}

// PutPart implements farm.Store.
func (s *Store) PutPart(ctx context.Context, blob string, part int, data []byte) error {
	if err := s.room(len(data)); err != nil {
		return err
	}
	return s.put(ctx, &nats.Msg{Subject: partOf(blob, part), Data: data}, true)
}

// Part implements farm.Store.
func (s *Store) Part(ctx context.Context, blob string, part int) ([]byte, error) {
	m, err := get(ctx, s.blobs, partOf(blob, part))
	if err != nil {
		return nil, err
	}
	return m.Data, nil
}

// DeleteBlob implements farm.Store.
func (s *Store) DeleteBlob(ctx context.Context, blob string) error {
	if err := s.lead(ctx); err != nil {
		return err
	}
	if err := s.blobs.Purge(ctx, jetstream.WithPurgeSubject(blobSubject+"."+blob+".*")); err != nil {
		return fmt.Errorf("deleting blob %s: %w", blob, err)
	}
	return s.measure(ctx)
}

// Parts implements farm.Store.
func (s *Store) Parts(ctx context.Context, each func(string, int) error) error {
	return s.scan(ctx, blobsStream, blobSubject+".*.*", true, func(m jetstream.Msg) error {
		parts := strings.Split(m.Subject(), ".")
		part, err := strconv.Atoi(parts[3])
		if err != nil {
			return fmt.Errorf("blob %s: %w", m.Subject(), err)
		}
		return each(parts[2], part)
	})
}
