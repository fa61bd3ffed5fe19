package mutants

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// pkg is a package that mistakes are put into, as go list describes it.
type pkg struct {
	ImportPath, Dir                             string
	GoFiles, TestGoFiles, XTestGoFiles, Imports []string
	Module                                      struct{ Dir string }
	tests                                       []string // the packages whose tests must notice
}

// packages lists the packages that patterns match, but those of the lab, which do not ship.
func packages(ctx context.Context, patterns []string) (list []*pkg, err error) {
	all, err := goList(ctx, []string{"./..."})
	if err != nil {
		return nil, err
	}
	chosen := all
	if len(patterns) > 0 {
		if chosen, err = goList(ctx, patterns); err != nil {
			return nil, err
		}
	}
	for _, p := range chosen {
		if strings.Contains(p.ImportPath+"/", "/lab/") {
			continue
		}
		p.tests = []string{p.ImportPath}
		if !p.tested() { // the tests of those who use it
			p.tests = nil
			for _, user := range all {
				if user.tested() && slices.Contains(user.Imports, p.ImportPath) {
					p.tests = append(p.tests, user.ImportPath)
				}
			}
		}
		list = append(list, p)
	}
	return list, nil
}

func (p *pkg) tested() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

func goList(ctx context.Context, patterns []string) (list []*pkg, err error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-json"}, patterns...)...) //nolint:gosec // the caller's packages
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing packages: %w", err)
	}
	for lines := json.NewDecoder(strings.NewReader(string(text))); ; {
		var p pkg
		if err := lines.Decode(&p); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("listing packages: %w", err)
		}
		list = append(list, &p)
	}
}

// draw returns all mutants of packages in the order of a seed. A mutant's place depends on
// the seed and its name alone, so a change of code elsewhere leaves it where it is.
func draw(list []*pkg, seed uint64) (all []mutant, err error) {
	for _, p := range list {
		for _, name := range p.GoFiles {
			path := filepath.Join(p.Dir, name)
			text, err := os.ReadFile(path) //nolint:gosec // the tree's own files
			if err != nil {
				return nil, fmt.Errorf("reading the source of %s: %w", p.ImportPath, err)
			}
			short, err := filepath.Rel(p.Module.Dir, path)
			if err != nil {
				return nil, fmt.Errorf("naming the mutants of %s: %w", p.ImportPath, err)
			}
			mutants, err := mutate(filepath.ToSlash(short), text)
			if err != nil {
				return nil, err
			}
			for i := range mutants {
				mutants[i].pkg, mutants[i].path = p, path
			}
			all = append(all, mutants...)
		}
	}
	slices.SortFunc(all, func(a, b mutant) int {
		return cmp.Or(cmp.Compare(rank(seed, a.ID), rank(seed, b.ID)), cmp.Compare(a.ID, b.ID))
	})
	return all, nil
}

// rank gives a mutant its place in the order in which samples are drawn.
func rank(seed uint64, id string) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%d %s", seed, id) // never fails
	// The low bits of similar names are similar; multiplying spreads them.
	return (h.Sum64() ^ h.Sum64()>>29) * 0xbf58476d1ce4e5b9
}
