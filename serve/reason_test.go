package serve

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReasons checks that every reason of a problem is in the list, and that the
// document, docs/api.md and the words of the pages have them all.
func TestReasons(t *testing.T) {
	list := reasons()
	for reason, where := range reasonsGiven(t) {
		if _, ok := list[reason]; !ok {
			t.Errorf("%s gives the reason %q, which is not in the list", where, reason)
		}
	}
	want := slices.Sorted(maps.Keys(list))
	var d struct {
		Components struct {
			Schemas struct {
				Problem struct {
					Properties struct{ Code, Reason struct{ Enum []string } }
				}
			}
		}
	}
	if err := json.Unmarshal(openapi, &d); err != nil {
		t.Fatal(err)
	}
	fields := d.Components.Schemas.Problem.Properties
	if diff := cmp.Diff(want, slices.Sorted(slices.Values(fields.Reason.Enum))); diff != "" {
		t.Errorf("the reasons of openapi.json (-list +document):\n%s", diff)
	}
	codes := slices.Compact(slices.Sorted(maps.Values(list)))
	if diff := cmp.Diff(codes, slices.Sorted(slices.Values(fields.Code.Enum))); diff != "" {
		t.Errorf("the codes of openapi.json (-list +document):\n%s", diff)
	}
	inDocument(t, want)
	inWords(t, want)
}

func inDocument(t *testing.T, want []string) {
	t.Helper()
	text, err := os.ReadFile("../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, reason := range want {
		if !strings.Contains(string(text), "`"+reason+"`") {
			t.Errorf("docs/api.md has no `%s`", reason)
		}
	}
}

func inWords(t *testing.T, want []string) {
	t.Helper()
	words := map[string]string{}
	for _, name := range []string{"en.json", "en.class.json", "en.game.json", "en.study.json"} {
		data, err := os.ReadFile("../web/strings/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &words); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for key := range words {
		if reason, ok := strings.CutPrefix(key, "problem."); ok {
			got = append(got, reason)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the words of the pages for problems (-list +words):\n%s", diff)
	}
}

// reasonOf are the functions that are given a reason, by which of their arguments
// it is.
var reasonOf = map[string]int{"Problemf": 1, "Invalid": 0, "WithReason": 0, "refuseAs": 1, "invalid": 1}

// reasonsGiven finds the reasons in the sources, with where they are.
func reasonsGiven(t *testing.T) map[string]string {
	t.Helper()
	given, called := map[string]string{}, map[string]bool{}
	var files []string
	for _, pattern := range []string{"*.go", "api/*.go", "play/*.go", "puzzles/*.go", "reviews/*.go", "analysis/*.go", "studies/*.go", "accounts/*.go", "classes/*.go", "tournaments/*.go", "../live/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %v, %v", pattern, names, err)
		}
		files = append(files, names...)
	}
	for _, name := range files {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for n := range ast.Preorder(file) {
			call, ok := n.(*ast.CallExpr)
			if !ok || strings.HasSuffix(name, "_test.go") {
				continue
			}
			at, ok := reasonOf[calledName(call)]
			if !ok || at >= len(call.Args) {
				continue
			}
			called[calledName(call)] = true
			if text, ok := call.Args[at].(*ast.BasicLit); ok && text.Kind == token.STRING {
				reason, err := strconv.Unquote(text.Value)
				if err != nil {
					t.Fatal(err)
				}
				given[reason] = set.Position(call.Pos()).String()
			}
		}
	}
	for name := range reasonOf {
		if !called[name] {
			t.Errorf("nothing calls %s, which is said to be given a reason", name)
		}
	}
	return given
}

func calledName(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}
