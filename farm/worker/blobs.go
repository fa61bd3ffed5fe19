package worker

import (
	"context"
	"sync"

	"quintet/farm"
)

// blobCache is an LRU cache of blobs, bounded in bytes.
type blobCache struct {
	limit int // bytes

	mu      sync.Mutex // guards the rest
	entries map[string]*cachedBlob
	size    int
	clock   int
}

// cachedBlob is a blob. Its content is there when ready is closed.
type cachedBlob struct {
	ready   chan struct{}
	content []byte
	used    int // by the clock of the cache
}

// maxBlobCache bounds the blobs that a worker keeps while no slot uses them.
const maxBlobCache = 32 << 20

func newBlobCache(limit int) *blobCache {
	return &blobCache{limit: limit, entries: map[string]*cachedBlob{}}
}

// get returns a blob, and fetches it if it is not cached. Concurrent callers share one fetch;
// if it fails, the next of them tries.
func (c *blobCache) get(ctx context.Context, ref farm.BlobRef, fetch func() ([]byte, error)) ([]byte, error) {
	for {
		b, first := c.entry(ref.SHA256)
		if first {
			content, err := fetch()
			c.fetched(ref.SHA256, b, content)
			return content, err
		}
		select {
		case <-b.ready:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if b.content != nil {
			return b.content, nil
		}
	}
}

// entry returns the entry of a blob, and whether the caller must fetch it.
func (c *blobCache) entry(sha string) (b *cachedBlob, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b = c.entries[sha]; b == nil {
		b, first = &cachedBlob{ready: make(chan struct{})}, true
		c.entries[sha] = b
	}
	c.clock++
	b.used = c.clock
	return b, first
}

// fetched stores a content, or removes the entry if it is nil, and evicts the least recently
// used blobs.
func (c *blobCache) fetched(sha string, b *cachedBlob, content []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer close(b.ready)
	if b.content = content; content == nil {
		delete(c.entries, sha)
		return
	}
	for c.size += len(content); c.size > c.limit; {
		c.evict()
	}
}

// evict removes the least recently used blob.
func (c *blobCache) evict() {
	oldest := ""
	for sha, b := range c.entries {
		if b.content != nil && (oldest == "" || b.used < c.entries[oldest].used) {
			oldest = sha
		}
	}
	c.size -= len(c.entries[oldest].content)
	delete(c.entries, oldest)
}

// contents returns the contents of the blobs of a job.
func (w *worker) contents(ctx context.Context, refs []farm.BlobRef) (list [][]byte, err error) {
	for _, ref := range refs {
		content, err := w.blobs.get(ctx, ref, func() ([]byte, error) {
			return ref.Fetch(ctx, func(ctx context.Context, m farm.BlobRequest) (part []byte, err error) {
				err = w.ask(ctx, "blob", m, &part)
				return part, err
			})
		})
		if err != nil {
			return nil, err
		}
		list = append(list, content)
	}
	return list, nil
}
