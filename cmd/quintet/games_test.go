package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/games"
	"quintet/web"
)

// TestRulesDocument checks that docs/rules.md has the rules of each game, as pages and
// programs show them, paragraph for paragraph.
func TestRulesDocument(t *testing.T) {
	data, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(strings.ReplaceAll(string(data), "`", ""), "\n## ")[1:]
	if len(sections) != len(games.All()) {
		t.Fatalf("%d sections, want %d", len(sections), len(games.All()))
	}
	for i, g := range games.All() {
		text, err := web.Rules(g)
		if err != nil || text == "" {
			t.Fatalf("%s: rules %q, %v", g.Name, text, err)
		}
		want := append([]string{g.Title}, strings.Split(text, "\n")...)
		var got []string
		for paragraph := range strings.SplitSeq(sections[i], "\n\n") {
			got = append(got, strings.Join(strings.Fields(paragraph), " "))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("docs/rules.md, %s (-said, +written):\n%s", g.Name, diff)
		}
	}
}
