package main

import (
	"os"
	"regexp"
	"testing"
)

// TestRatingsPage checks that the tables of docs/ratings are what the command above each prints.
// QUINTET_GOLDEN=1 writes them.
func TestRatingsPage(t *testing.T) {
	const page = "docs/ratings/README.md"
	t.Chdir("../..")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	table := regexp.MustCompile("(    quintet arena ratings (docs/ratings/[a-z0-9]+\\.json)\n\n```text\n)(?s:.*?)```\n")
	tables := 0
	want := table.ReplaceAllFunc(text, func(old []byte) []byte {
		tables++
		match := table.FindSubmatch(old)
		return []byte(string(match[1]) + mustRun(t, "", "arena", "ratings", string(match[2])) + "```\n")
	})
	if os.Getenv("QUINTET_GOLDEN") != "" {
		if err := os.WriteFile(page, want, 0o600); err != nil {
			t.Fatal(err)
		}
	} else if string(want) != string(text) {
		t.Errorf("%s differs (QUINTET_GOLDEN=1 writes it): want\n%s", page, want)
	}
	if tables != 5 {
		t.Errorf("%s has %d tables, want one for each game", page, tables)
	}
}
