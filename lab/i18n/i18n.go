// Package i18n compares the catalogues of package lang with the texts in the code: which are not
// translated yet, which translations are unused, and which do not fit their English.
//
// Start with [Check].
package i18n

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"quintet/games"
	"quintet/internal/lang"
	"quintet/learn/lesson"
)

// Command returns the command that prints what Check finds.
func Command() *cobra.Command {
	return &cobra.Command{
		Use:   "i18n",
		Short: "Show what the catalogues of other languages lack",
		Long:  "I18n compares the catalogues in internal/lang with the texts in the code: see docs/translating.md.\nlab/i18n/todo.txt has the lines that the tests accept for now.",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			list, err := Check(".")
			for _, problem := range list {
				if _, err := fmt.Fprintln(c.OutOrStdout(), problem); err != nil {
					return fmt.Errorf("writing the list: %w", err)
				}
			}
			return err
		},
	}
}

// Check returns what is wrong with the catalogues, for the project in a folder.
func Check(root string) (list []string, err error) {
	keys, err := pageTexts(root)
	if err != nil {
		return nil, err
	}
	said, literals, err := sentences(root)
	if err != nil {
		return nil, err
	}
	for _, text := range keys {
		literals[text] = true
	}
	for _, tag := range lang.Tags()[1:] {
		l, err := lang.Open(tag)
		if err != nil {
			return nil, err
		}
		add := func(format string, args ...any) { list = append(list, tag+": "+fmt.Sprintf(format, args...)) }
		checkPages(l, keys, add)
		checkSentences(l, said, literals, add)
	}
	return list, nil
}

// checkPages compares the texts of pages. Empty texts are not translated, and a text for one thing is
// not needed: neither Chinese nor Japanese has such a form.
func checkPages(l *lang.Language, keys map[string]string, add func(string, ...any)) {
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		own, ok := l.Pages[key]
		stem, single := strings.CutSuffix(key, ".one")
		switch {
		case keys[key] == "", !ok && single && keys[stem+".other"] != "":
		case !ok:
			add("%s is missing: %q", key, keys[key])
		case !slices.Equal(filled(own), filled(keys[key])):
			add("%s fills in %q: expected %q", key, filled(own), filled(keys[key]))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(l.Pages)) {
		if _, ok := keys[key]; !ok {
			add("nothing says %s", key)
		}
	}
}

// checkSentences compares the texts in the code. Those with parts that are put together elsewhere,
// such as reasons of the rules, may be in a catalogue without being a literal of the code: then a
// literal must be a part of them.
func checkSentences(l *lang.Language, said, literals map[string]bool, add func(string, ...any)) {
	own := map[string]string{}
	for _, group := range l.Groups {
		for text, translated := range group {
			if own[text] != "" {
				add("%q is in two groups", text)
			}
			own[text] = translated
		}
	}
	for _, text := range slices.Sorted(maps.Keys(said)) {
		if own[text] == "" {
			add("missing: %q", text)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(own)) {
		if !said[text] && !literals[text] && !ofRules(text, literals) {
			add("nothing says %q", text)
		}
		if !slices.Equal(filled(own[text]), filled(text)) {
			add("%q fills in %q: expected %q", text, filled(own[text]), filled(text))
		}
	}
}

// ofRules reports whether a text with verbs can be put together from literals: each longer part between the verbs has
// two words that stand together in one.
func ofRules(text string, literals map[string]bool) bool {
	for _, part := range verb.Split(text, -1) {
		if words := strings.Fields(part); len(words) > 1 && !anyStands(words, literals) {
			return false
		}
	}
	return true
}

func anyStands(words []string, literals map[string]bool) bool {
	for i := range words[1:] {
		for literal := range literals {
			if strings.Contains(literal, strings.Join(words[i:i+2], " ")) {
				return true
			}
		}
	}
	return false
}

var (
	verb       = regexp.MustCompile(`"?%(?:\[\d\])?[a-z]"?|\b1 \w+`) // also what Number makes: "1 cell"
	names      = regexp.MustCompile(`\{\w+\}|%(?:\[\d\])?[a-z]`)
	inTemplate = regexp.MustCompile(`\b(?:say|count [^"]*"[^"]*") "([^"]*)"`)
	order      = regexp.MustCompile(`\[\d\]`)
)

// filled returns what is filled in to a text, in alphabetical order.
func filled(text string) []string {
	list := names.FindAllString(text, -1)
	for i := range list {
		list[i] = order.ReplaceAllString(list[i], "")
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// pageTexts returns the English of web/strings by their keys.
func pageTexts(root string) (map[string]string, error) {
	files, err := filepath.Glob(filepath.Join(root, "web", "strings", "*.json"))
	if err != nil || len(files) == 0 {
		return nil, errors.Join(err, errors.New("there are no texts of pages: run this in the folder of the project"))
	}
	all := map[string]string{}
	for _, name := range files {
		data, err := os.ReadFile(name) //nolint:gosec // a file of the project
		if err == nil {
			err = json.Unmarshal(data, &all)
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
	}
	return all, nil
}

// sentences returns the texts that code and lessons look up by their English, and all string
// literals of the product.
func sentences(root string) (said, literals map[string]bool, err error) {
	said, literals = map[string]bool{}, map[string]bool{}
	for _, g := range games.All() {
		for line := range strings.SplitSeq(strings.TrimSpace(g.Rules), "\n") {
			said[line] = true
		}
		steps, err := lesson.For(g.Name)
		if err != nil {
			return nil, nil, fmt.Errorf("reading the lessons: %w", err)
		}
		for _, s := range steps {
			for _, text := range []string{s.Title, s.Text, s.Task, s.Hint, s.Done} {
				said[text] = true
			}
		}
	}
	page, err := os.ReadFile(filepath.Join(root, "judge", "report", "page.html")) //nolint:gosec // a file of the project
	if err != nil {
		return nil, nil, fmt.Errorf("reading the judge's page: %w", err)
	}
	for _, m := range inTemplate.FindAllSubmatch(page, -1) {
		said[string(m[1])] = true
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (d.Name() == "lab" || d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == "protocol") { // protocols have a Say of their own
			return filepath.SkipDir
		}
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err == nil {
			collect(file, said, literals)
		}
		return err //nolint:wrapcheck // it names the file
	})
	return said, literals, err //nolint:wrapcheck // it names the file
}

// collect adds the literals of a file, and those that it says: arguments of Say and Count.
func collect(file *ast.File, said, literals map[string]bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				literals[text] = true
			}
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.SelectorExpr)
			if !ok || file.Name.Name == "web" {
				break
			}
			if at := map[string]int{"Say": 0, "Count": 2}; at[f.Sel.Name] < len(n.Args) {
				if i, ok := at[f.Sel.Name]; ok {
					addLiteral(n.Args[i], said)
				}
			}
		}
		return true
	})
}

func addLiteral(e ast.Expr, said map[string]bool) {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		if text, err := strconv.Unquote(lit.Value); err == nil {
			said[text] = true
		}
	}
}
