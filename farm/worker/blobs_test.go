package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"quintet/farm"
)

// TestBlobCache checks that the cache keeps the latest blobs up to its size.
func TestBlobCache(t *testing.T) {
	c := newBlobCache(100)
	fetched := ""
	get := func(name string, size int) {
		t.Helper()
		content, err := c.get(t.Context(), farm.BlobRef{SHA256: name}, func() ([]byte, error) {
			fetched += name
			return make([]byte, size), nil
		})
		if err != nil || len(content) != size {
			t.Errorf("%s: %d bytes, %v", name, len(content), err)
		}
	}
	get("a", 40)
	get("b", 40)
	get("a", 40)
	get("c", 30) // in place of b, which was not used for longer
	get("a", 40)
	get("b", 40) // in place of c
	get("c", 30)
	get("d", 100) // alone
	get("d", 100)
	if want := "abcbcd"; fetched != want || c.size != 100 || len(c.entries) != 1 {
		t.Errorf("fetched %s, want %s; %d bytes in %d entries", fetched, want, c.size, len(c.entries))
	}
}

// TestBlobCacheShared checks that slots that want a blob at the same time fetch it once,
// and that a failure is not kept.
func TestBlobCacheShared(t *testing.T) {
	c := newBlobCache(100)
	broken := errors.New("broken")
	if _, err := c.get(t.Context(), farm.BlobRef{}, func() ([]byte, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("%v, want %v", err, broken)
	}
	var calls atomic.Int32
	release := make(chan struct{})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			content, err := c.get(t.Context(), farm.BlobRef{}, func() ([]byte, error) {
				calls.Add(1)
				<-release
				return []byte{1}, nil
			})
			if err != nil || len(content) != 1 {
				t.Errorf("%v, %v", content, err)
			}
		})
	}
	close(release)
	all.Wait()
	if calls.Load() != 1 {
		t.Errorf("%d fetches, want 1", calls.Load())
	}
}

// TestBlobCacheCanceled checks that a slot whose work is no longer wanted does not wait for
// the fetch of another.
func TestBlobCacheCanceled(t *testing.T) {
	c := newBlobCache(100)
	started, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		_, _ = c.get(t.Context(), farm.BlobRef{}, func() ([]byte, error) {
			close(started)
			<-release
			return []byte{1}, nil
		})
	})
	<-started
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.get(ctx, farm.BlobRef{}, func() ([]byte, error) { return nil, fmt.Errorf("fetched twice") })
	close(release)
	all.Wait()
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
