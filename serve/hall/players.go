package hall

import (
	"context"

	"quintet/bots"
	"quintet/engine"
)

// playerTable is the size of the transposition table of a player, in megabytes.
const playerTable = 4

// maxPlayers is how many idle players are kept for each engine that thinks here.
const maxPlayers = 6

// playerCache holds idle players, by game and name.
type playerCache struct {
	idle  map[string][]engine.Player
	count int
	most  int
}

// playerKey is the key of a player in the cache.
func playerKey(t engineTask) string { return t.match.Game().Name + " " + t.engine }

// take returns an idle player, or a new one.
func (p *enginePool) take(t engineTask) (engine.Player, error) {
	p.mu.Lock()
	c, key := &p.players, playerKey(t)
	if list := c.idle[key]; len(list) > 0 {
		c.idle[key] = list[:len(list)-1]
		c.count--
		p.mu.Unlock()
		return list[len(list)-1], nil
	}
	p.mu.Unlock()
	return p.newPlayer(t.engine, t.match.Game(), p.options)
}

// put keeps an idle player. Above the limit all are dropped: built-in players hold nothing but
// memory.
func (p *enginePool) put(t engineTask, player engine.Player) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, key := &p.players, playerKey(t)
	if c.idle == nil || c.count >= c.most {
		c.idle, c.count = map[string][]engine.Player{}, 0
	}
	c.idle[key] = append(c.idle[key], player)
	c.count++
}

// elsewhere returns what makes the searches of players on other machines. When one of them
// searches here, it waits until fewer engines than Config.Engines do.
func elsewhere(c Config) func(n bots.SearchName, here func() (engine.Searcher, error)) engine.Searcher {
	if c.Elsewhere == nil {
		return nil // there are as many workers as engines
	}
	slots := make(chan struct{}, max(c.Engines, 1))
	return func(n bots.SearchName, here func() (engine.Searcher, error)) engine.Searcher {
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
