package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"quintet/arena"
)

// TestLiveTable checks the progress of an arena that continues an earlier run.
func TestLiveTable(t *testing.T) {
	now := time.Unix(0, 0)
	table := newLiveTable(func() time.Time { return now }, arena.Standings{Planned: 60}, 10, func(s arena.Standings) []string {
		return []string{strings.Repeat("+", s.Games)}
	})
	want := func(lines ...string) {
		t.Helper()
		if got := table.lines(); !slices.Equal(got, lines) {
			t.Errorf("%q, want %q", got, lines)
		}
	}
	want("[#####-------------------------] 10 of 60 games, 0s", "")
	table.games.Add(30)
	table.standings.Store(&arena.Standings{Planned: 60, Games: 3})
	now = now.Add(3 * time.Second)
	want("[####################----------] 40 of 60 games, 3s, about 2s left", "+++")
}
