package main

import (
	"slices"
	"testing"
)

// TestServed lists the names that quintet serve answers to.
func TestServed(t *testing.T) {
	for _, c := range []struct {
		addr      string
		hosts     []string
		has, lack string
	}{
		{":8080", nil, "", "games.example"},
		{"games.example:8080", nil, "games.example", "other.example"},
		{":8080", []string{"games.example"}, "games.example", ""},
	} {
		f := serveFlags{addr: c.addr, hosts: c.hosts}
		got := f.hostNames()
		if got == nil || c.has != "" && !slices.Contains(got, c.has) || slices.Contains(got, c.lack) {
			t.Errorf("--addr %s --host %q: names %q, want %q among them and not %q", c.addr, c.hosts, got, c.has, c.lack)
		}
	}
	if got := (&serveFlags{hosts: []string{"a", "*"}}).hostNames(); got != nil {
		t.Errorf("--host *: names %q, want any", got)
	}
}
