package quintet_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"
)

// limits are the most lines of Go, tests apart, that a folder may have; "" is all but the lab. The
// goal is what the house should come to. Lower a limit when code goes; raise it only for a feature that needs it.
var limits = []struct {
	folder      string
	limit, goal int
}{
	{"", 117_605, 80_000},
	{"lab", 15_584, 15_000}, // with cmd/lab
	{"farm", 7_020, 7_000},
	{"serve", 23_787, 11_000},
	{"cmd/quintet", 8_610, 6_500},
	{"bots", 10_515, 10_500},
}

// rootFolders is the most folders of the root with Go files. The 23rd is people, which neither live
// play nor the server owns: accounts, ratings and pairing.
const rootFolders = 23

// TestHouse checks that the folders stay small.
func TestHouse(t *testing.T) {
	lines, roots := map[string]int{}, map[string]bool{}
	for _, s := range sources(t) {
		root, _, _ := strings.Cut(s.pkg, "/")
		if s.pkg != "." {
			roots[root] = true
		}
		if s.test {
			continue
		}
		n := s.set.File(s.file.Pos()).LineCount() - 1 // it counts the line after the last, too
		for _, l := range limits {
			in := s.pkg == l.folder || strings.HasPrefix(s.pkg, l.folder+"/")
			if l.folder == "lab" {
				in = inLab(s.pkg)
			}
			if in || l.folder == "" && !inLab(s.pkg) {
				lines[l.folder] += n
			}
		}
	}
	for _, l := range limits {
		if n := lines[l.folder]; n > l.limit {
			t.Errorf("%s has %d lines, want at most %d", cmp.Or(l.folder, "the product"), n, l.limit)
		}
	}
	if len(roots) > rootFolders {
		t.Errorf("%d folders at the root, want at most %d: %v", len(roots), rootFolders, slices.Sorted(maps.Keys(roots)))
	}
}
