package similar_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quintet/judge/similar"
)

// TestFinds makes 40 of 102 programs alike, by renaming, reordering, reformatting and translated
// loops, and wants 36 of these pairs among the first 45 of 10,011. The programs are files of this
// repository, which have one house style. All begin with the same given code.
func TestFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	given := read(t, "../testdata/loa/gameplay.cpp")
	var list []similar.Program
	add := func(name, text string) {
		list = append(list, similar.Program{Name: name, Sources: []similar.Source{{Name: "main.cpp", Text: given + text}}})
	}
	var originals []string
	for _, pattern := range []string{"../../bots/*.go", "../../engine/*.go", "../../games/*/*.go", "../../arena/*.go", "../../game/*.go", "../../protocol/*.go", "../../record/*/*.go", "../../bots/*/*.go", "../../judge/*/*.go"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			if text := read(t, file); len(text) > 3000 && len(text) < 20_000 && !strings.HasSuffix(file, "_test.go") && len(originals) < 102 {
				originals = append(originals, text)
			}
		}
	}
	if len(originals) < 102 {
		t.Fatalf("%d programs", len(originals))
	}
	for i, text := range originals {
		add(fmt.Sprint(i), text)
	}
	for i := range 40 {
		add(fmt.Sprint(i), alike(r, originals[i]))
	}
	pairs := similar.Compare(list, []similar.Source{{Name: "gameplay.cpp", Text: given}})
	found := 0
	for _, p := range pairs[:45] {
		if list[p.A].Name == list[p.B].Name {
			found++
			if len(p.LinesA) == 0 || len(p.LinesB) == 0 {
				t.Error("no lines are marked")
			}
		}
	}
	t.Logf("%d of 40 among the first 45", found)
	if found < 36 {
		t.Errorf("%d of 40 pairs are among the first 45, want 36", found)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// kept are the words that alike does not rename.
const kept = " func for while if else return switch case range var type struct package map break continue default "

// alike changes a program without changing what it does.
func alike(r *rand.Rand, text string) string {
	text = regexp.MustCompile(`(?m)//.*$`).ReplaceAllString(text, "")
	for { // loops
		m := regexp.MustCompile(`for (\w+) := ([^;{}]+); ([^;{}]+); ([^;{}]+) \{`).FindStringSubmatchIndex(text)
		if m == nil {
			break
		}
		part := func(i int) string { return text[m[2*i]:m[2*i+1]] }
		body := text[m[1]:]
		end := closing(body)
		text = text[:m[0]] + part(1) + " := " + part(2) + "; while (" + part(3) + ") {" + body[:end] + "; " + part(4) + "\n" + body[end:]
	}
	functions := strings.Split(text, "\nfunc ")
	rest := functions[1:]
	r.Shuffle(len(rest), func(i, k int) { rest[i], rest[k] = rest[k], rest[i] })
	text = strings.Join(functions, "\nfunc ")
	names := map[string]string{}
	text = regexp.MustCompile(`"[^"\n]*"|\w+`).ReplaceAllStringFunc(text, func(word string) string {
		if strings.Contains(kept, " "+word+" ") || word[0] == '"' || word[0] >= '0' && word[0] <= '9' {
			return word
		}
		if names[word] == "" {
			names[word] = fmt.Sprintf("v%d", r.IntN(1_000_000))
		}
		return names[word]
	})
	return strings.NewReplacer("{", "\n{\n", "\t", "  ", ", ", " , ").Replace(text)
}

// closing returns the position of the brace that ends a block.
func closing(text string) int {
	depth := 0
	for i, c := range text {
		switch {
		case c == '{':
			depth++
		case c == '}' && depth == 0:
			return i
		case c == '}':
			depth--
		}
	}
	return len(text)
}

// TestBase checks that code in the base makes no pair, and that it does without a base.
func TestBase(t *testing.T) {
	given := []similar.Source{{Name: "gameplay.cpp", Text: read(t, "../testdata/loa/gameplay.cpp")}}
	list := []similar.Program{{Name: "a", Sources: given}, {Name: "b", Sources: given}}
	if with, without := similar.Compare(list, given), similar.Compare(list, nil); len(with) != 0 || len(without) != 1 {
		t.Errorf("with a base %+v, without %+v", with, without)
	}
}

// TestMistakes checks that a mistake of only two programs raises their similarity, and a mistake of
// all programs does not.
func TestMistakes(t *testing.T) {
	var list []similar.Program
	for i := range 10 {
		list = append(list, similar.Program{Name: fmt.Sprint(i), Mistakes: []string{"common"}})
	}
	list[3].Mistakes = append(list[3].Mistakes, "rare")
	list[7].Mistakes = append(list[7].Mistakes, "rare")
	pairs := similar.Compare(list, nil)
	if len(pairs) != 1 || pairs[0].A != 3 || pairs[0].B != 7 || pairs[0].Similarity < 0.29 || pairs[0].Similarity > 0.31 {
		t.Errorf("%+v", pairs)
	}
}

// TestLanguages checks that insignificant differences do not count, in C++ and in Python.
func TestLanguages(t *testing.T) {
	same := [][2]similar.Source{
		{{Name: "a.cpp", Text: "int f(int n) { int s = 0; for (int i = 0; i < n; ++i) s += i * 2; return s; }\nint main() { std::cout << f(10) << \"x\"; }"},
			{Name: "b.cc", Text: "// other\nlong sum(long m)\n{ long t = 0;\nfor (long k = 1; k < m; ++k) { t += k * 3; }\nreturn t; } /* * */\nint main() { cout << sum(7) << \"a\\\"b\"; }"}},
		{{Name: "a.py", Text: "def f(n):\n    s = 0\n    for i in range(n):\n        s += i * 2  # twice\n    return s\nprint(f(10), 'x')\n"},
			{Name: "b.py", Text: "def total(m):\n  \n  t = 1\n  for k in range(m):\n    t += k * 3\n  return t\nprint(total(7), \"it's # no comment\")\n"}},
	}
	other := similar.Program{Name: "other", Sources: []similar.Source{{Name: "c.cpp", Text: "int main() { while (a[b] != c(d, e)) { if (!x || y == -1) break; z = w ? q : r[1][2]; } }"}}}
	for _, two := range same {
		pairs := similar.Compare([]similar.Program{{Sources: two[:1]}, {Sources: two[1:]}, other}, nil)
		if len(pairs) != 1 || pairs[0].Tokens < 0.999 {
			t.Errorf("%s: %+v", two[0].Name, pairs)
		}
	}
}

// FuzzCompare checks that no source makes it panic.
func FuzzCompare(f *testing.F) {
	f.Add("/*", "\"\\", "'''", "#")
	f.Fuzz(func(_ *testing.T, a, b, c, d string) {
		similar.Compare([]similar.Program{{Sources: []similar.Source{{Name: "a.cpp", Text: a}, {Name: "b.py", Text: b}}}, {Sources: []similar.Source{{Name: "a.py", Text: c}, {Name: "a.c", Text: d}}}}, nil)
	})
}
