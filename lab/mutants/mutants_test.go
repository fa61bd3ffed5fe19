package mutants

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const source = `package p

func less(a, b int) bool {
	if a < b && b > 0 {
		return true
	}
	a++
	b = -a
	use(b)
	return false
}
`

// TestMutate lists the mistakes that are put into a small function.
func TestMutate(t *testing.T) {
	list, err := mutate("p.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, m := range list {
		got[m.ID] = m.change
		if changed := string(m.apply([]byte(source))); changed == source {
			t.Errorf("%s changes nothing", m.ID)
		}
	}
	for id, want := range map[string]string{
		"p.go:less:negate1":  "`if a < b && b > 0 {` → `if !(a < b && b > 0) {`",
		"p.go:less:logic1":   "`if a < b && b > 0 {` → `if a < b || b > 0 {`",
		"p.go:less:compare1": "`if a < b && b > 0 {` → `if a <= b && b > 0 {`",
		"p.go:less:compare2": "`if a < b && b > 0 {` → `if a >= b && b > 0 {`",
		"p.go:less:literal1": "`if a < b && b > 0 {` → `if a < b && b > 1 {`",
		"p.go:less:bool1":    "`return true` → `return false`",
		"p.go:less:arith1":   "`a++` → `a--`",
		"p.go:less:drop1":    "`b = -a` → `_ = b`",
		"p.go:less:sign1":    "`b = -a` → `b = a`",
		"p.go:less:drop2":    "`use(b)` → ``",
		"p.go:less:bool2":    "`return false` → `return true`",
	} {
		if got[id] != want {
			t.Errorf("%s: %q, want %q", id, got[id], want)
		}
	}
	if len(list) != 13 {
		t.Errorf("%d mutants, want 13: %v", len(list), got)
	}
}

// TestTargets checks that every target has code and that every mutant listed as
// equivalent exists.
func TestTargets(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	known := map[string]bool{}
	for _, target := range targets() {
		paths, err := target.sources()
		if err != nil || len(paths) == 0 {
			t.Errorf("%s: %d files, %v", target.name, len(paths), err)
		}
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			list, err := mutate(filepath.ToSlash(path), src)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range list {
				known[m.ID] = true
			}
		}
	}
	for id := range equivalents() {
		if !known[id] {
			t.Errorf("%s is called equivalent, but there is no such mutant", id)
		}
	}
}

// TestSample draws the same mutants for a seed, others for another one, and the
// first of a larger sample for a smaller one.
func TestSample(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	draw := func(n int, seed uint64) (ids []string) {
		list, err := sample(targets()[0], options{sample: n, seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			ids = append(ids, m.ID)
		}
		return ids
	}
	ten, twenty, other := strings.Join(draw(10, 1), " "), strings.Join(draw(20, 1), " "), strings.Join(draw(10, 2), " ")
	if !strings.HasPrefix(twenty, ten+" ") || ten == other {
		t.Errorf("%s\n%s\n%s", ten, twenty, other)
	}
}

// TestOutcomes tests a module of three mutants, interrupts the run and resumes it.
func TestOutcomes(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module p\n\ngo 1.26\n",
		"p.go":      "package p\n\nfunc noticed() bool { return true }\n\nfunc ignored() bool { return true }\n",
		"p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestNoticed(t *testing.T) {\n\tif !noticed() {\n\t\tt.Fail()\n\t}\n\tignored()\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	here := target{name: "p", dir: ".", tests: []string{"."}}
	for round := range 2 {
		mutants, err := sample(here, options{seed: 1})
		if err != nil || len(mutants) != 2 {
			t.Fatalf("%d mutants, %v, want 2", len(mutants), err)
		}
		done, err := openResults("results")
		if err != nil {
			t.Fatal(err)
		}
		if len(done.seen) != 2*round {
			t.Errorf("round %d: %d results are known", round, len(done.seen))
		}
		var out strings.Builder
		got, err := testTarget(t.Context(), here, mutants, done, options{}, &out)
		done.close()
		if err != nil || got != (score{killed: 1, lived: 1}) || !strings.Contains(out.String(), "lived: p.go:ignored:bool1 (line 5)") {
			t.Errorf("round %d: %+v, %v: %s", round, got, err, out.String())
		}
	}
}

// TestChoose checks that only names of targets are accepted.
func TestChoose(t *testing.T) {
	if list, err := choose([]string{"live", "engine"}); err != nil || len(list) != 2 || list[0].name != "live" {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := choose(nil); err != nil || len(list) != len(targets()) {
		t.Errorf("%d of %d targets, %v", len(list), len(targets()), err)
	}
	if _, err := choose([]string{"nothing"}); err == nil || !strings.Contains(err.Error(), `"nothing": expected one of [engine `) {
		t.Errorf("a target that there is not: %v", err)
	}
}
