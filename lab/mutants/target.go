package mutants

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// target is code to put mistakes into, and the tests that must notice them.
type target struct {
	name  string
	dir   string   // from the root of the module
	files []string // of dir; all but tests if empty
	tests []string // packages to test, the fastest first
	run   string   // the tests to run, as for go test -run; all if empty
}

func targets() []target {
	return []target{
		{name: "engine", dir: "engine", tests: []string{"./engine"}},
		{name: "connect6", dir: "bots/connect6", tests: []string{"./bots/connect6"}},
		{name: "midgame", dir: "bots/othello/midgame", tests: []string{"./bots/othello/midgame"}},
		{name: "endgame", dir: "bots/othello/endgame", tests: []string{"./bots/othello/endgame", "./bots/othello/midgame"}},
		{name: "pattern", dir: "bots/othello/pattern", tests: []string{"./bots/othello/pattern", "./bots/othello/midgame"}},
		{name: "arena", dir: "arena", tests: []string{"./arena"}},
		{name: "playout", dir: "game/playout", tests: []string{"./game/playout"}},
		{name: "live", dir: "live", tests: []string{"./live"}},
		{name: "clock", dir: "serve/clock", files: []string{"clock.go", "heartbeat.go", "sync.go"}, tests: []string{"./serve/clock"}, run: "."},
	}
}

func targetNames() (names []string) {
	for _, t := range targets() {
		names = append(names, t.name)
	}
	return names
}

// sources lists the files of a target.
func (t target) sources() ([]string, error) {
	if len(t.files) > 0 {
		var list []string
		for _, name := range t.files {
			list = append(list, filepath.Join(t.dir, name))
		}
		return list, nil
	}
	list, err := filepath.Glob(filepath.Join(t.dir, "*.go"))
	if err != nil {
		return nil, fmt.Errorf("listing the files of %s: %w", t.name, err)
	}
	return slices.DeleteFunc(list, func(path string) bool { return strings.HasSuffix(path, "_test.go") }), nil
}

// sample returns the mutants of a target that are to be tested. The choice
// depends on the seed and each mutant's name alone, so a change of code
// elsewhere leaves it as it is.
func sample(t target, o options) ([]mutant, error) {
	paths, err := t.sources()
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, path := range paths {
		text, err := os.ReadFile(path) //nolint:gosec // the tree's own files
		if err != nil {
			return nil, fmt.Errorf("reading the source of %s: %w", t.name, err)
		}
		list, err := mutate(filepath.ToSlash(path), text)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	all = slices.DeleteFunc(all, func(m mutant) bool { _, known := equivalents()[m.ID]; return known })
	slices.SortFunc(all, func(a, b mutant) int {
		if x, y := rank(o.seed, a.ID), rank(o.seed, b.ID); x != y {
			if x < y {
				return -1
			}
			return 1
		}
		return strings.Compare(a.ID, b.ID)
	})
	if o.sample > 0 {
		all = all[:min(o.sample, len(all))]
	}
	return all, nil
}

// rank gives a mutant its place in the order in which samples are drawn.
func rank(seed uint64, id string) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%d %s", seed, id) // never fails
	// The low bits of similar names are similar; multiplying spreads them.
	return (h.Sum64() ^ h.Sum64()>>29) * 0xbf58476d1ce4e5b9
}
