package live

import (
	"context"
	"iter"
	"log/slog"
	"time"
)

// Record is one key and value of Records. Keys of accounts are their identifiers. Other keys name
// their Category, as streams do: CategoryOf returns it.
type Record struct {
	Key      string // lower-case letters, digits and hyphens
	Revision uint64 // increases with each write of any record
	Data     []byte
}

// Records store values that, unlike events, can be replaced. They hold personal data, such as names and
// passwords, because it must be erasable.
type Records interface {
	// PutRecord writes a record if the latest one with its key has the revision after, or if there
	// is none and after is 0. When it returns, the record survives a power cut, and the previous
	// one is erased from the disk. The errors are those of Log.Append.
	PutRecord(ctx context.Context, key string, after uint64, data []byte) (revision uint64, err error)

	// GetRecord returns the latest record with a key; the zero Record if there is none.
	GetRecord(ctx context.Context, key string) (Record, error)

	// FollowRecords yields the latest record of each key, then a Record without a key, and then
	// new records in order, until the context ends. If it cannot continue, it yields an error
	// and stops.
	FollowRecords(ctx context.Context) iter.Seq2[Record, error]
}

// ReadRecords returns the latest record of each key.
func ReadRecords(ctx context.Context, from Records) (list []Record, err error) {
	at := map[string]int{}
	for r, err := range from.FollowRecords(ctx) {
		if err != nil {
			return nil, err
		}
		if r.Key == "" {
			return list, nil
		}
		if i, ok := at[r.Key]; ok {
			list[i] = r
			continue
		}
		at[r.Key] = len(list)
		list = append(list, r)
	}
	return nil, ctx.Err()
}

// ApplyRecords calls apply with all records, and with new ones as they are written, until the context ends. After
// an error it logs what was interrupted, and begins again: apply may get a record several times.
func ApplyRecords(ctx context.Context, from Records, what string, log *slog.Logger, apply func(Record)) {
	const pause = time.Second
	for ctx.Err() == nil {
		for r, err := range from.FollowRecords(ctx) {
			if err != nil {
				log.Warn("following "+what+": trying again", "error", err)
				break
			}
			apply(r)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}
