package remote

import "sync"

// inbox holds what a server has last said of the search in progress. Whoever delivers never
// waits for the reader.
type inbox struct {
	news chan struct{} // takes one

	mu     sync.Mutex // guards the rest
	search uint64     // replies to others are dropped
	latest said
}

// said is what a server has said since the last look.
type said struct {
	heard  bool
	beat   uint64
	parked bool
	final  *Reply // with the line, the error or the panic
}

func newInbox() *inbox { return &inbox{news: make(chan struct{}, 1)} }

// expect begins another search.
func (b *inbox) expect(search uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.search, b.latest = search, said{}
	select {
	case <-b.news:
	default:
	}
}

// deliver takes a reply.
func (b *inbox) deliver(r Reply) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.Search != b.search {
		return // of a search that was stopped
	}
	l := &b.latest
	l.heard = true
	switch {
	case r.Parked:
		l.parked = true
	case r.Line != nil || r.Error != "" || r.Panic != "":
		l.final = &r
	default:
		l.beat = r.Beat
	}
	select {
	case b.news <- struct{}{}:
	default: // the reader has not looked since the last, and will see both
	}
}

// take returns what was said since the last call.
func (b *inbox) take() said {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.latest
	b.latest.heard, b.latest.parked = false, false
	return s
}
