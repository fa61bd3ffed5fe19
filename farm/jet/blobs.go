package jet

import (
	"context"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func partOf(job string, part int) string { return blobSubject + "." + job + "." + strconv.Itoa(part) }

// PutPart implements farm.Store.
func (s *Store) PutPart(ctx context.Context, job string, part int, data []byte) error {
	if err := s.room(len(data)); err != nil {
		return err
	}
	return s.put(ctx, &nats.Msg{Subject: partOf(job, part), Data: data}, true)
}

// Part implements farm.Store.
func (s *Store) Part(ctx context.Context, job string, part int) ([]byte, error) {
	m, err := get(ctx, s.jobs, partOf(job, part))
	if err != nil {
		return nil, err
	}
	return m.Data, nil
}

// DeleteBlob implements farm.Store.
func (s *Store) DeleteBlob(ctx context.Context, job string) error {
	if err := s.lead(ctx); err != nil {
		return err
	}
	if err := s.jobs.Purge(ctx, jetstream.WithPurgeSubject(blobSubject+"."+job+".*")); err != nil {
		return fmt.Errorf("deleting the blob of job %s: %w", job, err)
	}
	return s.measure(ctx)
}
