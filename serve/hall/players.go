package hall

import (
	"context"

	"quintet/bots"
	"quintet/engine"
)

// playerTable is the size of the transposition table of a player, in megabytes.
const playerTable = 4

// maxIdle is how many idle searches are kept for each engine that thinks here.
const maxIdle = 6

// maxElsewhere is how many moves other machines choose for this server at the same time.
const maxElsewhere = 64

// searchCache holds idle searches by name. All levels of a game use the same: each takes 6 MB, in
// Othello 13 MB.
type searchCache struct {
	idle  map[bots.SearchName][]engine.Searcher
	count int
	most  int
}

// borrowing returns the options of a player whose searches are borrowed from the cache. put
// returns them, unless the player has failed.
func (p *enginePool) borrowing() (o bots.Options, put func()) {
	o = p.options
	borrowed := map[bots.SearchName]engine.Searcher{}
	o.Search = func(n bots.SearchName, here func() (engine.Searcher, error)) (s engine.Searcher, err error) {
		if s = p.take(n); s == nil {
			s, err = p.newSearch(n, here)
		}
		if err == nil && n.Player == "" { // others depend on the game, and take next to no memory
			borrowed[n] = s
		}
		return s, err
	}
	return o, func() {
		for n, s := range borrowed {
			p.put(n, s)
		}
	}
}

func (p *enginePool) newSearch(n bots.SearchName, here func() (engine.Searcher, error)) (engine.Searcher, error) {
	if p.options.Search == nil {
		return here()
	}
	return p.options.Search(n, here)
}

// take returns an idle search, or nil.
func (p *enginePool) take(n bots.SearchName) engine.Searcher {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &p.searches
	list := c.idle[n]
	if len(list) == 0 {
		return nil
	}
	c.idle[n] = list[:len(list)-1]
	c.count--
	return list[len(list)-1]
}

// put keeps an idle search. Above the limit all are dropped: they hold nothing but memory.
func (p *enginePool) put(n bots.SearchName, s engine.Searcher) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &p.searches
	if c.idle == nil || c.count >= c.most {
		c.idle, c.count = map[bots.SearchName][]engine.Searcher{}, 0
	}
	c.idle[n] = append(c.idle[n], s)
	c.count++
}

// elsewhere returns what makes the searches of players on other machines. When one of them
// searches here, it waits until fewer engines than Config.Engines do.
func elsewhere(c Config) func(n bots.SearchName, here func() (engine.Searcher, error)) (engine.Searcher, error) {
	if c.Elsewhere == nil {
		return nil // there are as many workers as engines
	}
	slots := make(chan struct{}, max(c.Engines, 1))
	return func(n bots.SearchName, here func() (engine.Searcher, error)) (engine.Searcher, error) {
		return c.Elsewhere(n, func() (engine.Searcher, error) {
			s, err := here()
			return slotted{s, slots}, err
		})
	}
}

// slotted is a search that waits for a slot.
type slotted struct {
	engine.Searcher
	slots chan struct{}
}

// Search implements engine.Searcher.
func (s slotted) Search(ctx context.Context, p engine.Position, l engine.Limit, report func(engine.Line)) engine.Line {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
		return s.Searcher.Search(ctx, p, l, report)
	case <-ctx.Done():
		return engine.Line{}
	}
}
