package live_test

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"quintet/live"
)

// interrupted is records whose first follower gets an error after one record.
type interrupted struct {
	live.Records

	failed bool
}

func (i *interrupted) FollowRecords(ctx context.Context) iter.Seq2[live.Record, error] {
	if i.failed {
		return i.Records.FollowRecords(ctx)
	}
	i.failed = true
	return func(yield func(live.Record, error) bool) {
		_ = yield(live.Record{Key: "a"}, nil) && yield(live.Record{}, errors.New("interrupted"))
	}
}

// TestApplyRecords checks that records are followed again after an error.
func TestApplyRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		m := live.NewMemory()
		put := func(key string) {
			if _, err := m.PutRecord(ctx, key, 0, nil); err != nil {
				t.Fatal(err)
			}
		}
		put("a")
		var got []string
		done := make(chan struct{})
		go func() {
			defer close(done)
			live.ApplyRecords(ctx, &interrupted{Records: m}, "records", slog.New(slog.DiscardHandler), func(r live.Record) { got = append(got, r.Key) })
		}()
		synctest.Wait()
		put("b")
		time.Sleep(2 * time.Second) // longer than the pause
		synctest.Wait()
		stop()
		<-done
		if want := []string{"a", "a", "b", ""}; !slices.Equal(got, want) {
			t.Errorf("applied %q, want %q", got, want)
		}
	})
}
