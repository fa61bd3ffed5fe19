package dialogue

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestNames checks that the rules ask only for faults that a mutant or a constant has, and for
// each of those: a misspelled name would be a mistake that no program makes.
func TestNames(t *testing.T) {
	asked, tables, constants := namesInSources(t)
	known := map[string]bool{}
	for _, name := range Games() {
		for _, m := range Mutants(name) {
			if m.Kind == RuleMutant {
				known[m.Name] = true
			}
		}
	}
	for name := range known {
		if !asked[name] && !constants[name] {
			t.Errorf("no rule asks for the fault %q", name)
		}
	}
	if len(asked) < 100 {
		t.Fatalf("the rules ask for %d faults, want at least 100", len(asked))
	}
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		if !known[name] && !tables[name] && !constants[name] {
			t.Errorf("a rule asks for the fault %q, which no mutant has", name)
		}
	}
}

// namesInSources returns the names of faults that rules ask for, that the table of texts gives
// to programs, and that are constants.
func namesInSources(t *testing.T) (asked, given, constants map[string]bool) {
	t.Helper()
	asked, given, constants = map[string]bool{}, map[string]bool{}, map[string]bool{}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Has" {
					note(asked, n.Args)
				} else if ok && s.Sel.Name == "With" {
					note(given, n.Args)
				}
			case *ast.ValueSpec:
				if kind, ok := n.Type.(*ast.Ident); ok && kind.Name == "Fault" {
					note(constants, n.Values)
				}
			case *ast.CompositeLit: // the directions of a row of stones
				if kind, ok := n.Type.(*ast.ArrayType); ok {
					if _, ok := kind.Elt.(*ast.StructType); ok && e.Name() == "connect6.go" {
						for _, row := range n.Elts {
							note(asked, row.(*ast.CompositeLit).Elts[2:])
						}
					}
				}
			}
			return true
		})
	}
	return asked, given, constants
}

// note adds the texts among some expressions.
func note(names map[string]bool, list []ast.Expr) {
	for _, e := range list {
		if text, ok := e.(*ast.BasicLit); ok && text.Kind == token.STRING {
			name, _ := strconv.Unquote(text.Value)
			names[name] = true
		}
	}
}
