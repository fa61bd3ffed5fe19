package mutants

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
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

// packages lists the packages in folders of the module, or all; never those of the lab, which do
// not ship.
func packages(ctx context.Context, folders []string) (list []*pkg, err error) {
	text, err := exec.CommandContext(ctx, "go", "list", "-json", "./...").Output()
	if err != nil {
		return nil, fmt.Errorf("listing packages: %w", err)
	}
	var all []*pkg
	for lines := json.NewDecoder(bytes.NewReader(text)); lines.More(); {
		all = append(all, &pkg{})
		if err := lines.Decode(all[len(all)-1]); err != nil {
			return nil, fmt.Errorf("listing packages: %w", err)
		}
	}
	for _, p := range all {
		in := func(folder string) bool { return strings.HasPrefix(p.Dir+"/", filepath.Join(p.Module.Dir, folder)+"/") }
		if in("lab") || in("cmd/lab") || in("examples") || len(folders) > 0 && !slices.ContainsFunc(folders, in) {
			continue
		}
		p.tests = []string{p.ImportPath}
		if !p.tested() { // the tests of the packages that import it must notice
			p.tests = nil
			for _, user := range all {
				if user.tested() && slices.Contains(user.Imports, p.ImportPath) {
					p.tests = append(p.tests, user.ImportPath)
				}
			}
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("folders %v: expected some with packages that ship, such as engine", folders)
	}
	return list, nil
}

func (p *pkg) tested() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

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
				mutants[i].pkg, mutants[i].path, mutants[i].rank = p, path, rank(seed, mutants[i].ID)
			}
			all = append(all, mutants...)
		}
	}
	slices.SortFunc(all, func(a, b mutant) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.ID, b.ID))
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
