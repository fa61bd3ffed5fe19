package quintet_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDocumentLinks checks that the links between documents lead to files and
// headings that exist.
func TestDocumentLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, name := range documents(t) {
		for _, match := range link.FindAllStringSubmatch(readText(t, name), -1) {
			target, anchor, _ := strings.Cut(match[1], "#")
			if strings.Contains(target, ":") {
				continue // an address of the web
			}
			to := name
			if target != "" {
				to = filepath.Join(filepath.Dir(name), target)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, which does not exist", name, match[1])
				continue
			}
			if anchor != "" && !slices.Contains(anchors(readText(t, to)), anchor) {
				t.Errorf("%s links to %s, which has no such heading", name, match[1])
			}
		}
	}
}

// TestDocumentNames checks that the documents that comments and messages of the program
// name exist.
func TestDocumentNames(t *testing.T) {
	named := regexp.MustCompile(`\bdocs/[a-z/-]+\.md`)
	for _, name := range programFiles(t) {
		for _, document := range named.FindAllString(readText(t, name), -1) {
			if _, err := os.Stat(document); err != nil {
				t.Errorf("%s names %s, which does not exist", name, document)
			}
		}
	}
}

// TestDocumentPaths checks that the files and folders that documents name in code exist.
func TestDocumentPaths(t *testing.T) {
	span := regexp.MustCompile("`(?:\\./)?([a-z]+/[a-zA-Z0-9_./-]+)`")
	placeholder := regexp.MustCompile(`[A-Z]{4}|mygame`)
	for _, name := range documents(t) {
		for _, match := range span.FindAllStringSubmatch(readText(t, name), -1) {
			root, _, _ := strings.Cut(match[1], "/")
			if _, err := os.Stat(root); err != nil || placeholder.MatchString(match[1]) {
				continue // something else, such as "games/s"
			}
			if _, err := os.Stat(match[1]); err != nil {
				t.Errorf("%s names %s, which does not exist", name, match[1])
			}
		}
	}
}

// TestDocumentLength bounds what users are expected to read: the documents of docs,
// those for developers apart, once had 60,000 words, half of them notebooks.
func TestDocumentLength(t *testing.T) {
	const most = 37_700
	words := 0
	for _, name := range documents(t) {
		if filepath.Dir(name) == "docs" {
			words += len(strings.Fields(readText(t, name)))
		}
	}
	if words > most {
		t.Errorf("docs/*.md have %d words, want at most %d: shorten, or move notes for developers to docs/internals", words, most)
	}
}

// TestLibraryProgram runs the program that docs/library.md shows.
func TestLibraryProgram(t *testing.T) {
	program, err := os.ReadFile("examples/game/main.go")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("docs/library.md")
	if err != nil || !strings.Contains(string(doc), "```go\n"+string(program)+"```") {
		t.Errorf("docs/library.md does not show examples/game/main.go as it is: %v", err)
	}
	out, err := exec.CommandContext(t.Context(), "go", "run", "./examples/game").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "[Game \"loa\"]") || !strings.HasSuffix(string(out), "0-1\n") {
		t.Errorf("%s, %v, want the record of a game that the stronger level wins", out, err)
	}
}

// TestTree checks that the tree of CONTRIBUTING.md names the folders that exist: all at
// the root, and no package below that is gone.
func TestTree(t *testing.T) {
	_, tree, _ := strings.Cut(readText(t, "CONTRIBUTING.md"), "## The tree\n")
	tree, _, _ = strings.Cut(tree, "\n\nRules are")
	folder := regexp.MustCompile(`^(?:    |      |  )([a-z0-9/]+)/(?:  |$)`)
	root, named := "", []string{}
	for line := range strings.SplitSeq(tree, "\n") {
		inner := strings.HasPrefix(line, "      ")
		for match := folder.FindStringSubmatch(line); match != nil; match = folder.FindStringSubmatch(line) {
			name := match[1]
			if inner {
				name = filepath.Join(root, name)
			} else {
				root = name
				named = append(named, strings.Split(name, "/")[0])
			}
			if _, err := os.Stat(name); err != nil {
				t.Errorf("CONTRIBUTING.md names the folder %s, which does not exist", name)
			}
			line = line[len(match[0])-2:]
		}
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		known := slices.Contains(named, entry.Name()) || strings.HasPrefix(entry.Name(), ".")
		if entry.IsDir() && !known && !slices.Contains([]string{"bin", "dist", "gallery", "node_modules", "shared"}, entry.Name()) {
			t.Errorf("the tree of CONTRIBUTING.md lacks the folder %s", entry.Name())
		}
	}
}

// TestDependencies checks that docs/why.md has a paragraph for each direct dependency.
func TestDependencies(t *testing.T) {
	module := regexp.MustCompile(`(?m)^(?:require |\t)(\S+) v\S+$`)
	_, paragraphs, _ := strings.Cut(readText(t, "docs/why.md"), "\n## Dependencies\n")
	direct := module.FindAllStringSubmatch(readText(t, "go.mod"), -1)
	if len(direct) < 15 {
		t.Fatalf("found only %q", direct)
	}
	for _, match := range direct {
		name := regexp.MustCompile(`/v\d+$`).ReplaceAllString(match[1], "")
		if name = name[strings.LastIndex(name, "/")+1:]; !strings.Contains(paragraphs, name) {
			t.Errorf("docs/why.md says nothing of %s: what it saves, what it costs, how to leave it", match[1])
		}
	}
}

// documents lists the documents for people.
func documents(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "learn/puzzle/sets/*.md", "lab/*/*.md", "examples/*.md", "examples/*/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, names...)
	}
	if len(all) < 15 {
		t.Fatalf("found only %q", all)
	}
	return all
}

// programFiles lists the files of the program, its pages and its assembly.
func programFiles(t *testing.T) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(".", func(name string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if slices.Contains([]string{".go", ".s", ".ts", ".tsx", ".mjs", ".py"}, filepath.Ext(name)) {
			all = append(all, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// anchors returns the anchors of a document's headings, as GitHub makes them.
func anchors(text string) []string {
	dropped := regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	var all []string
	code := false
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if heading := strings.TrimLeft(line, "#"); !code && heading != line {
			plain := dropped.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "")
			all = append(all, strings.ReplaceAll(plain, " ", "-"))
		}
	}
	return all
}

func readText(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
