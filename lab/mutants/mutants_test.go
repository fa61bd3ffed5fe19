package mutants

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const source = `package p

func less(a, b int) (bool, error) {
	mu.Lock()
	defer mu.Unlock()
	if a < b && b > 0 {
		return true, nil
	}
	a++
	b = -a
	use(b)
	logger.Info("b", b)
	switch a {
	case 2:
		return less(b, a)
	}
	func() { return }()
	return false, nil
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
		"p.go:less:drop1":    "`mu.Lock()` → ``",
		"p.go:less:drop2":    "`defer mu.Unlock()` → ``",
		"p.go:less:never1":   "`if a < b && b > 0 {` → `if (a < b && b > 0) && false {`",
		"p.go:less:always1":  "`if a < b && b > 0 {` → `if (a < b && b > 0) || true {`",
		"p.go:less:logic1":   "`if a < b && b > 0 {` → `if a < b || b > 0 {`",
		"p.go:less:compare1": "`if a < b && b > 0 {` → `if a <= b && b > 0 {`",
		"p.go:less:compare2": "`if a < b && b > 0 {` → `if a >= b && b > 0 {`",
		"p.go:less:compare3": "`if a < b && b > 0 {` → `if a < b && b >= 0 {`",
		"p.go:less:compare4": "`if a < b && b > 0 {` → `if a < b && b <= 0 {`",
		"p.go:less:literal1": "`if a < b && b > 0 {` → `if a < b && b > 1 {`",
		"p.go:less:return1":  "`return true, nil` → `_ = true`",
		"p.go:less:bool1":    "`return true, nil` → `return false, nil`",
		"p.go:less:arith1":   "`a++` → `a--`",
		"p.go:less:drop3":    "`b = -a` → `_ = b`",
		"p.go:less:sign1":    "`b = -a` → `b = a`",
		"p.go:less:drop4":    "`use(b)` → `_ = b`",
		"p.go:less:case1":    "`case 2: return less(b, a)` → ``",
		"p.go:less:return2":  "`return less(b, a)` → `_ = less(b, a)`",
		"p.go:less:drop5":    "`func() { return }()` → ``",
		"p.go:less:bool2":    "`return false, nil` → `return true, nil`",
	} {
		if got[id] != want {
			t.Errorf("%s: %q, want %q", id, got[id], want)
		}
		delete(got, id)
	}
	if len(got) > 0 {
		t.Errorf("more mutants than wanted: %v", got)
	}
}

// TestDraw draws every package of the product and nothing of the lab, each seed in an order of
// its own, and checks that each mutant that is called equivalent exists.
func TestDraw(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	list, err := packages(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	draw := func(seed uint64) (ids []string) {
		all, err := draw(list, seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			ids = append(ids, m.ID)
		}
		return ids
	}
	first, again, other := draw(1), draw(1), draw(2)
	if !slices.Equal(first, again) || slices.Equal(first[:10], other[:10]) {
		t.Errorf("%v\n%v\n%v", first[:10], again[:10], other[:10])
	}
	known := map[string]bool{}
	folders := map[string]bool{}
	for _, id := range first {
		known[id] = true
		folder, _, _ := strings.Cut(id, "/")
		folders[folder] = true
	}
	for id := range equivalents() {
		if !known[id] {
			t.Errorf("%s is called equivalent, but there is no such mutant", id)
		}
	}
	if folders["lab"] || !folders["engine"] || !folders["serve"] || !folders["cmd"] {
		t.Errorf("folders of the mutants: %v", slices.Sorted(maps.Keys(folders)))
	}
	for _, p := range list {
		if len(p.tests) == 0 {
			t.Errorf("no test is run for %s", p.ImportPath)
		}
	}
	if few, err := packages(t.Context(), []string{"live/index", "lab/await"}); err != nil || len(few) != 1 || few[0].ImportPath != "quintet/live/index" {
		t.Errorf("the package that was asked for: %v, %v", few, err)
	}
}

// TestOutcomes tests small packages, interrupts the run and resumes it: a mistake that a test
// notices, one that none notices, one that never ends, one that does not compile, a package that is
// tested by its user, and one whose tests fail anyway.
func TestOutcomes(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":             "module p\n\ngo 1.26\n",
		"p/p.go":             "package p\n\nimport \"p/untested\"\n\nfunc noticed() bool { return untested.F() }\n\nfunc ignored() bool { return true }\n",
		"p/p_test.go":        "package p\n\nimport \"testing\"\n\nfunc TestNoticed(t *testing.T) {\n\tif !noticed() {\n\t\tt.Fail()\n\t}\n\tignored()\n}\n",
		"untested/u.go":      "package untested\n\nfunc F() bool { return true }\n",
		"endless/e.go":       "package endless\n\nfunc F(c chan int) { close(c) }\n",
		"endless/e_test.go":  "package endless\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n\tc := make(chan int)\n\tF(c)\n\t<-c\n}\n",
		"failing/f.go":       "package failing\n\nfunc F() bool { return true }\n",
		"failing/f_test.go":  "package failing\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { t.Fail() }\n",
		"constant/c.go":      "package constant\n\nfunc F() byte { return 0 - 0 }\n",
		"constant/c_test.go": "package constant\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n\tif F() != 0 {\n\t\tt.Fail()\n\t}\n}\n",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for round := range 2 {
		list, err := packages(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		all, err := draw(list, 1)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		got, err := testSample(t.Context(), options{sample: len(all), limit: 5 * time.Second, results: "results"}, all, &out)
		want := score{killed: 2, lived: 2, slow: 1, invalid: 1, untested: 1}
		if text := out.String(); err != nil || !maps.Equal(got, want) || !strings.Contains(text, "lived: p/p.go:ignored:bool1 (line 7)") {
			t.Errorf("round %d: %v, want %v, %v: %s", round, got, want, err, text)
		}
		if results, err := os.ReadFile("results"); err != nil || strings.Count(string(results), "\n") != 6 {
			t.Errorf("round %d: %s, %v", round, results, err)
		}
	}
}
