package bots

import (
	"encoding/json"
	"fmt"

	"quintet/engine"
	"quintet/game"
	"quintet/games"
)

// SearchName names a search, so that another process can make the same.
type SearchName struct {
	Game      string `json:"game"`
	Player    string `json:"player,omitempty"`    // mcts; the strongest search if ""
	Seed      uint64 `json:"seed,omitempty"`      // of mcts
	Megabytes int    `json:"megabytes,omitempty"` // of the transposition table; 16 if 0
}

// Text returns the name as another process reads it.
func (n SearchName) Text() []byte {
	text, err := json.Marshal(n)
	if err != nil {
		panic(err) // it consists of texts and numbers
	}
	return text
}

// maxNamed is the largest table in megabytes that another process may ask for.
const maxNamed = 64

// OpenSearch returns the search of a name, and its game.
func OpenSearch(text []byte, c *Cache) (s engine.Searcher, g game.Game, err error) {
	var n SearchName
	if err := json.Unmarshal(text, &n); err != nil {
		return nil, g, fmt.Errorf("reading the name of a search: %w", err)
	}
	if n.Megabytes < 0 || n.Megabytes > maxNamed || n.Player != "" && n.Player != "mcts" {
		return nil, g, fmt.Errorf("the search %.100s: expected at most %d MB, and no player but mcts", text, maxNamed)
	}
	if g, err = games.ByName(n.Game); err != nil {
		return nil, g, err
	}
	s, err = n.open(g, Options{Megabytes: n.Megabytes, Cache: c})
	return s, g, err
}

// open makes the search in this process.
func (n SearchName) open(g game.Game, o Options) (engine.Searcher, error) {
	if n.Player == "mcts" {
		return engine.NewMCTS(n.Seed), nil
	}
	return Searcher(g, o)
}

// search makes a search of a player: in this process, unless Options.Search decides.
func (n SearchName) search(g game.Game, o Options) (engine.Searcher, error) {
	n.Game, n.Megabytes = g.Name, o.Megabytes
	here := func() (engine.Searcher, error) { return n.open(g, o) }
	if o.Search == nil {
		return here()
	}
	return o.Search(n, here)
}
