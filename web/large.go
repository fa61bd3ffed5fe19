package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"quintet/bots/othello/pattern"
	"quintet/games"
	"quintet/learn/puzzle"
)

// readLarge makes assets of the browser engine and of the files that it loads when a request needs
// them. Each has a content-hashed address, so that browsers keep it across releases. large.json has
// the addresses by name, for the worker (ui/engine.ts).
func (s *Site) readLarge() error {
	files := map[string][]byte{"engine.bin": s.asset["engine.bin"].plain, "othello8.gz": pattern.Packed()}
	for _, g := range games.All() {
		data, err := puzzle.Packed(g.Name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // a game without puzzles
			continue
		case err != nil:
			return fmt.Errorf("the puzzles of %s: %w", g.Name, err)
		}
		files[g.Name+".jsonl.gz"] = data
	}
	addresses := map[string]string{}
	for name, data := range files {
		a := newAsset(kindOf(name), data)
		a.small = func() []byte { return nil } // it is compressed as it is
		s.asset[name], addresses[name] = a, "/assets/"+a.hash+"/"+name
	}
	data, err := json.Marshal(addresses)
	if err != nil {
		return fmt.Errorf("writing large.json: %w", err)
	}
	s.asset["large.json"] = newAsset("application/json", data)
	return nil
}
